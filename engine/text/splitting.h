// The ways of cutting a text that need no pattern: each is a pre-tokenizer of Hugging Face `tokenizers`, read
// character by character.
#pragma once

#include <string_view>
#include <vector>

namespace headlight {

enum class Splitting {
    words,            // letters and digits with inner ' and -, any other sign alone: \w+(?:['\-]\w+)*|[^\w\s]
    characters,       // each code point, white space too
    whitespace,       // \w+|[^\w\s]+
    whitespace_split, // what stands between white space
    bert,             // between white space, and each punctuation mark alone
    punctuation,      // each punctuation mark alone, and what stands between
};

struct CharacterRange {
    std::size_t begin, end; // characters of the text
    bool operator==(const CharacterRange&) const = default;
};

// The pieces of these pieces, in order, none empty.
std::vector<CharacterRange> split(std::u32string_view text, const std::vector<CharacterRange>& pieces,
                                  Splitting step);

} // namespace headlight
