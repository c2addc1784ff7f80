// Finding the tokens that are recognised whole, before the text between them is cut.
#pragma once

#include "engine/text/normalization.h"
#include "engine/text/prefix_tree.h"
#include "engine/text/vocabulary.h"

namespace headlight {

// Two searches: tokens with `normalized` false in the text as typed, the others in what the normalizer made
// of the rest. In each the leftmost is taken, and of those that begin there the longest.
class AddedTokens {
public:
    AddedTokens() = default;
    AddedTokens(const Vocabulary& vocabulary, const std::vector<Normalization>& normalizer);

    struct Match {
        CharacterRange range; // characters of the text, with the white space that the token takes along
        TokenId id;
    };
    std::vector<Match> find_typed(const AlignedText& text) const { return typed_.find(text); }
    std::vector<Match> find_normalized(const AlignedText& text) const { return normalized_.find(text); }

private:
    struct Search {
        std::vector<AddedToken> tokens;
        PrefixTree tree; // text → place in `tokens`
        void add(const AddedToken& token, std::string_view text);
        std::vector<Match> find(const AlignedText& text) const;
    };
    Search typed_, normalized_;
};

} // namespace headlight
