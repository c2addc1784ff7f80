// How a normalised text is cut into the words (pre-tokens) that the model then takes apart one by one. Some
// steps change the text as well: they put a space in front, write spaces as ▁, or bytes as characters.
#pragma once

#include "engine/text/normalization.h"
#include "engine/text/pattern.h"

#include <variant>

namespace headlight {

// What becomes of the places that a pattern finds (“delimiters”), and of what stands between them.
enum class SplitBehavior {
    removed,              // the places are left out
    isolated,             // places and the rest are words alike
    merged_with_previous, // a place belongs to the word before it
    merged_with_next,     // or to the one after it
    contiguous,           // as isolated, but places that touch are one word
};

struct PatternSplit {
    Pattern pattern;
    SplitBehavior behavior = SplitBehavior::isolated;
    bool invert = false; // what stands between the places is what was found
    bool operator==(const PatternSplit&) const = default;
};

struct ClassSplit {
    enum class Of { digits, punctuation, white_space };
    Of of = Of::digits; // each character of the class is a place
    SplitBehavior behavior = SplitBehavior::isolated;
    bool operator==(const ClassSplit&) const = default;
};

// GPT-2: words by `pattern`, then each byte a character of its own alphabet; see bpe.h.
struct ByteLevel {
    bool add_prefix_space = true;   // unless one is there
    std::optional<Pattern> pattern; // nothing: the words are those of the steps before
    bool operator==(const ByteLevel&) const = default;
};

// SentencePiece in Hugging Face's words: spaces become ▁, one is put in front, and each begins a word.
struct Metaspace {
    enum class Prepend { always, first, never }; // first: only where the typed text begins
    char32_t replacement = U'▁';
    Prepend prepend = Prepend::always;
    bool split = true;
    bool operator==(const Metaspace&) const = default;
};

using PreTokenization = std::variant<Splitting, PatternSplit, ClassSplit, ByteLevel, Metaspace>;

// A text and the words in it, in order, none empty.
struct CutText {
    AlignedText text;
    std::vector<CharacterRange> words;
};

// The steps one after another, each on the words of the one before; without any the whole text is one word.
// `begins`: the text stands at the beginning of what was typed. `gave_up`: see Pattern.
CutText cut_words(AlignedText text, const std::vector<PreTokenization>& steps, bool begins, bool& gave_up);

// The expression of GPT-2 and ByteLevel, and those of two families that come without a tokenizer.json.
constexpr const char* gpt2_pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
constexpr const char* qwen2_pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

} // namespace headlight
