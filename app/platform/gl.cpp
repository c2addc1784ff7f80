#include "app/platform/gl.h"

#include "engine/base/check.h"

#ifdef __EMSCRIPTEN__
#include <cstdlib>
#include <emscripten.h>
#endif

namespace headlight {

void check_gl(const char* where) {
    const GLenum error = glGetError();
    if (error == GL_NO_ERROR) return;
    const char* name = "unknown error";
    switch (error) {
    case GL_INVALID_ENUM:
        name = "GL_INVALID_ENUM: a constant that does not belong there";
        break;
    case GL_INVALID_VALUE:
        name = "GL_INVALID_VALUE: a number out of its range";
        break;
    case GL_INVALID_OPERATION:
        name = "GL_INVALID_OPERATION: not allowed in the present state";
        break;
    case GL_INVALID_FRAMEBUFFER_OPERATION:
        name = "GL_INVALID_FRAMEBUFFER_OPERATION: the framebuffer is not complete";
        break;
    case GL_OUT_OF_MEMORY:
        name = "GL_OUT_OF_MEMORY";
        break;
    default:
        break;
    }
    HEADLIGHT_CHECK(error == GL_NO_ERROR, std::string("OpenGL at ") + where + ": " + name);
}

#ifdef __EMSCRIPTEN__

// clang-format off
EM_JS(char*, headlight_renderer_name, (), { // which GL itself does not say in every browser
    const gl = GL.currentContext.GLctx, told = gl.getExtension("WEBGL_debug_renderer_info");
    const name = String(gl.getParameter(told ? told.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
    const size = lengthBytesUTF8(name) + 1, text = _malloc(size);
    stringToUTF8(name, text, size);
    return text;
});
// clang-format on

std::string renderer_name() {
    char* const name = headlight_renderer_name();
    std::string text = name;
    std::free(name);
    return text;
}

#else

std::string renderer_name() {
    const GLubyte* name = glGetString(GL_RENDERER);
    return name ? reinterpret_cast<const char*>(name) : "";
}

#endif

} // namespace headlight
