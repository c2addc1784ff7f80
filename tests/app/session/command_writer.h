// Lines of commands that nobody would write, in an order that nobody would choose, drawn from the whole
// registry by what each command declares: within its ranges, at their edges, beyond them, and nonsense. The
// same on every machine for a seed.
#pragma once

#include "app/session/session.h"

#include <deque>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace headlight {

class CommandWriter {
public:
    // What writes files is told to write them into `folder`.
    CommandWriter(const Session& session, std::filesystem::path folder, std::uint32_t seed);

    // Lines that begin like one of these are not written.
    void leave_out(const std::vector<std::string>& prefixes);
    std::string line();

private:
    int below(int n) { return int(random_() % std::uint32_t(n)); }
    const std::string& one_of(const std::vector<std::string>& all) {
        return all[std::size_t(below(int(all.size())))];
    }
    std::string written(const WindowCommand& command);
    std::string word_for(const WindowCommand& command, const Argument& argument);
    std::string number_for(const Argument& argument);
    std::string name_for(const Argument& argument);
    std::string file_for(const std::string& command, const std::string& so_far);
    bool hold_and_go();
    std::string with_what_it_needs(std::string line);

    const Session& session_;
    std::filesystem::path folder_;
    std::vector<std::string> left_out_;
    std::deque<std::string> next_; // lines that belong together
    std::mt19937 random_;
};

} // namespace headlight
