// Inputs that nobody would write, made from those that somebody did: the same on every machine for a seed.
#pragma once

#include "tests/fuzz/target.h"

#include <random>
#include <string>
#include <vector>

namespace headlight::fuzz {

class Mutator {
public:
    Mutator(const Target& target, std::vector<std::string> examples, std::uint32_t seed);

    // One of the examples, changed in a few places.
    std::string next();
    // This one, changed; at most target.longest bytes.
    std::string changed(std::string input);
    // An input that led to something new is an example from now on.
    void keep(std::string input);

private:
    std::size_t below(std::size_t n) { return n == 0 ? 0 : std::size_t(random_() % n); }
    std::size_t length(std::size_t most); // small ones are likelier
    std::string some_word();
    void change_once(std::string& input);
    void change_bytes(std::string& input, std::size_t at);
    void change_number(std::string& input, std::size_t at);
    void change_lines(std::string& input, std::size_t at);
    void repeat(std::string& input, std::size_t at);

    const Target& target_;
    std::vector<std::string> examples_;
    std::size_t first_kept_;
    std::mt19937_64 random_;
};

} // namespace headlight::fuzz
