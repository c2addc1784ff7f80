#include "app/session/what_if.h"

#include "app/session/question.h"
#include "engine/ops/softmax.h"

#include <utility>

namespace headlight {

namespace {

// Of each word of the goal, in a pass that was fed the words before it.
std::vector<double> probabilities_of(const std::vector<TokenId>& goal, const Model& pass) {
    std::vector<double> probabilities;
    if (!pass.map.output.probabilities) return probabilities;
    for (std::size_t i = 0; i < goal.size(); ++i)
        probabilities.push_back(double(pass.map.output.probabilities->value(0, Index(i), goal[i])));
    return probabilities;
}

void smooth(Model& pass, double label_smoothing) {
    if (pass.map.output.loss) set_label_smoothing(pass.map.output.loss, label_smoothing);
}

double loss_of(const Model& pass) {
    return pass.map.output.loss ? double(pass.map.output.loss->value(0, 0, 0)) : 0;
}

} // namespace

void compute_with_words_of(const Sentence& words, const std::vector<TokenId>& source_ids, Model& pass) {
    Sentence fed = words;
    fed.source_ids = source_ids;
    feed_sentence(fed, pass);
    pass.graph.forward_changes();
}

bool WhatIf::prepare(LoadedModel& model, const std::vector<Change>& changes,
                     const std::optional<std::string>& second, const Waiting& waiting) {
    second_.reset();
    second_graph_ = nullptr;
    if (second) {
        Model& pass = model.pass(LoadedModel::Pass::second_sentence);
        second_ = run_sentence(model.files, pass, *second, std::nullopt, {}, waiting);
        second_graph_ = &pass.graph;
    }
    faults_.assign(changes.size(), std::nullopt);
    std::vector<Edit> all;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        if (!changes[i].on) continue;
        Result<std::vector<Edit>> edits = edits_of(changes[i].text, model, second_graph_);
        if (edits)
            all.insert(all.end(), edits->begin(), edits->end());
        else
            faults_[i] = edits.error();
    }
    std::vector<Edit> of_weights;
    for (const Edit& edit : all)
        if (model.graph().find(edit.path)->is(ValueKind::parameter)) of_weights.push_back(edit);
    model.edit(std::move(all));
    return std::exchange(weight_edits_, of_weights) != of_weights;
}

void WhatIf::compare(LoadedModel& model, const Question& question, const Sentence& changed,
                     const Waiting& waiting) {
    const std::vector<Change>& changes = question.changes;
    comparison_.reset();
    for (std::size_t i = 0; i < changes.size(); ++i) {
        if (!changes[i].on || faults_[i]) continue;
        const Result<std::vector<Edit>> edits = edits_of(changes[i].text, model, second_graph_);
        if (const Result<Done> reached = check_reach(*edits, model.graph()); !reached)
            faults_[i] = reached.error();
    }
    if (model.graph().edits().empty()) return;

    Comparison& comparison = comparison_.emplace();
    Model& unchanged = model.pass(LoadedModel::Pass::unchanged);
    smooth(unchanged, question.label_smoothing);
    comparison.before =
        run_sentence(model.files, unchanged, question.source, question.target, question.generation, waiting);
    comparison.loss_before = loss_of(unchanged);
    comparison.probability_before = probabilities_of(comparison.before.goal_ids, unchanged);

    Model& judged = model.pass(LoadedModel::Pass::judged);
    smooth(judged, question.label_smoothing);
    judged.graph.set_edits(model.graph().edits());
    compute_with_words_of(comparison.before, changed.source_ids, judged);
    comparison.loss_after = loss_of(judged);
    comparison.probability_after = probabilities_of(comparison.before.goal_ids, judged);

    if (comparison.before.target_ids != changed.target_ids)
        compute_with_words_of(changed, changed.source_ids, unchanged);
    comparison.baseline = &unchanged.graph;
}

const Error* WhatIf::fault(std::size_t change) const {
    return change < faults_.size() && faults_[change] ? &*faults_[change] : nullptr;
}

} // namespace headlight
