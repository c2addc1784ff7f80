#include "engine/inspect/region_cells.h"

#include "engine/inspect/region_cells.h"
#include "engine/ops/pointwise.h"
#include "engine/ops/recurrent.h"
#include "tests/engine/inspect/inspected_model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

using namespace headlight;

namespace {

// A cell of a node, in an order.
using Place = std::tuple<Index, Index, Index, Index>; // node, batch, row, column
Place place(const Node& node, Cell cell) { return {node.index, cell.batch, cell.row, cell.column}; }

using Readers = std::map<Place, std::set<Place>>; // of a number, the cells that read it

void collect(const Expr& e, const Place& reader, Readers& readers) {
    if (e.kind == Expr::Kind::cell) readers[place(*e.cell.node, e.cell.cell)].insert(reader);
    for (const Expr& operand : e.operands) collect(operand, reader, readers);
}

// What the explanations of all cells of a graph say.
Readers readers_by_explanation(const Graph& graph) {
    Readers readers;
    for (const Node& node : graph.nodes())
        for_each_cell({}, node.shape(), [&](Cell cell) {
            for (const ExplanationStep& step : graph.explain(node, cell).steps)
                collect(step.expression, place(node, cell), readers);
        });
    return readers;
}

std::set<Place> cells_of(const std::vector<TouchedCells>& touched) {
    std::set<Place> cells;
    for (const TouchedCells& by : touched)
        for (const Region& region : by.regions)
            for_each_cell(region, by.node->shape(), [&](Cell cell) {
                INFO(by.node->path, " ", cell.batch, " ", cell.row, " ", cell.column);
                REQUIRE(cells.insert(place(*by.node, cell)).second); // no cell twice
            });
    return cells;
}

void check_every_cell(const Graph& graph) {
    const Readers expected = readers_by_explanation(graph);
    Index numbers = 0;
    for (const Node& node : graph.nodes()) {
        // Token ids choose rather than add: no explanation has them as terms.
        if (node.op->name() == "tokens") continue;
        for_each_cell({}, node.shape(), [&](Cell cell) {
            const auto found = expected.find(place(node, cell));
            const std::set<Place> wanted = found == expected.end() ? std::set<Place>{} : found->second;
            const std::set<Place> told = cells_of(forward_cells(graph, node, cell));
            INFO(node.path, " ", cell.batch, " ", cell.row, " ", cell.column);
            REQUIRE(told == wanted);
            ++numbers;
        });
    }
    CHECK(numbers > 1000);
}

// An operation that nobody told forward_cells about: each number and its right neighbour.
struct Neighbours final : Op {
    std::string_view name() const override { return "neighbours"; }
    Shape shape(const Node& node) const override { return node.input(0).shape(); }
    static Cell neighbour(const Node& node, Cell cell) {
        return {cell.batch, cell.row, (cell.column + 1) % node.value.columns()};
    }
    void forward(Node& node) const override {
        for_each_cell({}, node.shape(), [&](Cell c) {
            const Cell n = neighbour(node, c);
            const Tensor& x = node.input(0).value;
            node.value(c.batch, c.row, c.column) = x(c.batch, c.row, c.column) + x(n.batch, n.row, n.column);
        });
    }
    void backward(Node&) const override {}
    Explanation explain(const Node& node, Cell cell) const override {
        return {"", {{"y", Expr::of(node.input(0), cell) + Expr::of(node.input(0), neighbour(node, cell))}}};
    }
};

} // namespace

TEST_CASE("what a number touches is what its readers' explanations say, for every cell of a model") {
    InspectedModel post;
    check_every_cell(post.graph());
    post.compute({5, 9, 2, 4, 2, 0}, {1, 7, 1, 0}, {7, 2, 2, 0}, 2); // two sequences, the second padded
    check_every_cell(post.graph());

    ModelConfig config = inspected_config();
    config.norm_position = NormPosition::pre;
    config.final_norm = true;
    config.activation = Activation::gelu;
    config.positional_encoding = PositionalEncoding::learned;
    InspectedModel pre(config);
    pre.compute({5, 9, 2, 4, 1, 0}, {1, 7, 12, 0}, {7, 12, 2, 0}); // padding in the target, too
    check_every_cell(pre.graph());
}

TEST_CASE("what a number touches is so when cells are edited") {
    InspectedModel m;
    m.graph().set_edits({{"encoder.0.self_attn.weights", {0, 1, -1}, Edit::Kind::scale, 0},
                         {"encoder.0.add1", {0, 2, 3}, Edit::Kind::replace, Real(0.5)},
                         {"decoder.0.norm1", {-1, -1, -1}, Edit::Kind::add, 1},
                         {"encoder.mask", {0, 0, 3}, Edit::Kind::replace, 0}});
    m.graph().forward();
    check_every_cell(m.graph());
}

TEST_CASE("what a number touches is so when cells are copied, inside a value and from another") {
    InspectedModel m;
    Edit unscaled{"encoder.0.self_attn.scaled", {0, -1, -1}}, row{"encoder.0.norm1", {-1, 1, -1}},
        added{"encoder.0.norm2", {-1, 0, -1}, Edit::Kind::add};
    unscaled.from = "encoder.0.self_attn.scores";
    row.from = "encoder.0.norm1";
    row.from_region = {-1, 2, -1};
    added.from = "encoder.embed.output";
    added.from_region = {-1, 1, -1};
    m.graph().set_edits({unscaled, row, {"encoder.0.norm1", {0, 1, 3}, Edit::Kind::scale, 0}, added});
    m.graph().forward();
    check_every_cell(m.graph());
}

TEST_CASE("a row nobody may look from reads nothing") {
    InspectedModel m;
    m.compute({0, 0}, {1, 7}, {7, 2}); // all padding
    check_every_cell(m.graph());
}

TEST_CASE("changing a token touches the row of its embedding and the keys of the masks, no other cell") {
    InspectedModel m;
    const Node& tokens = m.node("decoder.tokens");
    const std::vector<TouchedCells> touched = forward_cells(m.graph(), tokens, {0, 2, 0});
    const std::set<Place> told = cells_of(touched);

    std::vector<const Node*> readers;
    for (const Node& node : m.graph().nodes())
        if (std::count(node.inputs.begin(), node.inputs.end(), &tokens) > 0) readers.push_back(&node);
    std::map<const Node*, std::vector<Real>> before;
    for (const Node* node : readers)
        before[node].assign(node->value.data(), node->value.data() + node->value.size());
    for (const TokenId other : {0, 3, 5, 12}) {
        m.compute({5, 9, 4, 9, 2, 0}, {1, 7, other, 7}, {7, 12, 7, 2});
        for (const Node* node : readers) {
            Index i = 0;
            for_each_cell({}, node->shape(), [&](Cell cell) {
                if (node->value.data()[i] != before[node][std::size_t(i)])
                    CHECK(told.contains(place(*node, cell)));
                ++i;
            });
        }
    }
    REQUIRE(touched.size() == 2);
    CHECK(touched[0].node->path == "decoder.embed.tokens");
    CHECK(touched[0].regions == std::vector<Region>{{0, 2, -1}});
    CHECK(touched[1].node->path == "decoder.self_mask");
    CHECK(touched[1].regions == std::vector<Region>{{0, 2, 2}, {0, 3, 2}}); // earlier queries never see it
}

TEST_CASE("touched cells are told as rows and columns where they are so") {
    InspectedModel m;
    const auto regions = [&](const std::string& of, Cell cell, const std::string& reader) {
        for (const TouchedCells& by : forward_cells(m.graph(), m.node(of), cell))
            if (by.node->path == reader) return by.regions;
        return std::vector<Region>{};
    };
    using Regions = std::vector<Region>;
    CHECK(regions("encoder.0.self_attn.q", {1, 2, 3}, "encoder.0.self_attn.scores") == Regions{{1, 2, -1}});
    CHECK(regions("encoder.0.self_attn.k", {1, 2, 3}, "encoder.0.self_attn.scores") == Regions{{1, -1, 2}});
    CHECK(regions("encoder.0.self_attn.w_q", {0, 4, 3}, "encoder.0.self_attn.query") == Regions{{-1, -1, 4}});
    CHECK(regions("output.logits", {0, 1, 3}, "output.loss") == Regions{{-1, -1, -1}});
}

TEST_CASE("an operation without a rule is asked for its explanations") {
    Graph graph;
    Node* x = tokens(graph);
    feed(x, std::vector<std::int32_t>{1, 2, 3}, 3, 1);
    Node* y = graph.add(std::make_unique<Neighbours>(), {multiply(x, {2, "2"})});
    graph.forward();
    const auto touched = forward_cells(graph, y->input(0), {1, 0, 0});
    REQUIRE(touched.size() == 1);
    CHECK(touched[0].node == y);
    CHECK(touched[0].regions == std::vector<Region>{{1, 0, 0}});
}

TEST_CASE("a value read twice by one node touches no cell twice") {
    Graph graph;
    Node* x = tokens(graph);
    feed(x, std::vector<std::int32_t>{1, 2, 3}, 1, 3);
    Node* doubled = add(x, x);
    graph.forward();
    const auto touched = forward_cells(graph, *x, {0, 1, 0});
    REQUIRE(touched.size() == 1);
    CHECK(touched[0].node == doubled);
    CHECK(touched[0].regions == std::vector<Region>{{0, 1, 0}});
}

TEST_CASE("a number of a step is read by the step after, which comes before it in the graph") {
    Graph graph;
    Node* fed = tokens(graph);
    feed(fed, std::vector<std::int32_t>{1, 2, 3, 4, 5, 6}, 2, 3);
    Node *before = nullptr, *sum = nullptr;
    {
        const RecurrenceScope recurrence(graph);
        before = row_before(fed, 1);
        sum = cell_state(before, before, before, before);
        graph.feed_back(before, sum);
    }
    graph.forward();
    const auto touched = forward_cells(graph, *sum, {1, 1, 0});
    REQUIRE(touched.size() == 1);
    CHECK(touched[0].node == before);
    CHECK(touched[0].regions == std::vector<Region>{{1, 2, 0}});
    CHECK(forward_cells(graph, *sum, {1, 2, 0}).empty());
}
