#include "engine/model/two_norms.h"

#include "engine/base/check.h"
#include "engine/ops/batch_norm.h"
#include "engine/ops/elementwise.h"
#include "engine/ops/gather.h"
#include "engine/ops/layer_norm.h"
#include "engine/ops/leaves.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace headlight {

namespace {

// What a model computed, as a leaf of another graph.
struct VectorsOfModel final : Op {
    explicit VectorsOfModel(const Tensor& values) : values_(values) {}

    std::string_view name() const override { return "vectors"; }
    Shape shape(const Node&) const override { return values_.shape(); }
    Formula formula(const Node&, const Letters& letters) const override { return {letters.result.text()}; }
    bool is_view() const override { return true; }
    Tensor view(const Node&) const override { return values_; }
    void forward(Node&) const override {}
    void backward(Node&) const override {}
    Explanation explain(const Node& node, Cell cell) const override {
        const Real x = node.as_computed()(cell.batch, cell.row, cell.column);
        return {"x_{ij}", {{"x", Expr::constant(double(x))}}, "note.of_model"};
    }

private:
    Tensor values_;
};

struct Normed {
    Node *tokens, *input, *layer, *batch;
};

// Its rows are called by their numbers: nothing but their names is asked of these tokens.
Node* row_names(Graph& graph, const char* called, const std::vector<std::int32_t>& rows) {
    Node* tokens = name(called, headlight::tokens(graph));
    feed(tokens, rows, 1, Index(rows.size()));
    return tokens;
}

Normed add_norms(TwoNorms& norms, const char* input, Node* gamma, Node* beta, double epsilon) {
    Normed added{};
    std::vector<std::int32_t> rows(std::size_t(norms.parameters.find(input)->rows));
    std::iota(rows.begin(), rows.end(), 0);
    const Tensor numbers = norms.parameters.tensor(*norms.parameters.find(input));
    added.tokens = row_names(norms.graph, "tokens", rows);
    added.input = name("input", norms.graph.add(std::make_unique<VectorsOfModel>(numbers), {}));
    added.input->axes = {axis::positions(*added.tokens), axis::features};
    added.layer = name("layer", layer_norm(added.input, gamma, beta, epsilon));
    added.batch = name("batch", batch_norm(added.input, gamma, beta, epsilon));
    added.layer->axes = added.batch->axes = added.input->axes;
    added.input->symbol = {"X"}, added.layer->symbol = {"L"}, added.batch->symbol = {"B"};
    return added;
}

} // namespace

std::unique_ptr<TwoNorms> build_two_norms(const PaddedVectors& without, const PaddedVectors& with,
                                          double epsilon) {
    HEADLIGHT_CHECK(with.samples == without.samples + 1 && with.length >= without.length
                        && with.width == without.width,
                    "norms are compared of a batch and the same batch with one more sentence");
    auto norms = std::make_unique<TwoNorms>();
    Parameters& parameters = norms->parameters;
    parameters.declare_matrix("input", without.rows(), without.width);
    parameters.declare_matrix("longer", with.rows(), with.width);
    parameters.declare_vector("gamma", without.width);
    parameters.declare_vector("beta", without.width);
    parameters.allocate();
    const auto numbers = [&](const char* called) {
        return parameters.tensor(*parameters.find(called)).data();
    };
    std::copy(without.numbers.begin(), without.numbers.end(), numbers("input"));
    std::copy(with.numbers.begin(), with.numbers.end(), numbers("longer"));
    std::fill_n(numbers("gamma"), without.width, Real(1));
    std::fill_n(numbers("beta"), without.width, Real(0));

    Graph& graph = norms->graph;
    const Scope scope(graph, "norms");
    Node *gamma = name("gamma", given(graph, parameters, "gamma")),
         *beta = name("beta", given(graph, parameters, "beta"));
    gamma->symbol = {"\\gamma"}, beta->symbol = {"\\beta"};
    gamma->axes = beta->axes = {axis::single, axis::features};
    const Normed before = add_norms(*norms, "input", gamma, beta, epsilon);
    Normed after{};
    {
        const Scope with_it(graph, "longer");
        after = add_norms(*norms, "longer", gamma, beta, epsilon);
    }
    // Row `position` of sentence n is another one where sentences are padded to another length.
    const Scope of_change(graph, "change");
    std::vector<std::int32_t> rows;
    for (Index n = 0; n < without.samples; ++n)
        for (Index position = 0; position < without.length; ++position)
            rows.push_back(std::int32_t(n * with.length + position));
    Node* same_rows = row_names(graph, "rows", rows);
    const auto add_change = [&](const char* called, Node* now, Node* earlier) {
        Node *there = nullptr, *minus = nullptr;
        {
            const Scope parts(graph, called);
            there = name("now", gather(now, same_rows));
            minus = name("minus", multiply(earlier, {-1, "−1", "-1"}));
        }
        Node* change = name(called, add(there, minus));
        there->symbol = {now->symbol.letter + "'"};
        change->symbol = {"\\Delta " + earlier->symbol.letter};
        change->axes = earlier->axes;
    };
    add_change("input", after.input, before.input);
    add_change("layer", after.layer, before.layer);
    add_change("batch", after.batch, before.batch);
    graph.forward();
    norms->samples = without.samples, norms->length = without.length;
    norms->longer_samples = with.samples, norms->longer = with.length;
    norms->tokens = before.tokens, norms->longer_tokens = after.tokens, norms->change_rows = same_rows;
    return norms;
}

} // namespace headlight
