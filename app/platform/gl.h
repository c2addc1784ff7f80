// OpenGL 3.3 core, or its likes in WebGL 2, for the rooms of platform/ alone: nobody above includes this.
#pragma once

#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#else
#include <glad/gl.h>
#endif

namespace headlight {

// Broken promise naming the first GL error since the last check, with the place it was found at.
void check_gl(const char* where);

} // namespace headlight
