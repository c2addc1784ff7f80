// Predictions against the model at hand.
#include "app/lessons/player.h"
#include "app/session/value_names.h"
#include "engine/inspect/numbers.h"
#include "engine/text/unicode.h"
#include "engine/text/words.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

Result<const Node*> node_with(const LessonCell& cell, const Session& session) {
    const Node* node = session.find(cell.path);
    if (!node) return no_such_value(cell.path, session.at_hand());
    const Shape& shape = node->shape();
    if (cell.cell.batch >= shape.batch || cell.cell.row >= shape.rows || cell.cell.column >= shape.columns)
        return Error{"error.no_such_cell", {cell.path, to_string(shape)}};
    return node;
}

} // namespace

Result<double> number_asked(const LessonPrediction& prediction, const Session& session) {
    const Result<const Node*> node = node_with(prediction.cell, session);
    if (!node) return node.error();
    const Cell& c = prediction.cell.cell;
    return double((*node)->value(c.batch, c.row, c.column));
}

// Where the lesson does not say how near: a twentieth of it, or a hundredth.
bool is_near(const LessonPrediction& prediction, double number, double truth) {
    const double within = prediction.within.value_or(std::max(std::abs(truth) * 0.05, 0.01));
    return std::abs(number - truth) <= within + 1e-9;
}

Result<LargestCell> largest_cell(const LessonPrediction& prediction, const Session& session) {
    const Result<const Node*> node = node_with(prediction.cell, session);
    if (!node) return node.error();
    const Cell& c = prediction.cell.cell;
    const Real* row = (*node)->value.row(c.batch, c.row);
    const Index columns = (*node)->value.columns();
    LargestCell largest;
    for (Index i = 1; i < columns; ++i)
        if (row[i] > row[largest.column]) largest.column = i;
    double next = -INFINITY;
    for (Index i = 0; i < columns; ++i)
        if (i != largest.column) next = std::max(next, double(row[i]));
    largest.lead = double(row[largest.column]) - next;
    return largest;
}

Result<std::size_t> right_choice(const LessonPrediction& prediction, const Session& session) {
    std::size_t right = 0, count = 0;
    for (std::size_t i = 0; i < prediction.choices.size(); ++i) {
        const LessonChoice& choice = prediction.choices[i];
        bool is_right = choice.is_right;
        if (choice.right_if) {
            const Result<bool> asked = holds(*choice.right_if, session);
            if (!asked) return asked.error();
            is_right = *asked;
        }
        if (!is_right) continue;
        right = i;
        ++count;
    }
    if (count != 1)
        return Error{"error.lesson_right_now", {std::to_string(count), session.sentence().output}};
    return right;
}

std::optional<std::size_t> LessonPlayer::kept_choice(std::size_t card, std::size_t prediction) const {
    const auto found = kept_.find({card, prediction});
    return found == kept_.end() ? std::nullopt : std::optional(found->second);
}

void LessonPlayer::judge_kept() {
    const auto open = open_prediction();
    const auto kept = open ? kept_choice(card_, *open) : std::nullopt;
    if (kept && !counts_hands_ && right_choice(card().predictions[*open], session_)) (void)choose(*kept);
}

// The truth without an answer: for a class whose hands were counted, and for whoever gives up.
Result<Done> LessonPlayer::reveal() {
    const auto open = open_prediction();
    if (!open) return Error{"error.lesson_no_question", {}};
    const LessonPrediction& p = card().predictions[*open];
    LessonAnswer answer;
    answer.given = false;
    switch (p.kind) {
    case LessonPrediction::Kind::number: {
        const Result<double> truth = number_asked(p, session_);
        if (!truth) return truth.error();
        answer.number = NAN;
        answer.truth = *truth;
        break;
    }
    case LessonPrediction::Kind::cell: {
        const Result<LargestCell> largest = largest_cell(p, session_);
        if (!largest) return largest.error();
        answer.right_column = largest->column;
        break;
    }
    case LessonPrediction::Kind::choice: {
        const Result<std::size_t> right = right_choice(p, session_);
        if (!right) return right.error();
        const std::vector<int> counted = hands(*open);
        answer.right_choice = *right;
        answer.choice = counted.empty()
                            ? p.choices.size()
                            : std::size_t(std::max_element(counted.begin(), counted.end()) - counted.begin());
        answer.is_right = answer.choice == *right;
        answer.given = !counted.empty();
        break;
    }
    }
    record(answer);
    return Done{};
}

// What nobody has trained yet has no answer: that is said once, or not to who has predicted; then the card
// may be left.
Result<Done> LessonPlayer::forward() {
    const auto turn = [&] { return session_.commands().execute("lesson card next"); };
    const auto open = open_prediction();
    if (!open || told_not_yet_ == card_) return turn();
    const bool is_kept = kept_choice(card_, *open).has_value();
    const Result<Done> shown = reveal();
    if (shown || shown.error().key != "error.lesson_not_yet") return shown;
    if (is_kept) return turn();
    told_not_yet_ = card_;
    return shown;
}

// A class that answers together.

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
