// The hands of a class: how many for each answer to each question, and the way back.
#pragma once

#include "engine/base/result.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight {

// By the answer: a choice's or a column's place from 0, or the number that was said.
using VoteCount = std::map<double, int>;

class Votes {
public:
    using Question = std::pair<std::size_t, std::size_t>; // card, prediction

    const VoteCount& of(Question question) const;
    void put(Question question, VoteCount count); // a step for undo
    void undo();                                  // nothing where nothing was put
    void forget_card(std::size_t card);

private:
    std::map<Question, VoteCount> counts_;
    std::vector<std::pair<Question, VoteCount>> before_; // what was put took the place of this
};

// "1=23 2=5": totals of these answers, in the place of what they had; an answer alone is one hand more.
// `answer_of`: what an answer is called; nothing: nobody can say that. 0 hands: it is taken away.
Result<VoteCount> read_votes(std::string_view text, VoteCount counted,
                             const std::function<std::optional<double>(std::string_view)>& answer_of);

} // namespace headlight
