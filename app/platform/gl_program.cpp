#include "app/platform/gl_program.h"

#include "app/platform/gl.h"
#include "engine/base/check.h"

#include <utility>

namespace headlight {
namespace {

unsigned compile(GLenum kind, const char* source, std::string& log) {
    const unsigned shader = glCreateShader(kind);
    glShaderSource(shader, 1, &source, nullptr);
    glCompileShader(shader);
    GLint good = 0, length = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good) return shader;
    glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
    log.resize(std::size_t(length));
    glGetShaderInfoLog(shader, length, nullptr, log.data());
    glDeleteShader(shader);
    return 0;
}

} // namespace

Result<GlProgram> GlProgram::build(const std::string& name, const char* vertex, const char* fragment) {
    std::string log;
    const unsigned vertex_shader = compile(GL_VERTEX_SHADER, vertex, log);
    if (!vertex_shader) return Error{"error.shader_failed", {name + ".vert", log}};
    const unsigned fragment_shader = compile(GL_FRAGMENT_SHADER, fragment, log);
    if (!fragment_shader) {
        glDeleteShader(vertex_shader);
        return Error{"error.shader_failed", {name + ".frag", log}};
    }
    GlProgram program(glCreateProgram());
    glAttachShader(program.program_, vertex_shader);
    glAttachShader(program.program_, fragment_shader);
    glLinkProgram(program.program_);
    glDeleteShader(vertex_shader);
    glDeleteShader(fragment_shader);
    GLint good = 0, length = 0;
    glGetProgramiv(program.program_, GL_LINK_STATUS, &good);
    if (good) return program;
    glGetProgramiv(program.program_, GL_INFO_LOG_LENGTH, &length);
    log.resize(std::size_t(length));
    glGetProgramInfoLog(program.program_, length, nullptr, log.data());
    return Error{"error.shader_failed", {name, log}};
}

GlProgram::GlProgram(GlProgram&& other) noexcept : program_(std::exchange(other.program_, 0)) {}

GlProgram& GlProgram::operator=(GlProgram&& other) noexcept {
    std::swap(program_, other.program_);
    return *this;
}

GlProgram::~GlProgram() {
    if (program_) glDeleteProgram(program_);
}

void GlProgram::use() const { glUseProgram(program_); }

int GlProgram::uniform(const char* name) const {
    const int location = glGetUniformLocation(program_, name);
    HEADLIGHT_CHECK(location >= 0, std::string("the shader has no uniform ") + name);
    return location;
}

} // namespace headlight
