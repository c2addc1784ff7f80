#include "engine/inspect/forgetting.h"

#include "engine/base/check.h"
#include "engine/ops/leaves.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// Feeds the question, and only the answer counts for the loss. Returns the row where it is said.
Index feed_question(Model& model, const MemoryQuestion& question, TokenId pad_id) {
    ModelMap& map = model.map;
    const auto feed_all = [](Node* tokens, const std::vector<TokenId>& ids) {
        feed(tokens, ids, 1, Index(ids.size()));
    };
    std::vector<TokenId> goal;
    for (Stream& stream : map.streams) {
        const bool says = stream.is_written;
        const bool is_empty = says && map.source() != nullptr; // the answer's first word, from <s> alone
        std::vector<TokenId> ids = stream.before;
        if (!is_empty) ids.insert(ids.end(), question.words.begin(), question.words.end());
        if (!says) ids.insert(ids.end(), stream.after.begin(), stream.after.end());
        if (says) goal.assign(ids.size(), pad_id), goal.back() = question.answer;
        feed_all(stream.tokens, ids);
    }
    feed_all(map.output.goal, goal);
    return Index(goal.size()) - 1;
}

double norm_of_row(const Tensor& values, Index row) {
    double sum = 0;
    const Real* numbers = values.row(0, row);
    for (Index i = 0; i < values.columns(); ++i) sum += double(numbers[i]) * double(numbers[i]);
    return std::sqrt(sum);
}

RowNorms gradient_norms(const Node& value) {
    RowNorms norms{value.path, {}};
    for (Index row = 0; row < value.shape().rows; ++row) norms.norms.push_back(norm_of_row(value.grad, row));
    return norms;
}

std::vector<TokenId> fed_tokens(const Stream& stream) {
    std::vector<TokenId> ids;
    for (Index t = 0; t < stream.tokens->shape().rows; ++t) ids.push_back(fed_token(*stream.tokens, 0, t));
    return ids;
}

const Node& kept_of(const RecurrentLayer& layer) { return layer.cell ? *layer.cell : *layer.hidden; }

// The gate by which what was held is multiplied, as a share that stays.
double share_kept(const RecurrentLayer& layer, Index step, Index cell) {
    for (const Node* gate : layer.gates) {
        if (gate->name == "forget_gate") return double(gate->value(0, step, cell));
        if (gate->name == "update_gate") return double(gate->value(0, step, cell)); // h = (1 − z) n + z h'
    }
    return -1;
}

} // namespace

const Stream* memory_stream(const ModelMap& map) {
    if (map.output.meaning != Output::Meaning::words || !map.target()) return nullptr;
    return map.source() ? map.source() : map.target();
}

const RecurrentLayer* memory_layer(const ModelMap& map) {
    const Stream* stream = memory_stream(map);
    const RecurrentLayer* last = nullptr;
    for (const RecurrentLayer& layer : map.recurrent_layers)
        if (stream && layer.tokens == stream->tokens) last = &layer;
    return last;
}

bool has_room(const ModelMap& map, std::span<const TokenId> words) {
    const Stream* stream = memory_stream(map);
    return stream && Index(words.size()) <= stream->max_words();
}

Forgetting forgetting_of(Model& model, const MemoryQuestion& question, TokenId pad_id) {
    const ModelMap& map = model.map;
    const Stream* stream = memory_stream(map);
    HEADLIGHT_CHECK(stream && map.output.loss, "to ask what was kept a model must say words and have a loss");
    const Index row = feed_question(model, question, pad_id);
    model.graph.forward();
    model.graph.backward(map.output.loss);

    Forgetting found;
    found.read = fed_tokens(*stream);
    found.loss = double(map.output.loss->value(0, 0, 0));
    found.probability = std::exp(-found.loss);
    const Tensor& logits = map.output.values->value;
    const Real* said = logits.row(0, row);
    found.is_right = std::max_element(said, said + logits.columns()) - said == question.answer;
    if (const RecurrentLayer* layer = memory_layer(map)) {
        found.gradients.push_back(gradient_norms(*layer->hidden));
        if (layer->cell) found.gradients.push_back(gradient_norms(*layer->cell));
    } else {
        found.gradients.push_back(gradient_norms(*stream->embedded));
    }
    return found;
}

std::optional<HeldFact> held_fact(Model& model, const MemoryQuestion& fact, const MemoryQuestion& other,
                                  TokenId pad_id) {
    const RecurrentLayer* layer = memory_layer(model.map);
    if (!layer || fact.words.size() != other.words.size()) return std::nullopt;
    const Node& kept = kept_of(*layer);
    feed_question(model, other, pad_id);
    model.graph.forward();
    const std::vector<Real> of_other(kept.value.data(), kept.value.data() + kept.value.size());
    feed_question(model, fact, pad_id);
    model.graph.forward();

    HeldFact held;
    held.path = kept.path;
    held.steps = kept.shape().rows;
    held.cells = kept.shape().columns;
    held.read = fed_tokens(*memory_stream(model.map));
    for (std::size_t i = 0; i < of_other.size(); ++i)
        held.difference.push_back(std::abs(double(kept.value.data()[i]) - double(of_other[i])));
    for (Index t = 0; t < held.steps; ++t) {
        double sum = 0;
        for (Index cell = 0; cell < held.cells; ++cell) sum += held.at(t, cell) * held.at(t, cell);
        held.total.push_back(std::sqrt(sum));
    }
    for (Index cell = 0; cell < held.cells; ++cell) {
        Overwriting one{.cell = cell};
        for (Index t = 0; t < held.steps; ++t)
            if (held.at(t, cell) > one.most) one.most = held.at(t, cell), one.at = t;
        Index last = one.at; // with half of it
        for (Index t = one.at; t < held.steps; ++t)
            if (held.at(t, cell) >= one.most / 2) last = t;
        if (one.most > 0 && last + 1 < held.steps) {
            one.lost = last + 1;
            one.gate = share_kept(*layer, one.lost, cell);
        }
        held.cells_by_most.push_back(one);
    }
    std::stable_sort(held.cells_by_most.begin(), held.cells_by_most.end(),
                     [](const Overwriting& a, const Overwriting& b) { return a.most > b.most; });
    return held;
}

} // namespace headlight
