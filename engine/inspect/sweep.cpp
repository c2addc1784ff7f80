#include "engine/inspect/sweep.h"

#include "engine/base/check.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

namespace {

Index first_changed(const std::vector<Edit>& edits, const Graph& graph) {
    Index first = Index(graph.nodes().size());
    for (const Edit& edit : edits)
        if (const Node* node = graph.find(edit.path)) first = std::min(first, node->index);
    return first;
}

// ln Σ exp of all logits of a row but one.
double log_sum_of_others(const Tensor& logits, Index row, TokenId word) {
    const Real* z = logits.row(0, row);
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (Index i = 0; i < logits.columns(); ++i)
        if (i != word) largest = std::max(largest, double(z[i]));
    for (Index i = 0; i < logits.columns(); ++i)
        if (i != word) sum += std::exp(double(z[i]) - largest);
    return largest + std::log(sum);
}

TokenId most_probable_at(const Model& pass, Index row) {
    const Tensor& said = pass.map.output.values->value;
    const Real* numbers = said.row(0, row);
    return TokenId(std::max_element(numbers, numbers + said.columns()) - numbers);
}

} // namespace

std::string_view name_of(SweepMeasure measure) {
    constexpr std::string_view names[] = {"probability", "log_probability", "log_odds", "logit"};
    return names[std::size_t(measure)];
}

SweepMeasure telling_measure(double probability) {
    constexpr double nearly = 0.01;
    const bool is_between = probability >= nearly && probability <= 1 - nearly;
    return is_between ? SweepMeasure::probability : SweepMeasure::log_odds;
}

double watched(const Model& pass, Index row, TokenId word, SweepMeasure measure) {
    const Output& output = pass.map.output;
    if (!output.probabilities) return double(output.values->value(0, row, word));
    const double p = double(output.probabilities->value(0, row, word));
    if (measure == SweepMeasure::probability) return p;
    const bool is_edited = !output.probabilities->computed.empty();
    const Tensor& logits = output.values->value;
    if (measure == SweepMeasure::logit) return double(logits(0, row, word));
    const double log_odds = is_edited ? std::log(p / (1 - p))
                                      : double(logits(0, row, word)) - log_sum_of_others(logits, row, word);
    if (measure == SweepMeasure::log_odds) return log_odds;
    if (is_edited) return std::log(p);
    // p = 1 / (1 + exp(−log_odds)), written so that nothing overflows.
    return std::min(log_odds, 0.0) - std::log1p(std::exp(-std::abs(log_odds)));
}

double watched(const Model& pass, const SweepTarget& target, SweepMeasure measure) {
    const double of_word = watched(pass, target.row, target.word, measure);
    if (measure != SweepMeasure::logit || !target.against) return of_word;
    return of_word - watched(pass, target.row, *target.against, measure);
}

std::optional<double> normalised_effect(double patched, double corrupted, double clean) {
    constexpr double hardly = 0.01; // nats
    if (std::abs(clean - corrupted) < hardly) return std::nullopt;
    return (patched - corrupted) / (clean - corrupted);
}

SweepPlan plan_silenced_heads(const ModelMap& map) {
    SweepPlan plan;
    for (const Attention& attention : map.attentions) {
        const Index row = Index(plan.rows.size());
        plan.rows.push_back(attention.path);
        plan.columns = std::max(plan.columns, attention.heads);
        for (Index head = 0; head < attention.heads; ++head)
            plan.trials.push_back(
                {row, head, {{attention.mixed->path, {head, -1, -1}, Edit::Kind::scale, 0}}});
    }
    return plan;
}

SweepPlan plan_patched_positions(const ModelMap& map, const Graph& other) {
    SweepPlan plan;
    std::vector<const Node*> nodes;
    for (const Stream& stream : map.streams)
        for (const Node* node : map.passages(stream)) nodes.push_back(node);
    for (const Node* node : nodes) {
        const Index row = Index(plan.rows.size());
        const Tensor& theirs = other.find(node->path)->value;
        plan.rows.push_back(node->path);
        plan.columns = std::max({plan.columns, node->value.rows(), theirs.rows()});
        for (Index position = 0; position < std::min(node->value.rows(), theirs.rows()); ++position) {
            Edit edit{node->path, {-1, position, -1}};
            edit.values = KeptTensor({1, 1, theirs.columns()});
            std::copy_n(theirs.row(0, position), theirs.columns(), edit.values.numbers.data());
            plan.trials.push_back({row, position, {std::move(edit)}});
        }
    }
    return plan;
}

SweepPlan plan_silenced_words(const Stream& stream, Index first, Index words, TokenId pad) {
    SweepPlan plan;
    plan.rows = {stream.tokens->path};
    plan.columns = words;
    for (Index word = 0; word < words; ++word)
        plan.trials.push_back(
            {0, word, {{stream.tokens->path, {0, first + word, 0}, Edit::Kind::replace, Real(pad)}}});
    return plan;
}

Sweep::Sweep(Model& pass, std::vector<Edit> edits, SweepPlan plan, std::vector<SweepTarget> targets)
    : pass_(pass), edits_(std::move(edits)), plan_(std::move(plan)), targets_(std::move(targets)) {
    HEADLIGHT_CHECK(!targets_.empty(), "a sweep that watches nothing");
    const Graph& graph = pass_.graph;
    const KeptTensor empty({1, Index(plan_.rows.size()), plan_.columns},
                           std::numeric_limits<Real>::quiet_NaN());
    // The trials that change the latest values come first: what a trial leaves behind then lies where the
    // next ones compute anew, and nothing before has to be computed again.
    for (std::size_t i = 0; i < plan_.trials.size(); ++i)
        order_.emplace_back(first_changed(plan_.trials[i].edits, graph), i);
    std::sort(order_.begin(), order_.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    pass_.graph.set_edits(edits_);
    pass_.graph.forward();
    for (const SweepTarget& target : targets_) {
        const Shape& said = pass_.map.output.values->shape();
        HEADLIGHT_CHECK((Region{0, target.row, target.word}.fits(said)),
                        "no such number to watch in " + to_string(said));
        Tables& tables = tables_.emplace_back();
        for (std::size_t m = 0; m < tables.size(); ++m)
            tables[m] = {watched(pass_, target, SweepMeasure(m)), empty, empty};
        said_.push_back({most_probable_at(pass_, target.row),
                         std::vector<TokenId>(plan_.rows.size() * std::size_t(plan_.columns), TokenId(-1))});
    }
}

bool Sweep::advance() {
    if (next_ == order_.size()) return false;
    const auto [first, number] = order_[next_++];
    const SweepTrial& trial = plan_.trials[number];
    std::vector<Edit> edits = edits_;
    const std::vector<Edit> own = trial.made_by ? trial.made_by(pass_, edits_) : trial.edits;
    edits.insert(edits.end(), own.begin(), own.end());
    pass_.graph.set_edits(std::move(edits));
    if (trial.made_by)
        pass_.graph.forward();
    else if (first < Index(pass_.graph.nodes().size()))
        pass_.graph.forward(first);
    for (std::size_t i = 0; i < targets_.size(); ++i) {
        said_[i].values[std::size_t(trial.row * plan_.columns + trial.column)] =
            most_probable_at(pass_, targets_[i].row);
        for (std::size_t m = 0; m < tables_[i].size(); ++m) {
            Table& table = tables_[i][m];
            const double value = watched(pass_, targets_[i], SweepMeasure(m));
            table.values(0, trial.row, trial.column) = Real(value);
            table.changes(0, trial.row, trial.column) = Real(value - table.baseline);
        }
    }
    return next_ < order_.size();
}

TokenId Sweep::said(Index row, Index column) const {
    return said_[watched_].values[std::size_t(row * plan_.columns + column)];
}

std::size_t Sweep::most_harmed() const {
    const auto largest_loss = [&](std::size_t target, SweepMeasure measure) {
        Real loss = 0;
        for (const Real change : tables_[target][std::size_t(measure)].changes.numbers)
            loss = std::max(loss, -change); // a change that is not a number is none
        return loss;
    };
    for (const auto& [measure, least] :
         {std::pair(SweepMeasure::probability, Real(0.01)), std::pair(SweepMeasure::log_odds, Real(0))}) {
        std::size_t most = watched_;
        for (std::size_t i = 0; i < targets_.size(); ++i)
            if (largest_loss(i, measure) > largest_loss(most, measure)) most = i;
        if (largest_loss(most, measure) > least) return most;
    }
    return watched_;
}

} // namespace headlight
