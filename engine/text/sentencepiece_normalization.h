// How SentencePiece prepares a text (normalizer.cc): its table of characters, white space, the ▁ in front.
#pragma once

#include "engine/text/normalization.h"
#include "engine/text/prefix_tree.h"

namespace headlight {

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
