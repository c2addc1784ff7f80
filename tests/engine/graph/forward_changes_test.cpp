#include "engine/decode/writing.h"
#include "engine/graph/growing_pass.h"
#include "engine/model/parameters.h"
#include "engine/model/transformer.h"
#include "engine/ops/leaves.h"
#include "engine/ops/softmax.h"
#include "engine/tensor/random.h"

#include <doctest/doctest.h>

#include <cstring>

using namespace headlight;

namespace {

ModelConfig two_layers() {
    ModelConfig config;
    config.d_model = 16;
    config.num_heads = 2;
    config.encoder_layers = config.decoder_layers = 2;
    config.d_ff = 24;
    config.max_length = 12;
    config.source_vocab_size = config.target_vocab_size = 11;
    return config;
}

// What a pass is asked, apart from the weights.
struct Asked {
    std::vector<TokenId> source = {4, 5, 6, 2}, target = {1, 7, 8}, goal = {7, 8, 2};
    std::vector<Edit> edits;
    double smoothing = 0;

    void ask(Model& model) const {
        model.graph.set_edits(edits);
        set_label_smoothing(model.map.output.loss, smoothing);
        feed(model.map.streams[0].tokens, source, 1, Index(source.size()));
        feed(model.map.streams[1].tokens, target, 1, Index(target.size()));
        feed(model.map.output.goal, goal, 1, Index(goal.size()));
    }
};

std::string path_that_differs(const Graph& a, const Graph& b) {
    for (std::size_t i = 0; i < a.nodes().size(); ++i) {
        const Tensor &x = a.nodes()[i].value, &y = b.nodes()[i].value;
        if (x.shape() != y.shape()
            || std::memcmp(x.data(), y.data(), std::size_t(x.size()) * sizeof(Real)) != 0)
            return a.nodes()[i].path;
    }
    return "";
}

Edit scaled(const std::string& path, Real by) {
    Edit edit;
    edit.path = path;
    edit.kind = Edit::Kind::scale;
    edit.number = by;
    return edit;
}

} // namespace

TEST_CASE("what has changed and what follows is computed, and every number is that of a pass computed anew") {
    Parameters parameters = declare_parameters(two_layers());
    initialise(parameters, two_layers(), 3);
    const auto build = [&] { return build_transformer(two_layers(), parameters, {.loss = true}); };
    const std::unique_ptr<Model> kept = build();
    const std::string paths[] = {"encoder.0.self_attn.weights", "encoder.1.ffn.activated",
                                 "decoder.0.cross_attn.heads",  "decoder.1.ffn.hidden",
                                 "encoder.0.self_attn.w_q",     "decoder.1.self_attn.scores"};
    Random random(5);
    Asked asked;
    for (int round = 0; round < 200; ++round) {
        CAPTURE(round);
        const auto words = [&](std::vector<TokenId>& ids, Index from) {
            ids.resize(std::size_t(from + 1 + random.below(6)), 4);
            for (std::size_t i = std::size_t(from); i < ids.size(); ++i)
                ids[i] = TokenId(4 + random.below(7));
        };
        switch (random.below(8)) {
        case 0:
            words(asked.source, 0);
            break;
        case 1:
            words(asked.target, 1);
            words(asked.goal, 0);
            asked.goal.resize(asked.target.size(), 2);
            break;
        case 2:
            asked.edits.push_back(scaled(paths[random.below(6)], Real(random.uniform(-1, 2))));
            break;
        case 3:
            if (!asked.edits.empty())
                asked.edits.erase(asked.edits.begin() + random.below(Index(asked.edits.size())));
            break;
        case 4: { // another order: what is added to what is scaled is not scaled
            Edit added = scaled(paths[3], Real(0.5));
            added.kind = Edit::Kind::add;
            asked.edits.push_back(added);
            std::reverse(asked.edits.begin(), asked.edits.end());
            break;
        }
        case 5:
            asked.smoothing = random.uniform(0, 0.5);
            break;
        case 6: // written in between, perhaps by rows
            if (random.below(2) == 0) {
                (void)greedy_decode(*kept, asked.source);
            } else { // and left after one word
                asked.ask(*kept);
                GrowingPass growing(kept->graph, *kept->map.streams[1].tokens, kept->end_of_output());
                if (growing.can_grow()) growing.forward();
            }
            break;
        default:
            parameters.data()[random.below(parameters.count())] += Real(0.1);
            kept->graph.changed_from(0);
        }
        asked.ask(*kept);
        kept->graph.forward_changes();
        const std::unique_ptr<Model> anew = build();
        asked.ask(*anew);
        anew->graph.forward();
        CHECK(path_that_differs(kept->graph, anew->graph) == "");
        CHECK(kept->graph.unchanged_until() == Index(kept->graph.nodes().size()));
    }
}

TEST_CASE("what lies before a change is not computed again") {
    Parameters parameters = declare_parameters(two_layers());
    initialise(parameters, two_layers(), 3);
    const std::unique_ptr<Model> model = build_transformer(two_layers(), parameters, {.loss = true});
    Graph& graph = model->graph;
    Asked asked;
    asked.ask(*model);
    graph.forward_changes();
    NodeTimes times(graph.nodes().size());
    graph.times = &times;
    asked.edits = {scaled("decoder.1.ffn.hidden", 0)};
    asked.ask(*model);
    graph.forward_changes();
    const Index changed = graph.find("decoder.1.ffn.hidden")->index;
    double before = 0, after = 0;
    for (const Node& node : graph.nodes())
        (node.index < changed ? before : after) += times.forward[std::size_t(node.index)];
    CHECK(before == 0);
    CHECK(after > 0);
    graph.forward_changes(); // nothing has changed
    double again = 0;
    for (const double seconds : times.forward) again += seconds;
    CHECK(again == after);
}
