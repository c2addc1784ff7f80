// Beam search: several beginnings of an answer are kept side by side, because the most probable first word
// does not always begin the most probable sentence.
#pragma once

#include "engine/decode/writing.h"

#include <atomic>
#include <span>
#include <vector>

namespace headlight {

struct Beam {
    Index width = 1;
    // Of answers that ended that one wins whose Σ ln p / words^penalty is highest (</s> is a word): 0 prefers
    // short ones, 1 compares the mean of a word, more prefers long ones.
    double length_penalty = 1;
    // It is over as soon as `width` have ended, whatever still goes on: quicker, and a wide beam then often
    // ends in a short answer before the right one is said.
    bool is_hasty = false;
    std::vector<TokenId> begun = {}; // words that every answer begins with
    Index most_words = 0;            // 0: what is usual for the model
    // Once it is true, the best beginnings are answers as they are after one more word.
    const std::atomic<bool>* stop = nullptr;
    Index most_multiplications = 0; // after the first pass; then as if it were stopped. 0: all it takes
};

// All that a search looked at closely: a tree of words, from <s> on.
struct BeamTree {
    enum class Fate {
        kept,   // among the `width` best of its step: it goes on
        ended,  // likewise, and said </s>, had no room for more or was stopped: an answer
        pruned, // among the next `width` best: what the rule cut off
    };
    struct Branch {
        Index parent = -1; // −1: what the answer begins with
        TokenId word = 0;
        double log_probability = 0; // ln p of the word where it was said
        double sum = 0;             // of it and all words before it, those that were begun with left out
        Index words = 0;            // said so far, it included
        Fate fate = Fate::kept;
    };
    std::vector<Branch> branches; // step by step, the best of a step first
    Index steps = 0;
    Index begun = 0;     // words that it began with
    bool is_cut = false; // it was stopped while something went on

    // Σ ln p / words^penalty.
    double score(Index branch, double length_penalty) const;
    // Answers, the best first; of equals, the one that ended first.
    std::vector<Index> answers(double length_penalty) const;
    std::vector<Index> path(Index branch) const; // from the first word on
};

// Keeps the `width` most probable beginnings of each step, until as many have ended and the best of those
// that go on scores no better than the worst of the best `width` that ended, or the target is full. A width
// of 1 is greedy decoding. In portions: a word of every beginning at a time, for who has something else to do
// meanwhile.
class BeamSearch {
public:
    // Goes on from what `writing`, just made of `beam.begun`, has computed; it stays where it is as long as
    // this one lives.
    BeamSearch(Writing& writing, const Beam& beam);

    bool is_over() const { return is_over_; }
    void look_further() { look(false); } // and computes what the word after it needs
    void stop() { look(true); }          // after one more word the best beginnings are answers as they are
    const BeamTree& tree() const { return tree_; }
    Index multiplications() const { return multiplications_; } // of what it says: what it is given was read

private:
    void look(bool is_last);
    void end(double score);
    bool may_win(double score) const;

    Writing& writing_;
    Beam beam_;
    Index most_; // words
    BeamTree tree_;
    std::vector<double> sums_{0};
    std::vector<Index> live_{-1}; // the branch that each beginning ends in
    std::vector<double> ended_;   // scores of answers, the best first, no more than the beam is wide
    Index multiplications_ = 0;
    bool is_over_ = false;
};

// The whole search. `source`: as greedy_decode takes it. The encoder runs once; the cache of each beginning
// goes where it goes (Writing).
BeamTree grow_beams(Model& model, std::span<const TokenId> source, const Beam& beam,
                    Caching caching = Caching::as_possible);

// The words of a branch, those that all began with left out, without </s>.
std::vector<TokenId> words_of(const BeamTree& tree, Index branch, const Stream& target);

// The words of the best answer, `beam.begun` among them.
std::vector<TokenId> beam_search(Model& model, std::span<const TokenId> source, const Beam& beam);
std::vector<TokenId> beam_search(Model& model, std::span<const TokenId> source, Index width);

} // namespace headlight
