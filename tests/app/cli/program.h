// The built program as a child process: what it was given, what it said, how it ended.
#pragma once

#include "tests/support/temporary_folder.h"

#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

namespace headlight::test {

struct Outcome {
    int status = -1; // exit status; −1: ended by a signal
    std::string output, errors;

    std::vector<std::string> lines() const;       // of the output
    std::vector<std::string> error_lines() const; // of the errors
};

// One run of `headlight`. HEADLIGHT_ASSETS is the source tree's; the locale is C, unless it is given.
class Program {
public:
    using Environment = std::map<std::string, std::string>;

    explicit Program(const std::vector<std::string>& arguments, const std::string& input = {},
                     const Environment& environment = {});
    ~Program(); // ends it

    std::string output_so_far() const { return folder_.read("output"); }
    void wait_for_output(); // of the first line
    void signal(int number);
    bool catches(int number) const; // the signal: it does not end the program
    Outcome wait();

private:
    TemporaryFolder folder_;
    pid_t child_ = -1;
};

inline Outcome headlight_says(const std::vector<std::string>& arguments, const std::string& input = {},
                              const Program::Environment& environment = {}) {
    return Program(arguments, input, environment).wait();
}

// A line of shell in which $H is the program, quoted.
Outcome shell_says(const std::string& line);

} // namespace headlight::test
