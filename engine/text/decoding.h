// From tokens back to text: each step makes other texts of the texts that it is given, and what the last one
// leaves is joined.
#pragma once

#include "engine/text/pattern.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

struct Decoding {
    enum class Kind {
        byte_level,    // the bytes of all tokens, joined; see byte_level.h
        word_piece,    // `text` (##) joins a piece to the one before it, else there is a space; `cleanup`
        metaspace,     // ▁ (`text`) is a space; in the first token nothing, when `drops_first`
        replace,       // what `pattern` finds becomes `text`
        byte_fallback, // <0xC3> is a byte; bytes in a row that are no UTF-8 are U+FFFD each
        fuse,          // all are one text
        strip,         // up to `start` and `stop` characters `text` removed at the ends of each token
        bpe,           // `text` (</w>) ends a word
    };
    Kind kind = Kind::fuse;
    std::string text = {};
    std::optional<Pattern> pattern = {};
    bool cleanup = false, drops_first = false;
    std::size_t start = 0, stop = 0;

    bool operator==(const Decoding&) const = default;
};

std::string decoded(std::vector<std::string> tokens, const std::vector<Decoding>& steps);

} // namespace headlight
