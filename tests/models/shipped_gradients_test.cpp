// The gradients of a model that ships, in double, against the slope of its loss.
#include "engine/io/model_folder.h"
#include "engine/model/transformer.h"
#include "engine/ops/leaves.h"
#include "engine/tensor/random.h"
#include "tests/support/explanation_check.h"
#include "tests/support/loss_derivative.h"
#include "tests/support/numbers.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>
#include <vector>

using namespace headlight;
using namespace headlight::test;

namespace {

// "The animal … tired", answered as if it had been wide: a loss with something to learn.
struct Asked {
    ModelFiles files;
    std::unique_ptr<Model> model;

    Asked() {
        Result<ModelFiles> read =
            read_model_folder(std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets/models/translate-en-pt");
        REQUIRE(read);
        files = *std::move(read);
        const ModelConfig& config = files.config;
        model = build_transformer(config, files.parameters, {.loss = true, .label_smoothing = 0.1});
        std::vector<TokenId> source =
            files.source.encode_ids("The animal didn't cross the street because it was too tired");
        std::vector<TokenId> goal =
            files.target.encode_ids("O animal não atravessou a rua porque ela era larga demais");
        std::vector<TokenId> target = goal;
        source.push_back(config.eos_id);
        goal.push_back(config.eos_id);
        target.insert(target.begin(), config.bos_id);
        feed(model->map.source()->tokens, source, 1, Index(source.size()));
        feed(model->map.target()->tokens, target, 1, Index(target.size()));
        feed(model->map.output.goal, goal, 1, Index(goal.size()));
        model->graph.forward();
        model->graph.backward(model->map.output.loss);
    }
};

} // namespace

TEST_CASE(
    "500 random gradient cells of a shipped model are the slope of its loss, and so is what explains them") {
    Asked asked;
    Graph& graph = asked.model->graph;
    struct Question {
        const Node* node;
        Cell cell;
        double gradient, explained;
    };
    std::vector<Question> questions; // before the nudges, which run the graph again
    Random random(11);
    while (questions.size() < 500) {
        const Node& node = graph.nodes()[std::size_t(random.below(Index(graph.nodes().size())))];
        if (!graph.has_gradient(node) || &node == asked.model->map.output.loss) continue;
        const Shape& s = node.shape();
        Cell cell{random.below(s.batch), random.below(s.rows), random.below(s.columns)};
        // Most rows of a table belong to words that the sentence has not: ask one that it has.
        if (node.path.ends_with("embed.table")) {
            const Node& tokens =
                *graph.find(node.path.starts_with("encoder") ? "encoder.tokens" : "decoder.tokens");
            cell.row = Index(tokens.value(0, random.below(tokens.value.rows()), 0));
        }
        questions.push_back({&node, cell, node.grad(cell.batch, cell.row, cell.column),
                             graph.explain_gradient(node, cell).evaluate()});
    }
    Index moving = 0;
    std::ostringstream wrong;
    for (const Question& q : questions) {
        const double slope = loss_derivative(graph, *asked.model->map.output.loss, [&](double change) {
            const Region there{q.cell.batch, q.cell.row, q.cell.column};
            graph.set_edits({{q.node->path, there, Edit::Kind::add, change}});
            graph.forward(q.node->index);
        });
        graph.set_edits({});
        graph.forward(q.node->index);
        moving += slope != 0;
        if (!agrees_with_slope(q.gradient, slope) || !agrees_with_slope(q.explained, slope))
            wrong << q.node->path << to_string(q.cell.batch, q.cell.row, q.cell.column) << ": " << q.gradient
                  << ", explained as " << q.explained << ", instead of " << slope << "\n";
    }
    CHECK(moving > 400);
    CHECK(wrong.str() == "");
}
