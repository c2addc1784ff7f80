// OpenGL 3.3 core, or its likes in WebGL 2, for the rooms of platform/ alone: nobody above includes this.
#pragma once

#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#else
#include <glad/gl.h>
#endif

#include <string>

namespace headlight {

// Broken promise naming the first GL error since the last check, with the place it was found at.
void check_gl(const char* where);

// What draws: "AMD Radeon …", "llvmpipe …". Empty: it does not say.
std::string renderer_name();

} // namespace headlight
