#pragma once

#include "engine/text/token_model.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight {

// Tables that tokenizers ask at every character: pairs of numbers, and byte strings by their beginnings.

// Pair of 32-bit numbers → number. Open addressing: a merge table of 150,000 pairs is made in milliseconds.
class PairTable {
public:
    void reserve(std::size_t pairs);
    std::uint32_t& at(std::uint32_t first, std::uint32_t second); // made, as 0, when it is not there
    const std::uint32_t* find(std::uint32_t first, std::uint32_t second) const; // null: not there

private:
    struct Slot {
        std::uint64_t key;
        std::uint32_t value;
        bool used = false;
    };
    std::size_t place(std::uint64_t key) const;
    std::vector<Slot> slots_; // a power of two of them, at most half used
    std::size_t used_ = 0;
};

// Byte strings with a number each, walked a byte at a time from the root, node 0.
class PrefixTree {
public:
    static constexpr std::uint32_t nowhere = 0xFFFFFFFF;

    void insert(std::string_view text, std::uint32_t value); // a text that is there already keeps the new one
    std::uint32_t child(std::uint32_t node, char byte) const; // nowhere: no text goes on like that
    std::uint32_t value(std::uint32_t node) const { return values_[node]; } // nowhere: no text ends here
    // Length and number of the longest text that begins `text`; length 0: none does.
    std::pair<std::size_t, std::uint32_t> longest_prefix(std::string_view text) const;
    bool empty() const { return values_.size() == 1; }

private:
    PairTable children_; // node and byte → node
    std::vector<std::uint32_t> values_ = {nowhere};
};

// Unigram language model (Kudo 2018, arXiv 1804.10959): of all ways to cut a word into pieces, the one whose
// scores (log-probabilities) have the greatest sum, found by Viterbi's algorithm.

// What happened to one word: every piece that fits somewhere in it, and the best way to each position.
struct UnigramFilm {
    struct Candidate {
        std::uint32_t begin, end; // characters of the word
        TokenId id;
        double score;
        double sum; // the best score of what is before it, and its own
        bool known;
        bool is_best = false; // of all that end where it ends
        bool on_path = false; // it is one of the result's
    };
    std::vector<Candidate> candidates; // by where they begin, short ones first
    std::vector<double> best_sum;      // at each position, from 0 to the word's length
};

class Unigram {
public:
    struct Piece {
        double score = 0;
        TokenId id = no_token; // in the vocabulary
        bool user_defined = false;
        bool operator==(const Piece&) const = default;
    };
    struct Options {
        TokenId unknown = no_token;    // no_token: a character without a piece is dropped
        double unknown_score = 0;      // of such a character
        bool byte_fallback = false;    // it becomes its bytes
        bool single_precision = false; // sums as SentencePiece rounds them: float
        double greatest_score = 0;     // of all pieces; user-defined ones score by their length and this
        bool operator==(const Options&) const = default;
    };
    Unigram() = default;
    // `texts[i]` is the text of pieces[i], not empty. Scores are finite.
    Unigram(const Options& options, std::vector<std::string> texts, std::vector<Piece> pieces,
            const Vocabulary& vocabulary);

    // A run of unknown characters is one token.
    void encode(const ModelWord& word, const Vocabulary& vocabulary, std::vector<ModelToken>& tokens,
                UnigramFilm* film = nullptr) const;

    const Options& options() const { return options_; }
    bool operator==(const Unigram& other) const {
        return options_ == other.options_ && texts_ == other.texts_ && pieces_ == other.pieces_;
    }

private:
    double score_of(const Piece& piece, std::size_t bytes) const;

    Options options_;
    std::vector<std::string> texts_;
    std::vector<Piece> pieces_;
    PrefixTree tree_; // text → place in `pieces_`
    ByteFallback fallback_;
};

} // namespace headlight
