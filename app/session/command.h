// Whatever a person can do is a named command in one line of text: buttons, keys, lessons, saved sessions,
// scripts and tests all speak it. Help and key bindings are made from this one registry.
#pragma once

#include "engine/base/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

struct WindowCommand {
    std::string name;      // "goto"
    std::string arguments; // "PATH"; how it is written, for help
    // Strings "command.<name>" say what it does. An Error changes nothing.
    std::function<Result<Done>(std::string_view arguments)> run;
};

class CommandRegistry {
public:
    void add(WindowCommand command); // names are distinct
    const std::vector<WindowCommand>& list() const { return commands_; }

    // "goto encoder.0.self_attn.scores". Blank lines and lines that begin with # do nothing.
    Result<Done> execute(std::string_view line) const;

private:
    std::vector<WindowCommand> commands_;
};

// --- reading arguments
// -----------------------------------------------------------------------------------------

std::string_view trim(std::string_view text);
std::vector<std::string> words_of(std::string_view text); // cut at blanks; "quoted words" stay together
// The sentence that says how a command is written: "moment STEP|+N|-N".
Error usage(const std::string& line);
Result<double> number_of(const std::string& word); // the whole word, finite
Result<long> whole_number_of(const std::string& word);

} // namespace headlight
