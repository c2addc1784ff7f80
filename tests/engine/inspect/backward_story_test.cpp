#include "engine/inspect/story.h"

#include "tests/engine/inspect/inspected_model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace headlight;

namespace {

using Nodes = std::set<const Node*>;

std::vector<ModelConfig> kinds_of_models() {
    ModelConfig post = inspected_config(), pre = inspected_config();
    post.encoder_layers = post.decoder_layers = 2;
    pre.norm_position = NormPosition::pre;
    pre.final_norm = true;
    pre.activation = Activation::gelu;
    pre.positional_encoding = PositionalEncoding::learned;
    pre.decoder_layers = 2;
    return {post, pre};
}

void collect(const Expr& e, Nodes& gradients, Nodes& values) {
    if (e.kind == Expr::Kind::cell) (e.cell.gradient ? gradients : values).insert(e.cell.node);
    for (const Expr& operand : e.operands) collect(operand, gradients, values);
}

// Read by the rule, though not by the arithmetic of a cell: which token, whether a gate is open.
bool only_chooses(const Node& value) { return value.op->name() == "tokens"; }

std::string names(const Nodes& nodes) {
    std::string text;
    for (const Node* node : nodes) text += node->path + " ";
    return text;
}

} // namespace

TEST_CASE("the backward story tells every value and weight that the loss depends on, once, each after its "
          "readers") {
    for (const ModelConfig& config : kinds_of_models()) {
        InspectedModel m(config);
        m.graph().backward(m.model->map.output.loss);
        const std::vector<BackwardStep> steps = tell_backward(*m.model);
        REQUIRE(steps.front().node == m.model->map.output.loss);
        Nodes told;
        for (const BackwardStep& step : steps) {
            CAPTURE(step.path());
            CHECK(told.insert(step.node).second);
            for (const Node* reader : step.gradients_from) CHECK(told.contains(reader));
            CHECK(step.gradients_from.empty() == (step.node == m.model->map.output.loss));
            CHECK(step.formula.starts_with("\\frac{\\partial L}{\\partial "));
        }
        for (const Node& node : m.graph().nodes()) {
            const bool reached = m.graph().has_gradient(node) && node.grad_started;
            CHECK_MESSAGE(told.contains(&node) == reached, node.path);
        }
        CHECK(steps.back().path() == "encoder.embed.table");
    }
}

TEST_CASE("what a step says it is made from is what the explanations of its cells are made from") {
    for (const ModelConfig& config : kinds_of_models()) {
        InspectedModel m(config);
        m.graph().backward(m.model->map.output.loss);
        for (const BackwardStep& step : tell_backward(*m.model)) {
            if (step.node == m.model->map.output.loss) continue;
            CAPTURE(step.path());
            Nodes gradients, values;
            const Shape& s = step.node->shape();
            for (Index b = 0; b < s.batch; ++b)
                for (Index r = 0; r < s.rows; ++r)
                    for (Index c = 0; c < s.columns; ++c)
                        for (const ExplanationStep& line :
                             m.graph().explain_gradient(*step.node, {b, r, c}).steps)
                            collect(line.expression, gradients, values);
            CHECK(names(Nodes(step.gradients_from.begin(), step.gradients_from.end())) == names(gradients));
            Nodes told(step.values_from.begin(), step.values_from.end());
            const bool gated = step.gradients_from.front()->op->name() == "relu";
            std::erase_if(told, [&](const Node* value) { return only_chooses(*value) || gated; });
            CHECK(names(told) == names(values));
        }
    }
}

TEST_CASE("the formulas are those of the chain rule, derived from the graph") {
    InspectedModel m(kinds_of_models().front());
    const std::vector<BackwardStep> steps = tell_backward(*m.model);
    const auto formula = [&](const std::string& path) {
        const auto found = std::find_if(steps.begin(), steps.end(),
                                        [&](const BackwardStep& step) { return step.path() == path; });
        REQUIRE(found != steps.end());
        std::string text = found->formula; // without colours
        for (const char* colour : {"query", "key", "value"})
            for (std::string mark = std::string("\\color{") + colour + "}"; text.find(mark) != text.npos;)
                text.erase(text.find(mark), mark.size());
        return text;
    };
    CHECK(formula("output.logits")
          == "\\frac{\\partial L}{\\partial Z} = \\frac{1}{n}\\left(\\mathrm{softmax}(Z) - (1 - "
             "\\epsilon)\\,Y - "
             "\\frac{\\epsilon}{V}\\right)"); // its labels are smoothed
    CHECK(formula("decoder.0.self_attn.q")
          == "\\frac{\\partial L}{\\partial {Q_h}} = \\frac{\\partial L}{\\partial S_h}\\,{K_h}");
    CHECK(formula("decoder.0.self_attn.k")
          == "\\frac{\\partial L}{\\partial {K_h}} = \\left(\\frac{\\partial L}{\\partial S_h}\\right)^T "
             "{Q_h}");
    CHECK(formula("encoder.1.self_attn.w_q")
          == "\\frac{\\partial L}{\\partial {W^Q}} = {N_2}^T\\,\\frac{\\partial L}{\\partial {Q}}");
    // Keys and values of both layers of the decoder: a sum over the layers.
    CHECK(
        formula("encoder.1.norm2")
        == "\\frac{\\partial L}{\\partial N_2} = \\sum_{l} \\frac{\\partial L}{\\partial {V}}\\,{{W^V}}^T + "
           "\\sum_{l} \\frac{\\partial L}{\\partial {K}}\\,{{W^K}}^T");
}

TEST_CASE("the keys of a step's texts go from its own to those of its kind") {
    InspectedModel m;
    const std::vector<BackwardStep> steps = tell_backward(*m.model);
    const auto keys = [&](const std::string& path) {
        for (const BackwardStep& step : steps)
            if (step.path() == path) return gradient_keys(step);
        return std::vector<std::string>{};
    };
    using Keys = std::vector<std::string>;
    CHECK(keys("decoder.0.cross_attn.b_k")
          == Keys{"decoder.cross_attn.b_k", "cross_attn.b_k", "attn.b_k", "bias"});
    CHECK(keys("encoder.0.norm1.gamma")
          == Keys{"encoder.norm1.gamma", "norm1.gamma", "norm.gamma", "weight"});
    CHECK(keys("encoder.0.norm1") == Keys{"encoder.norm1", "norm1", "norm", "value"});
    CHECK(keys("output.b") == Keys{"output.b", "b", "bias"});
}
