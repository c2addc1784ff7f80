#pragma once

#include "engine/text/vocabulary.h"

namespace headlight {

// What the models have in common: a word goes in, tokens come out.

// A word (pre-token) as models see it: its bytes, and where its characters begin among them.
struct ModelWord {
    explicit ModelWord(std::u32string_view word);

    std::string bytes;                 // UTF-8
    std::vector<std::uint32_t> starts; // byte of each character, and of the end

    std::size_t size() const { return starts.size() - 1; } // characters
    std::string_view part(std::size_t begin, std::size_t end) const {
        return std::string_view(bytes).substr(starts[begin], starts[end] - starts[begin]);
    }
};

struct ModelToken {
    TokenId id;
    std::uint32_t begin, end;         // characters of the word
    bool known = true;                // false: id is that of the unknown token
    std::uint8_t byte = 0, bytes = 0; // bytes > 0: the token is this byte of so many that the characters have
};

// The tokens <0x00> … <0xFF>, which stand for the bytes of characters that have no token.
class ByteFallback {
public:
    ByteFallback() = default;
    explicit ByteFallback(const Vocabulary& vocabulary);

    // Appends a token for each byte of characters [begin, end); false: one of them is missing, nothing is
    // added.
    bool append(const ModelWord& word, std::uint32_t begin, std::uint32_t end,
                std::vector<ModelToken>& tokens) const;
    bool operator==(const ByteFallback&) const = default;

private:
    std::vector<TokenId> ids_; // of all bytes, or none
};

// WordPiece: a word is taken apart from the left, each time the longest piece that the vocabulary has.

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
