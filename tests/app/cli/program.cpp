#include "tests/app/cli/program.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace headlight::test {

namespace {

const char* const program = HEADLIGHT_BINARY_DIR "/bin/headlight";

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

void redirect(const std::filesystem::path& path, int flags, int descriptor) {
    const int file = ::open(path.c_str(), flags, 0600);
    if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(126);
}

[[noreturn]] void become(const TemporaryFolder& folder, const std::vector<std::string>& words,
                         const Program::Environment& environment) {
    redirect(folder / "input", O_RDONLY, 0);
    redirect(folder / "output", O_WRONLY | O_CREAT | O_TRUNC, 1);
    redirect(folder / "errors", O_WRONLY | O_CREAT | O_TRUNC, 2);
    ::setenv("HEADLIGHT_ASSETS", HEADLIGHT_SOURCE_DIR "/assets", 1);
    ::setenv("LC_ALL", "C", 1);
    ::setenv("H", program, 1);
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> pointers;
    for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
}

pid_t start(const TemporaryFolder& folder, const std::vector<std::string>& words, const std::string& input,
            const Program::Environment& environment) {
    folder.write("input", input);
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("no child process");
    if (child == 0) become(folder, words, environment);
    return child;
}

Outcome end_of(const TemporaryFolder& folder, pid_t child) {
    int how = 0;
    ::waitpid(child, &how, 0);
    return {WIFEXITED(how) ? WEXITSTATUS(how) : -1, folder.read("output"), folder.read("errors")};
}

} // namespace

std::vector<std::string> Outcome::lines() const { return lines_of(output); }
std::vector<std::string> Outcome::error_lines() const { return lines_of(errors); }

Program::Program(const std::vector<std::string>& arguments, const std::string& input,
                 const Environment& environment) {
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    child_ = start(folder_, words, input, environment);
}

Program::~Program() {
    if (child_ < 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
}

void Program::wait_for_output() {
    while (output_so_far().find('\n') == std::string::npos) {
        int how = 0;
        if (::waitpid(child_, &how, WNOHANG) != 0) {
            child_ = -1;
            throw std::runtime_error("the program ended without a line of output: " + folder_.read("errors"));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

void Program::signal(int number) { ::kill(child_, number); }

bool Program::catches(int number) const {
    std::ifstream status("/proc/" + std::to_string(child_) + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("SigCgt:")) return std::stoull(line.substr(7), nullptr, 16) >> (number - 1) & 1;
    return false;
}

Outcome Program::wait() {
    const Outcome outcome = end_of(folder_, child_);
    child_ = -1;
    return outcome;
}

Outcome shell_says(const std::string& line) {
    TemporaryFolder folder;
    return end_of(folder, start(folder, {"/bin/sh", "-c", line}, {}, {}));
}

} // namespace headlight::test
