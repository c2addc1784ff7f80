// Teacher forcing: the decoder is fed given words, whatever it would have said, and judged at each place.
#pragma once

#include "engine/decode/writing.h"

#include <array>
#include <span>
#include <vector>

namespace headlight {

struct ForcedWord {
    TokenId wanted = 0;
    double log_probability = 0; // ln p of the word that was wanted
    TokenId said = 0;           // what the model finds most probable there
    double said_log_probability = 0;
};

// In one pass, fed `fed` (words of an answer, without an end), what it finds of `wanted`, which has one word
// more: wanted[t] is judged after fed[0 … t − 1].
std::vector<ForcedWord> judge_words(Model& model, std::span<const TokenId> source,
                                    std::span<const TokenId> fed, std::span<const TokenId> wanted);
// The words themselves fed, and then the end wanted.
std::vector<ForcedWord> judge_words(Model& model, std::span<const TokenId> source,
                                    std::span<const TokenId> words);

// What wrong words do to those after them (exposure: Ranzato et al. 2016). The right answers of many
// sentences are fed with none to three words, from the second on, in whose place stands what the model finds
// most probable of all wrong words.
class SpreadOfErrors {
public:
    static constexpr Index most_wrong = 3, most_after = 6;

    // `right`: the words of its answer, without an end. A sentence too short for three wrong words and one
    // after them is left out.
    void add(Model& model, std::span<const TokenId> source, std::span<const TokenId> right);

    Index sentences() const { return sentences_; }
    // The mean probability of the right word `after` places behind the last wrong one (from 1 on); with no
    // wrong one, behind the first word. None where no sentence was long enough.
    std::optional<double> probability(Index wrong, Index after) const;

private:
    struct Mean {
        double sum = 0;
        Index count = 0;
    };
    std::array<std::array<Mean, most_after>, most_wrong + 1> means_{};
    Index sentences_ = 0;
};

} // namespace headlight
