#pragma once

#include "app/session/strings.h"
#include "engine/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace headlight {

// What a command says: results on standard output, everything else on standard error, one line each.

enum ExitStatus : int { succeeded = 0, failed = 1, misused = 2 }; // misused: wrong options, or wrong input

class Terminal {
public:
    explicit Terminal(const Strings& strings) : strings_(strings) {}

    const Strings& strings() const { return strings_; }

    // A line of results, written at once. False when it could not be: the reader has gone (`headlight … |
    // head`), or the disk is full; from then on nothing more is written.
    bool print(std::string_view line);
    // succeeded, or failed with a line when results were lost for another reason than a reader who left.
    int end();

    void remark(std::string_view text); // "headlight: text" on standard error
    int refuse(const Error& error);     // says it; misused
    int fail(const Error& error);       // says it; failed
    // The one or the other: failed where the machine could not (no display, a full disk), misused where
    // nobody could.
    int report(const Error& error);

private:
    const Strings& strings_;
    int output_failure_ = 0; // errno
};

// `headlight --check`: what this machine is, and whether the program computes here what PyTorch computed
// elsewhere.

// Prints a line for each thing. Returns succeeded, or failed where a number is wrong or nothing could be
// compared; that there are no graphics is said and no failure: the terminal's commands need none.
int check_program(Terminal& terminal, const std::filesystem::path& assets);

// A folder that results may be written into.

// A folder that has something in it must be a model folder of ours (config.json of one of our
// architectures): nothing else is overwritten. Errors: a file, a folder of somebody else's. Whether it can be
// written into is found out by FolderTransaction::begin.
Result<Done> check_out_folder(const std::filesystem::path& folder);

} // namespace headlight
