// What text is searched for: a text to the letter, or a regular expression of Unicode characters.
#pragma once

#include "engine/base/result.h"
#include "engine/text/splitting.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

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
