// What nobody would do to the window, in an order that nobody would choose: the same on every machine.
#pragma once

#include "tests/app/ui/stage.h"

#include <random>
#include <string>
#include <vector>

namespace headlight {

class Monkey {
public:
    // Commands that begin like one of these are left to others, beside those that end the window or write
    // files.
    explicit Monkey(Stage& stage, const std::vector<std::string>& left_out = {});

    void act();

private:
    int below(int n) { return int(random_() % std::uint32_t(n)); }
    const std::string& one_of(const std::vector<std::string>& all) {
        return all[std::size_t(below(int(all.size())))];
    }
    std::string command();
    std::string written(const WindowCommand& command);
    std::string written(const Argument& argument);

    Stage& stage_;
    std::mt19937 random_{20170612};
    std::vector<std::string> left_out_;
};

} // namespace headlight
