// WordPiece: a word is taken apart from the left, each time the longest piece that the vocabulary has.
#pragma once

#include "engine/text/token_model.h"

namespace headlight {

// What happened to one word: every beginning that was tried, longest first, until one was found.
struct WordPieceFilm {
    struct Attempt {
        std::uint32_t begin, end; // characters of the word
        std::string piece;        // as it was looked up: “##ing”
        bool found;
    };
    std::vector<Attempt> attempts;
    bool too_long = false; // more characters than the model takes: unknown, nothing tried
};

struct WordPiece {
    TokenId unknown = no_token;
    std::string prefix = "##";      // of every piece but the first
    std::size_t longest_word = 100; // characters
    std::size_t longest_token = 0;  // bytes: longer beginnings are not tried, the vocabulary has none

    static std::size_t longest_token_of(const Vocabulary& vocabulary);
    // One missing piece makes the whole word unknown.
    void encode(const ModelWord& word, const Vocabulary& vocabulary, std::vector<ModelToken>& tokens,
                WordPieceFilm* film = nullptr) const;
    bool operator==(const WordPiece&) const = default;
};

} // namespace headlight
