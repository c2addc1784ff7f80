// Where there is no EGL: a window that is never shown has the context.
#include "app/platform/gl.h"
#include "app/platform/offscreen.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <string>

namespace headlight {

struct Offscreen::Context {
    GLFWwindow* window = nullptr;

    ~Context() {
        if (window) glfwDestroyWindow(window);
        glfwTerminate();
    }
};

namespace {

Error glfw_failed(const char* step) {
    const char* reason = nullptr;
    glfwGetError(&reason);
    return Error{"error.no_offscreen", {step, reason ? reason : "GLFW"}};
}

} // namespace

Result<std::shared_ptr<Offscreen::Context>> Offscreen::open_context() {
    if (!glfwInit()) return glfw_failed("glfwInit");
    auto context = std::make_shared<Context>();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    context->window = glfwCreateWindow(64, 64, "Headlight", nullptr, nullptr);
    if (!context->window) return glfw_failed("glfwCreateWindow (OpenGL 3.3 core)");
    glfwMakeContextCurrent(context->window);
    if (!gladLoadGL(GLADloadfunc(glfwGetProcAddress)))
        return Error{"error.no_offscreen", {"gladLoadGL", "OpenGL"}};
    return context;
}

} // namespace headlight
