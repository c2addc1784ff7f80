#pragma once

#include "engine/text/pattern.h"
#include "engine/text/unigram.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// The table by which SentencePiece normalises text: what a sequence of bytes is replaced by.

// “precompiled_charsmap”: u32 n, n bytes of a double-array trie (Darts: u32 units), then the replacements,
// each ended by a zero byte. All of it little-endian, and none of it believed: a walk that would leave the
// table finds nothing. A value: copies share the table.
class Charsmap {
public:
    Charsmap() = default;                                         // replaces nothing
    static std::optional<Charsmap> from_bytes(std::string bytes); // nothing: sizes that cannot be

    struct Match {
        std::size_t length = 0;       // bytes of the text; 0: nothing is replaced here
        std::string_view replacement; // UTF-8, if the table's maker kept to it
    };
    Match longest(std::string_view text) const;  // as SentencePiece looks
    Match shortest(std::string_view text) const; // as Hugging Face `tokenizers` looks

    std::string_view bytes() const;
    std::size_t longest_replacement() const { return longest_replacement_; } // bytes
    bool operator==(const Charsmap& other) const { return bytes() == other.bytes(); }

private:
    std::uint32_t unit(std::size_t place) const;
    template <class OnMatch>
    void walk(std::string_view text, OnMatch on_match) const;

    std::shared_ptr<const std::string> bytes_; // the whole table; null: empty
    std::size_t units_ = 0;
    std::size_t longest_replacement_ = 0;
};

// What is done to a typed text before it is cut into tokens, and the record of where each character came
// from, so that a token can always be shown as it was typed.

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

// How SentencePiece prepares a text (normalizer.cc): its table of characters, white space, the ▁ in front.

constexpr char32_t visible_space = U'▁'; // stands for a space in the pieces of SentencePiece

// “normalizer_spec” of a model file.
struct SentencepieceRules {
    Charsmap charsmap;
    bool add_dummy_prefix = true;         // a space in front, unless nothing is left
    bool remove_extra_whitespaces = true; // leading, trailing and repeated spaces vanish
    bool escape_whitespaces = true;       // a space becomes ▁

    void keep(std::string piece); // a user-defined piece stays as it is typed
    const PrefixTree& kept() const { return kept_tree_; }
    bool operator==(const SentencepieceRules& other) const;

private:
    std::vector<std::string> kept_;
    PrefixTree kept_tree_;
};

AlignedText normalized(const AlignedText& text, const SentencepieceRules& rules);

// Marian's language token “>>por<<”: it is taken out of the text wherever it stands, the longest there is.
// True when it stood at the very beginning; then `code` is where. Lines are looked at one by one.
bool take_language_codes(AlignedText& text, CharacterRange& code);

} // namespace headlight
