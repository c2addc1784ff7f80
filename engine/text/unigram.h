// Unigram language model (Kudo 2018, arXiv 1804.10959): of all ways to cut a word into pieces, the one whose
// scores (log-probabilities) have the greatest sum, found by Viterbi's algorithm.
#pragma once

#include "engine/text/prefix_tree.h"
#include "engine/text/token_model.h"

namespace headlight {

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
