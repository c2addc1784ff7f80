#include "app/session/weight_curve.h"

#include "app/session/changes.h"
#include "app/session/command.h"
#include "app/session/question.h"
#include "app/session/sentence.h"
#include "app/session/what_if.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace headlight {

namespace {

constexpr std::size_t places_of_curve = 81;

} // namespace

std::string weight_change(const NamedCell& cell, double number) {
    return "cell " + cell.path + " " + std::to_string(cell.cell.batch) + " " + std::to_string(cell.cell.row)
           + " " + std::to_string(cell.cell.column) + " " + exactly(number);
}

Question but_for(const NamedCell& cell, Question question) {
    const std::string place = place_of(weight_change(cell, 0));
    std::erase_if(question.changes, [&](const Change& change) { return place_of(change.text) == place; });
    question.small_pages = {};
    question.batch.reset();
    question.second.reset();
    return question;
}

WeightCurve begin_weight_curve(const NamedCell& cell, const LoadedModel& model) {
    const Node& node = *model.graph().find(cell.path);
    const auto& [batch, row, column] = cell.cell;
    WeightCurve curve{cell, double(node.as_computed()(batch, row, column)), {}, {}};
    const double reach = std::max(1.0, 3 * std::abs(curve.weight));
    for (std::size_t i = 0; i < places_of_curve; ++i)
        curve.places.push_back(curve.weight + reach * (2 * double(i) / double(places_of_curve - 1) - 1));
    return curve;
}

void advance_for(WeightCurve& curve, double seconds, LoadedModel& model, const Sentence& sentence) {
    using Clock = std::chrono::steady_clock;
    const auto begun = Clock::now();
    Model& pass = model.pass(LoadedModel::Pass::moved_weight);
    const auto& [batch, row, column] = curve.cell.cell;
    while (!curve.is_over() && std::chrono::duration<double>(Clock::now() - begun).count() < seconds) {
        std::vector<Edit> edits = model.graph().edits();
        Edit moved;
        moved.path = curve.cell.path;
        moved.region = {batch, row, column};
        moved.number = Real(curve.places[curve.costs.size()]);
        edits.push_back(std::move(moved)); // the last word on it
        pass.graph.set_edits(std::move(edits));
        compute_with_words_of(sentence, sentence.source_ids, pass);
        curve.costs.push_back(float(pass.map.output.loss->value(0, 0, 0)));
    }
}

} // namespace headlight
