// A class that answers together.
#include "app/lessons/player.h"
#include "app/session/value_names.h"
#include "engine/inspect/numbers.h"
#include "engine/text/unicode.h"
#include "engine/text/words.h"

namespace headlight {

std::vector<int> LessonPlayer::hands(std::size_t prediction) const {
    const VoteCount& counted = votes(prediction);
    if (counted.empty()) return {};
    std::vector<int> hands(card().predictions[prediction].choices.size());
    for (const auto& [choice, number] : counted)
        if (std::size_t(choice) < hands.size()) hands[std::size_t(choice)] = number;
    return hands;
}

// How a class says it: the number of a choice; a number; a word of the row, or its place.
Result<Done> LessonPlayer::vote(std::string_view text) {
    const auto open = open_prediction();
    if (!open) return Error{"error.lesson_no_question", {}};
    const LessonPrediction& p = card().predictions[*open];
    const auto place_among = [](std::string_view said, std::size_t all) -> std::optional<double> {
        const Result<long> place = whole_number_of(std::string(said));
        if (!place || *place < 1 || std::size_t(*place) > all) return {};
        return double(*place - 1);
    };
    const auto answer_of = [&](std::string_view said) -> std::optional<double> {
        if (p.kind == LessonPrediction::Kind::choice) return place_among(said, p.choices.size());
        if (p.kind == LessonPrediction::Kind::number) {
            const Result<double> number = number_of(typed_number(std::string(said)));
            return number ? std::optional<double>(*number) : std::nullopt;
        }
        const Node* node = session_.find(p.cell.path);
        if (!node) return {};
        const std::vector<std::string> words = axis_labels(session_, *node, false);
        for (std::size_t i = 0; i < words.size(); ++i)
            if (folded(words[i]) == folded(said)) return double(i);
        return place_among(said, std::size_t(node->value.columns()));
    };
    Result<VoteCount> count = read_votes(text, votes(*open), answer_of);
    if (!count) return count.error();
    counts_hands_ = true;
    votes_.put({card_, *open}, *std::move(count));
    cover();
    return Done{};
}

} // namespace headlight
