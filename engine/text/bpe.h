#pragma once

#include "engine/text/token_model.h"
#include "engine/text/unigram.h"

#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace headlight {

// The alphabet of byte-level tokenizers (GPT-2): every byte is one visible character. Bytes 33–126, 161–172
// and 174–255 are the character of the same number, the other 68 are U+0100 and on: a space is Ġ.

char32_t byte_character(unsigned char byte);
std::optional<unsigned char> byte_of(char32_t character); // nothing: no character of the alphabet

// The bytes that a token of this alphabet stands for; one with a character from outside stands for itself.
std::string bytes_of_token(std::string_view token);

// “<0xC3>”, how tokenizers with byte fallback call a byte that no token of theirs holds.
std::string fallback_token(unsigned char byte);
std::optional<unsigned char> fallback_byte(std::string_view token); // nothing: another token

// Byte-pair encoding (Sennrich et al. 2016, arXiv 1508.07909): a word begins as its characters, and again and
// again the pair of neighbours that was merged first in training is joined.

struct BpeSymbol {
    TokenId id;               // no_token: nothing of its own in the vocabulary (SentencePiece only)
    std::uint32_t begin, end; // characters of the word
    bool known = true;
    std::uint8_t byte = 0, bytes = 0; // see ModelToken
    bool frozen = false;              // is joined with nothing
};

// What happened to one word.
struct BpeFilm {
    struct Merge {
        std::size_t left; // place among the symbols of that moment; its neighbour at the right joins it
        TokenId result;
        double rank; // lower goes first: the place among the merges, or, of SentencePiece, minus the score
    };
    std::vector<BpeSymbol> symbols; // to begin with
    std::vector<Merge> merges;      // in the order in which they were made
    bool whole = false;             // the word was in the vocabulary and taken as it is (ignore_merges)

    std::vector<BpeSymbol> symbols_after(std::size_t merges) const; // that many merges made
};

struct BpeOptions {
    TokenId unknown = no_token; // no_token: a character without a token is dropped
    bool byte_fallback = false; // or becomes its bytes
    bool fuse_unknown = false;  // a run of unknown characters is one token
    bool ignore_merges = false; // a word of the vocabulary is taken as it is
    bool operator==(const BpeOptions&) const = default;
};

class Bpe {
public:
    struct Pair {
        TokenId left, right, result;
        bool operator==(const Pair&) const = default;
    };
    Bpe() = default;
    // Merges by rank; of a pair that stands twice the later place counts, as in the library.
    Bpe(const BpeOptions& options, std::vector<Pair> merges, const Vocabulary& vocabulary);

    // SentencePiece: any neighbours join whose text is a piece, the highest score first.
    enum class PieceKind : std::uint8_t { normal, user_defined, unused, other };
    struct Piece {
        float score = 0;
        PieceKind kind = PieceKind::other; // other: no text becomes it
        bool operator==(const Piece&) const = default;
    };
    static Bpe of_pieces(const BpeOptions& options, std::vector<Piece> pieces, const Vocabulary& vocabulary);

    // n characters take O(n log n).
    void encode(const ModelWord& word, const Vocabulary& vocabulary, std::vector<ModelToken>& tokens,
                BpeFilm* film = nullptr) const;

    // What each symbol and its neighbour at the right would become, and when; `symbols` are of that word.
    // None of them: they are not joined.
    struct Candidate {
        TokenId result = no_token;
        double rank = 0; // as in BpeFilm::Merge
    };
    std::vector<Candidate> candidates(const ModelWord& word, const Vocabulary& vocabulary,
                                      const std::vector<BpeSymbol>& symbols) const;

    const BpeOptions& options() const { return options_; }
    bool of_scores() const { return !pieces_.empty(); } // SentencePiece: ranks are minus the pieces' scores
    const std::vector<Pair>& merges() const { return merges_; }
    bool operator==(const Bpe& other) const {
        return options_ == other.options_ && merges_ == other.merges_ && pieces_ == other.pieces_;
    }

private:
    class Joining;
    Candidate find(const ModelWord& word, const Vocabulary& vocabulary, const BpeSymbol& left,
                   const BpeSymbol& right) const;
    std::vector<BpeSymbol> symbols_of(const ModelWord& word, const Vocabulary& vocabulary) const;
    std::vector<BpeSymbol> piece_symbols_of(const ModelWord& word, const Vocabulary& vocabulary) const;
    TokenId piece_of(std::string_view text, const Vocabulary& vocabulary) const;

    BpeOptions options_;
    std::vector<Pair> merges_;  // by rank
    PairTable ranks_;           // left, right → rank
    std::vector<Piece> pieces_; // by id; not empty: SentencePiece
    PrefixTree user_defined_;
    ByteFallback fallback_;
};

} // namespace headlight
