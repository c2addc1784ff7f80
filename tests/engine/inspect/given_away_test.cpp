#include "engine/inspect/given_away.h"

#include "engine/graph/axes.h"
#include "engine/inspect/region_cells.h"
#include "engine/ops/products.h"
#include "engine/ops/softmax.h"
#include "tests/engine/inspect/inspected_model.h"
#include "tests/support/op_check.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>

using namespace headlight;
using namespace headlight::test;

namespace {

bool has(const std::vector<GivenAway>& found, const Node& node, Cell cell) {
    return std::any_of(found.begin(), found.end(),
                       [&](const GivenAway& one) { return one.node == &node && one.region.contains(cell); });
}

bool has_any_of(const std::vector<GivenAway>& found, const Node& node) {
    return std::any_of(found.begin(), found.end(), [&](const GivenAway& one) { return one.node == &node; });
}

} // namespace

TEST_CASE(
    "a score is given away by what is made of it alone, and by the shares of its row; not by its factors") {
    InspectedModel model;
    const Cell cell{1, 2, 3};
    const auto at = [&](const char* name) -> const Node& {
        return model.node(std::string("encoder.0.self_attn.") + name);
    };
    const std::vector<GivenAway> found = given_away(at("scores"), cell);
    for (const char* name : {"scores", "scaled", "masked", "weights"}) {
        CAPTURE(name);
        CHECK(has(found, at(name), cell));
        CHECK_FALSE(has(found, at(name), {0, 2, 3}));
        CHECK_FALSE(has(found, at(name), {1, 3, 2}));
    }
    CHECK(has(found, at("weights"), {1, 2, 0})); // the rest of the row
    CHECK_FALSE(has(found, at("scores"), {1, 2, 0}));
    for (const char* name : {"q", "k", "v", "heads", "concat"}) {
        CAPTURE(name);
        CHECK_FALSE(has_any_of(found, at(name)));
    }
}

TEST_CASE("of a share the row is covered, and the scores that it is calculated from stay") {
    InspectedModel model;
    const Node &weights = model.node("encoder.0.self_attn.weights"),
               &masked = model.node("encoder.0.self_attn.masked");
    const std::vector<GivenAway> found = given_away(weights, {0, 1, 2});
    for (Index key = 0; key < 6; ++key) CHECK(has(found, weights, {0, 1, key}));
    CHECK_FALSE(has(found, weights, {0, 2, 2}));
    CHECK_FALSE(has_any_of(found, masked));
}

TEST_CASE("which share is the largest is told by the scores above as well, and by what is chosen") {
    InspectedModel model;
    const auto at = [&](const char* name) -> const Node& {
        return model.node(std::string("decoder.0.cross_attn.") + name);
    };
    const std::vector<GivenAway> found = order_given_away(at("weights"), 1, 2, {0, 1, 2, 3, 4, 5});
    for (const char* name : {"weights", "masked", "scaled", "scores"})
        for (Index key = 0; key < 6; ++key) {
            CAPTURE(name);
            CAPTURE(key);
            CHECK(has(found, at(name), {1, 2, key}));
            CHECK_FALSE(has(found, at(name), {1, 1, key}));
        }
    CHECK_FALSE(has_any_of(found, at("q")));
}

TEST_CASE("in X Xᵀ a number stands on both sides of the diagonal") {
    Graph graph;
    Node* x = input(graph, Numbers({1, 3, 2}, std::vector<double>{0.5, 0.3, 0.8, 0.5, -0.3, 0.2}));
    Node* scores = matmul_nt(x, x);
    Node* weights = softmax(scores);
    graph.forward();
    const std::vector<GivenAway> found = given_away(*scores, {0, 0, 1});
    CHECK(has(found, *scores, {0, 1, 0}));
    CHECK(has(found, *weights, {0, 0, 2}));
    CHECK_FALSE(has(found, *weights, {0, 1, 0}));
    CHECK_FALSE(has(found, *scores, {0, 0, 0}));
    CHECK_FALSE(has_any_of(found, *x));
}

// Whatever shows the same number whatever the weights are is found: in a model of other weights, too, it
// would be read there.
TEST_CASE("no cell that always shows the same number is forgotten") {
    std::vector<std::unique_ptr<InspectedModel>> models;
    for (const std::uint64_t seed : {7, 8, 9})
        models.push_back(std::make_unique<InspectedModel>(inspected_config(), seed));
    const auto is_asked_for = [](const Node& node) {
        return !node.is(ValueKind::tokens) && !node.is(ValueKind::positions) && !node.is(ValueKind::mask)
               && !node.is(ValueKind::choice);
    };
    const auto value = [](const Node& node, Cell c) { return double(node.value(c.batch, c.row, c.column)); };
    Index copies = 0;
    for (const Node& node : models[0]->graph().nodes()) {
        if (!node.named || !is_asked_for(node) || node.is(ValueKind::parameter)) continue;
        const Shape& shape = node.shape();
        const Cell cell{shape.batch - 1, shape.rows / 2, shape.columns / 3};
        const double asked = value(node, cell);
        if (asked == 0 || asked == 1 || !std::isfinite(asked)) continue;
        const std::vector<GivenAway> found = given_away(node, cell);
        for (const Node& other : models[0]->graph().nodes()) {
            if (!is_asked_for(other)) continue;
            for_each_cell({}, other.shape(), [&](Cell there) {
                const bool always = std::all_of(models.begin(), models.end(), [&](const auto& model) {
                    return value(model->graph().nodes()[std::size_t(other.index)], there)
                           == value(model->graph().nodes()[std::size_t(node.index)], cell);
                });
                if (!always) return;
                ++copies;
                INFO(node.path, " ", cell.batch, " ", cell.row, " ", cell.column, " stands in ", other.path,
                     " ", there.batch, " ", there.row, " ", there.column);
                CHECK(has(found, other, there));
            });
        }
    }
    CHECK(copies > 30);
}
