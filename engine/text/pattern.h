#pragma once

#include "engine/base/result.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// The ways of cutting a text that need no pattern: each is a pre-tokenizer of Hugging Face `tokenizers`, read
// character by character.

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

// What text is searched for: a text to the letter, or a regular expression of Unicode characters.

// A value: copies share the compiled expression, which never changes and may be used by several threads.
class Pattern {
public:
    static Pattern text(std::string text); // not empty
    // In the dialect of Oniguruma, with which Hugging Face `tokenizers` compiles: ^ and $ at every line, the
    // dot no newline; \s, \w, \d and \p{…} of Unicode. Errors name `file`, the expression and what is wrong.
    static Result<Pattern> regex(std::string expression, const std::string& file);

    const std::string& source() const { return source_; }
    bool is_regex() const { return compiled_ != nullptr; }
    bool may_match_nothing() const; // between two characters, say

    // Where it stands in the text, in order, none over another; an expression may also match nothing
    // somewhere. An expression that needs more than a million steps for one place is given up there:
    // `gave_up` becomes true, and what was found before stands.
    std::vector<CharacterRange> find(std::u32string_view text, bool& gave_up) const;

    bool operator==(const Pattern& other) const {
        return source_ == other.source_ && is_regex() == other.is_regex();
    }

private:
    struct Compiled;
    std::string source_;
    std::u32string characters_; // of a text
    std::shared_ptr<const Compiled> compiled_;
};

} // namespace headlight
