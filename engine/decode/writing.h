#pragma once

#include "engine/graph/growing_pass.h"
#include "engine/model/transformer.h"
#include "engine/tensor/real.h"
#include "engine/text/vocabulary.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headlight {

// How the next word is chosen from what the model finds probable: the most probable one, or a draw.

// What a draw is made from: softmax(z / temperature), of which the top_k most probable words are left, and of
// these the fewest whose probabilities sum to top_p or more (Holtzman et al. 2020, §3.1); what is left is
// scaled to a sum of 1. In the limit of temperature 0 all is on the most probable word; the most probable
// word is never cut off.
struct Sampling {
    double temperature = 1;
    Index top_k = 0; // 0: all
    double top_p = 1;

    bool changes_nothing() const { return temperature == 1 && top_k == 0 && top_p == 1; }
    bool operator==(const Sampling&) const = default;
};

// softmax(logits), words that are `never` said left out (0).
std::vector<double> probabilities_of(std::span<const Real> logits, std::span<const TokenId> never = {});
// What is drawn from, one number a word: exactly 0 where it was cut off.
std::vector<double> drawn_from(std::span<const Real> logits, const Sampling& sampling,
                               std::span<const TokenId> never = {});

// A number in [0, 1) for each place of an answer, the same for the same seed: another choice before it draws
// no other number after it.
double chance(std::uint64_t seed, Index place);
// The word at which the probabilities, summed in order of the vocabulary, exceed u.
TokenId draw(std::span<const double> probabilities, double u);

// log Σ exp(logits); the logarithm of softmax(logits) at a word.
double log_sum_exp(std::span<const Real> logits);
double log_probability_of(std::span<const Real> logits, TokenId word);

// Of equals the first. At least one word may be said.
TokenId most_probable(std::span<const Real> logits, std::span<const TokenId> never = {});

// The model while it writes: beginnings of an answer side by side, and for each of them the logits of its
// next word.

// What one pass of the decoder cost.
struct PassCost {
    Index rows = 0;            // computed: of each projection to keys and values, too
    Index scores = 0;          // of one head, where the mask allows them
    Index multiplications = 0; // in products of matrices, of all that was computed
    double seconds = 0;
};

// Which pass of the loop computes what.
enum class Caching {
    as_possible, // what was computed for earlier words is read again, unless that cannot be (GrowingPass)
    none,        // every pass computes all of its rows, the encoder's too
};

struct Continuation {
    Index beginning = 0; // which goes on
    TokenId word = 0;
};

class Writing {
public:
    // `source`: as greedy_decode takes it; `begun`: words that the answer begins with, of
    // which as many are taken as leave room for one more to be fed. Computes the first
    // pass. There is a stream that is written.
    Writing(Model& model, std::span<const TokenId> source, std::span<const TokenId> begun = {},
            Caching caching = Caching::as_possible);
    ~Writing();

    Index beginnings() const { return Index(fed_.size()); }
    const std::vector<TokenId>& fed(Index beginning) const { return fed_[std::size_t(beginning)]; }
    // The words of a beginning that were said, `begun` among them.
    std::vector<TokenId> words(Index beginning) const;
    std::span<const Real> logits(Index beginning) const; // of its next word
    // After the first pass: of the word that is `back` before the next of the only beginning.
    std::span<const Real> logits_before(Index back) const;
    const Stream& target() const { return *model_.map.target(); }

    // How many words an answer has at most, `begun` among them; `asked`: no more than so many, 0: what is
    // usual for the model. The last of them need not have room to be fed.
    Index most_words(Index asked = 0) const;

    // Beginning i goes on from what nexts[i].beginning was, with one more word.
    void go_on(std::span<const Continuation> nexts);

    bool is_cached() const { return growing_ != nullptr; }
    const PassCost& cost() const { return cost_; } // of the last pass

    // The graph holds the values of one whole pass, in which it was fed these words of an answer, as far as
    // they have room; its goal is to say them, and then the end.
    void leave(std::span<const TokenId> words);

private:
    void feed_source(Index beginnings);
    void feed_with_goal(const std::vector<TokenId>& fed);
    void compute();
    void compute_each();

    Model& model_;
    std::vector<TokenId> source_;
    std::size_t before_ = 0; // tokens fed before the words of the answer
    std::vector<std::vector<TokenId>> fed_;
    std::unique_ptr<GrowingPass> growing_; // null: whole passes
    bool computes_all_ = false;
    Index passes_ = 0;
    std::vector<Real> logits_; // of each beginning, where they are computed one after another
    PassCost cost_;
};

// What is fed of a stream that is written before anything is said: what stands around its words and, where
// nothing is only read, the words that are continued. Never empty where there is a word to begin with.
std::vector<TokenId> beginning(const ModelMap& map, std::span<const TokenId> source);

} // namespace headlight
