// How one looks at an answer while it is said.
#pragma once

#include <filesystem>
#include <string_view>

namespace headlight {

class CommandRegistry;
struct Inquiries;
struct View;

// Word by word with what might have been said instead, the beams' tree, forced beside free, and what it
// costs.
enum class SayingPage { words, beams, lanes, cost };
constexpr std::string_view saying_page_names[] = {"words", "beams", "lanes", "cost"};

struct SayingView {
    SayingPage page = SayingPage::words;
    bool playing = false;
    double clock = 0; // seconds since the last pass
    bool operator==(const SayingView&) const = default;
};
constexpr double seconds_a_pass = 0.9;

// say …
void add_saying_commands(CommandRegistry& commands, Inquiries& inquiries, View& view,
                         const std::filesystem::path& assets);

} // namespace headlight
