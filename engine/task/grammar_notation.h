// The small parts of the phrase grammar's notation, shared by the sources that read it. Nothing else needs
// this.
#pragma once

#include "engine/task/grammar.h"

namespace headlight::grammar::notation {

// Thrown inside the reader only; parse turns it into its Error.
struct Fault {
    Error error;
};

// A line of the file, with the lines that continue it (those that begin with an arrow) joined to it.
struct Line {
    std::string text;
    std::size_t number; // of its first line, from 1
};

struct Place {
    const std::string& file;
    std::size_t line;

    [[noreturn]] void fail(std::string key, std::vector<std::string> details = {}) const;
};

std::vector<Line> logical_lines(std::string_view text);

// "english = portuguese", with any arrow.
struct Sides {
    BothLanguages<std::string_view> text;
    Arrow arrow;
};
bool has_arrow(std::string_view line);
Sides split_sides(std::string_view line, const Place& place);

// "cansado|cansada", "está/estão", "o|a/os|as", or a word alone.
Forms parse_forms(std::string_view text, const Place& place);

Phrase parse_phrase(const Line& line, const Grammar& grammar);

std::optional<std::size_t> find_list(const Grammar& grammar, std::string_view name);

} // namespace headlight::grammar::notation
