#include "app/cli/terminal.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace headlight {

bool Terminal::print(std::string_view line) {
    if (output_failure_ != 0) return false;
    errno = 0;
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fputc('\n', stdout);
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) output_failure_ = errno != 0 ? errno : EIO;
    return output_failure_ == 0;
}

int Terminal::end() {
    if (output_failure_ == 0 || output_failure_ == EPIPE) return succeeded;
    return fail({"error.output_lost", {std::strerror(output_failure_)}});
}

void Terminal::remark(std::string_view text) {
    std::string line = "headlight: " + std::string(text);
    // One line, whatever stands in a file name or a sentence.
    std::replace_if(
        line.begin(), line.end(), [](unsigned char c) { return c < ' ' || c == 127; }, ' ');
    line += '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
}

int Terminal::refuse(const Error& error) {
    remark(strings_.text(error));
    return misused;
}

int Terminal::fail(const Error& error) {
    remark(strings_.text(error));
    return failed;
}

} // namespace headlight
