// OpenGL 3.3 core for the rooms of platform/ alone: nobody above includes this.
#pragma once

#include <glad/gl.h>

namespace headlight {

// Broken promise naming the first GL error since the last check, with the place it was found at.
void check_gl(const char* where);

} // namespace headlight
