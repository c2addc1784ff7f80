// A linked pair of shaders that frees itself.
#pragma once

#include "engine/base/result.h"

#include <string>

namespace headlight {

class GlProgram {
public:
    // Fails with error.shader_failed {name, the driver's own words}.
    static Result<GlProgram> build(const std::string& name, const char* vertex, const char* fragment);

    GlProgram(GlProgram&& other) noexcept;
    GlProgram& operator=(GlProgram&& other) noexcept;
    ~GlProgram();

    void use() const;
    int uniform(const char* name) const; // its location; a broken promise when the shader has none

private:
    explicit GlProgram(unsigned program) : program_(program) {}

    unsigned program_ = 0;
};

} // namespace headlight
