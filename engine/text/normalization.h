// What is done to a typed text before it is cut into tokens, and the record of where each character came
// from, so that a token can always be shown as it was typed.
#pragma once

#include "engine/text/charsmap.h"
#include "engine/text/pattern.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

struct AlignedText {
    struct Origin {
        std::size_t begin, end; // bytes of the typed text
    };
    std::u32string characters;
    std::vector<Origin> origins; // one for each character
};

// The text as it stands; `offset` is that of its first byte in the whole typed text.
AlignedText aligned(std::string_view text, std::size_t offset = 0);

AlignedText slice(const AlignedText& text, std::size_t begin, std::size_t end); // characters [begin, end)

struct SentencepieceRules;

// One step; each but the last is expressible as a normalizer of Hugging Face `tokenizers`.
struct Normalization {
    enum class Kind {
        nfc,
        nfd,
        nfkc,
        nfkd,
        lowercase,
        strip_accents,    // removes marks; it composes and decomposes nothing
        replace,          // every `from` becomes `to`
        replace_pattern,  // whatever `pattern` finds becomes `to`
        prepend,          // `to` in front, unless there is nothing
        strip,            // white space at the ends removed: `left`, `right`
        clean_text,       // BERT: control characters removed, any white space a space
        space_ideographs, // BERT: a space before and after each ideograph
        bert_accents,     // BERT: decomposed (NFD), then non-spacing marks removed
        charsmap,         // each grapheme by `charsmap`, as Hugging Face applies SentencePiece's table
        sentencepiece,    // all that SentencePiece does: `sentencepiece`
    };
    Kind kind = Kind::nfc;
    std::u32string from = {}, to = {}; // `from` is not empty
    std::optional<Pattern> pattern = {};
    bool left = true, right = true;
    Charsmap charsmap = {};
    std::shared_ptr<const SentencepieceRules> sentencepiece = {};

    bool operator==(const Normalization& other) const;
};

// `gave_up` becomes true where a pattern needed too many steps; see Pattern.
void apply(const Normalization& step, AlignedText& text, bool& gave_up);

} // namespace headlight
