// What nobody would do to the window, in an order that nobody would choose: the same on every machine.
#pragma once

#include "tests/app/session/command_writer.h"
#include "tests/app/ui/stage.h"
#include "tests/support/temporary_folder.h"

#include <random>
#include <string>
#include <vector>

namespace headlight {

class Monkey {
public:
    // Commands that begin like one of these are left to others, beside the one that ends the window.
    explicit Monkey(Stage& stage, const std::vector<std::string>& left_out = {},
                    std::uint32_t seed = 20170612);

    void act();
    const std::string& last() const { return last_; } // what it did, in words
    int commands() const { return commands_; }        // that it has given

private:
    int below(int n) { return int(random_() % std::uint32_t(n)); }
    const std::string& one_of(const std::vector<std::string>& all) {
        return all[std::size_t(below(int(all.size())))];
    }
    std::string command();
    void resize();

    Stage& stage_;
    TemporaryFolder folder_; // for what it writes
    CommandWriter writer_;
    std::mt19937 random_;
    std::string last_;
    int commands_ = 0;
};

} // namespace headlight
