// Sees that reading an input ends: in time, within memory, and without the program's end. An input that ends
// the program is written down first.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace headlight::fuzz {

constexpr unsigned longest_reading = 20; // seconds

class Watch {
public:
    // `found`: the folder where such inputs are kept, made when there is one.
    Watch(std::string target, std::filesystem::path found);
    ~Watch();

    // `input` lives until the end.
    void begin(std::string_view input);
    // What was too much of it, or nothing.
    std::string end();
    // Writes an input down; where.
    std::filesystem::path keep(std::string_view input) const;

    double seconds() const { return seconds_; } // that the last reading took
    long peak_megabytes() const;                // of the process so far

private:
    std::string target_;
    std::filesystem::path found_;
    double begun_ = 0, seconds_ = 0;
    long peak_before_ = 0;
};

// The largest block that was asked for since the last time, in bytes; 0 where that cannot be known.
std::size_t take_largest_block();

} // namespace headlight::fuzz
