// Predictions against the model at hand.
#include "app/lessons/player.h"

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

} // namespace headlight
