#include "app/lessons/votes.h"

#include "engine/text/words.h"

#include <algorithm>

namespace headlight {

const VoteCount& Votes::of(Question question) const {
    static const VoteCount none;
    const auto found = counts_.find(question);
    return found == counts_.end() ? none : found->second;
}

void Votes::put(Question question, VoteCount count) {
    before_.emplace_back(question, std::exchange(counts_[question], std::move(count)));
}

void Votes::undo() {
    if (before_.empty()) return;
    counts_[before_.back().first] = std::move(before_.back().second);
    before_.pop_back();
}

void Votes::forget_card(std::size_t card) {
    std::erase_if(counts_, [&](const auto& entry) { return entry.first.first == card; });
    std::erase_if(before_, [&](const auto& entry) { return entry.first.first == card; });
}

Result<VoteCount> read_votes(std::string_view text, VoteCount counted,
                             const std::function<std::optional<double>(std::string_view)>& answer_of) {
    constexpr long most = 100'000;
    std::string blanks(text); // "1=23, 2=5": a comma that a blank follows is none of a number's
    for (std::size_t i = 0; i < blanks.size(); ++i)
        if (blanks[i] == ';' || (blanks[i] == ',' && (i + 1 == blanks.size() || blanks[i + 1] == ' ')))
            blanks[i] = ' ';
    for (const std::string& word : words_of(blanks)) {
        const std::size_t sign = word.rfind('=');
        const std::string said = word.substr(0, sign);
        const std::optional<double> answer = answer_of(said);
        if (!answer) return Error{"error.lesson_vote", {word}};
        if (sign == word.npos) {
            ++counted[*answer];
            continue;
        }
        const Result<long> hands = whole_number_of(word.substr(sign + 1));
        if (!hands || *hands < 0 || *hands > most) return Error{"error.lesson_vote", {word}};
        if (*hands == 0)
            counted.erase(*answer);
        else
            counted[*answer] = int(*hands);
    }
    return counted;
}

} // namespace headlight
