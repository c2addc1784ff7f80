#include "app/platform/offscreen.h"

#include "app/platform/gl.h"

#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <cstdio>

namespace headlight {

struct Offscreen::Context {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;

    ~Context() {
        if (display == EGL_NO_DISPLAY) return;
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
        eglTerminate(display);
    }

    Result<Done> open();
};

namespace {

Error egl_failed(const char* step) {
    char code[16];
    std::snprintf(code, sizeof code, "EGL 0x%04x", unsigned(eglGetError()));
    return Error{"error.no_offscreen", {step, code}};
}

} // namespace

Result<Done> Offscreen::Context::open() {
    const auto platform_display =
        PFNEGLGETPLATFORMDISPLAYEXTPROC(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (!platform_display) return egl_failed("eglGetPlatformDisplayEXT");
    display = platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (display == EGL_NO_DISPLAY) return egl_failed("EGL_PLATFORM_SURFACELESS_MESA");
    if (!eglInitialize(display, nullptr, nullptr)) return egl_failed("eglInitialize");
    if (!eglBindAPI(EGL_OPENGL_API)) return egl_failed("eglBindAPI");
    const EGLint config_attributes[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                        EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglChooseConfig(display, config_attributes, &config, 1, &count) || count == 0)
        return egl_failed("eglChooseConfig");
    const EGLint context_attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                         3,
                                         EGL_CONTEXT_MINOR_VERSION,
                                         3,
                                         EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                         EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                         EGL_NONE};
    context = eglCreateContext(display, config, EGL_NO_CONTEXT, context_attributes);
    if (context == EGL_NO_CONTEXT) return egl_failed("eglCreateContext (OpenGL 3.3 core)");
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        return egl_failed("eglMakeCurrent");
    if (!gladLoadGL(GLADloadfunc(eglGetProcAddress)))
        return Error{"error.no_offscreen", {"gladLoadGL", "OpenGL"}};
    return Done{};
}

Result<std::shared_ptr<Offscreen::Context>> Offscreen::open_context() {
    auto context = std::make_shared<Context>();
    if (const auto opened = context->open(); !opened) return opened.error();
    return context;
}

} // namespace headlight
