// What is done to a typed text before it is cut into tokens, and the record of where each character came
// from, so that a token can always be shown as it was typed.
#pragma once

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

// One step; each is expressible as a normalizer of Hugging Face `tokenizers`.
struct Normalization {
    enum class Kind {
        nfc,
        nfd,
        nfkc,
        nfkd,
        lowercase,
        strip_accents,    // removes marks; it composes and decomposes nothing
        replace,          // every `from` becomes `to`
        clean_text,       // BERT: control characters removed, any white space a space
        space_ideographs, // BERT: a space before and after each ideograph
        bert_accents,     // BERT: decomposed (NFD), then non-spacing marks removed
    };
    Kind kind = Kind::nfc;
    std::u32string from = {}, to = {}; // of replace; `from` is not empty

    bool operator==(const Normalization&) const = default;
};

void apply(const Normalization& step, AlignedText& text);

} // namespace headlight
