#include "app/platform/gl.h"

#include "engine/base/check.h"

#include <string>

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

} // namespace headlight
