#include "engine/inspect/formulas.h"

#include "engine/inspect/story.h"
#include "engine/model/transformer.h"
#include "engine/ops/softmax.h"
#include "tests/engine/inspect/formula_reader.h"
#include "tests/engine/model/families.h"
#include "tests/engine/model/foreign_models.h"
#include "tests/engine/model/small_model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace headlight;
using namespace headlight::test;

namespace {

struct Told {
    Parameters parameters;
    std::unique_ptr<Model> model;
    std::map<std::string, StoryStep> steps; // by path

    explicit Told(const ModelConfig& config)
        : parameters(random_parameters(config, 3)),
          model(build_transformer(config, parameters, {.loss = true})) {
        for (StoryStep& step : tell(*model)) steps.emplace(step.path(), std::move(step));
    }
    std::string formula(const std::string& path) const { return without_colours(steps.at(path).formula); }
    std::string sized(const std::string& path) const { return without_colours(steps.at(path).sized); }
};

// Every value that a formula reads, through those that it spells out: what the operation computes from.
void leaves(const ModelMap& map, const Node& value, std::set<const Node*>& all) {
    const Notation& notation = map.notation(value);
    for (std::size_t i = 0; i < value.inputs.size(); ++i) {
        const bool has_name = i < notation.inputs.size() && !notation.inputs[i].empty();
        if (!has_name && map.notation(value.input(i)).spelled_out)
            leaves(map, value.input(i), all);
        else
            all.insert(&value.input(i));
    }
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

// "\\sqrt{16} = X \\cdot 4": that the root is what it is said to be, and ≈ only where digits are missing.
void check_root(const std::string& sized, double root, Index of) {
    CAPTURE(sized);
    CHECK(contains(sized, "\\sqrt{" + std::to_string(of) + "}"));
    const bool exact = std::round(root * 100) / 100 == root;
    CHECK(contains(sized, "\\approx") != exact);
}

// --- reading formulas
// ---------------------------------------------------------------------------------------

Numbers2 matrix_of(const Node& node, Index head, bool as_weight) {
    const Tensor& value = node.value;
    Numbers2 numbers{value.rows(), value.columns()};
    for (Index r = 0; r < value.rows(); ++r)
        for (Index c = 0; c < value.columns(); ++c)
            numbers.data.push_back(double(value(node.axes.per_head ? head : 0, r, c)));
    if (!as_weight || node.axes.rows.kind == Axis::Kind::single) return numbers;
    Numbers2 transposed{numbers.columns, numbers.rows}; // weights lie as [out × in], and are written x W
    for (Index c = 0; c < numbers.columns; ++c)
        for (Index r = 0; r < numbers.rows; ++r) transposed.data.push_back(numbers.at(r, c));
    return transposed;
}

Numbers2 number(double x) { return {1, 1, {x}}; }

// Mean and variance of each row of what a norm reads.
void bind_moments(Bindings& letters, const Node& x, double epsilon) {
    Numbers2 mean{x.value.rows(), 1}, variance{x.value.rows(), 1};
    for (Index r = 0; r < x.value.rows(); ++r) {
        double sum = 0, squares = 0;
        for (Index c = 0; c < x.value.columns(); ++c) sum += double(x.value(0, r, c));
        const double middle = sum / double(x.value.columns());
        for (Index c = 0; c < x.value.columns(); ++c)
            squares += std::pow(double(x.value(0, r, c)) - middle, 2);
        mean.data.push_back(middle);
        variance.data.push_back(squares / double(x.value.columns()));
    }
    letters["\\mu"] = mean;
    letters["\\sigma^2"] = variance;
    letters["\\epsilon"] = number(epsilon);
}

// Formulas that say which row or cell is taken, not how a matrix is computed.
bool only_takes(const ModelMap& map, const Node& node) {
    for (const ValueKind kind :
         {ValueKind::tokens, ValueKind::lookup, ValueKind::positions, ValueKind::mask, ValueKind::choice})
        if (node.is(kind)) return true;
    for (const char* taken : {"token_types", "row_before", "last_word"})
        if (node.op->name() == taken) return true;
    return map.notation(node).by_cells || (node.axes.per_head && !node.input(0).axes.per_head);
}

// The angles that a value's pairs are turned by, as its cells explain them.
Numbers2 angles(const Node& rotated) {
    Numbers2 all{rotated.value.rows(), rotated.value.columns()};
    for (Index r = 0; r < all.rows; ++r)
        for (Index c = 0; c < all.columns; ++c) {
            const Explanation explanation = rotated.graph->explain(rotated, {0, r, c});
            const std::vector<double> steps = explanation.evaluate_steps();
            for (std::size_t i = 0; i < steps.size(); ++i)
                if (explanation.steps[i].symbol == "angle") all.data.push_back(steps[i]);
        }
    return all;
}

// The largest difference between what the formula says and what the operation computed.
double difference(const StoryStep& step, const ModelConfig& config, Index head, double smoothing = 0) {
    Bindings letters{{"d_k", number(double(config.d_k()))}, {"d_{model}", number(double(config.d_model))}};
    for (const auto& [coloured, node] : step.letters) {
        const std::string letter = without_colours(coloured);
        const bool is_weight = node->is(ValueKind::parameter) && node != step.node->inputs.front();
        letters[letter] = matrix_of(*node, head, is_weight);
        if (node->axes.per_head)
            for (Index h = 0; h < node->value.batch(); ++h)
                letters[letter + "_" + std::to_string(h + 1)] = matrix_of(*node, h, false);
    }
    if (step.node->op->name() == "batch_norm") // its moments are values that were kept
        letters["\\epsilon"] = number(config.layer_norm_eps);
    else if (!step.node->inputs.empty())
        bind_moments(letters, step.node->input(0), config.layer_norm_eps);
    if (step.node->op->name() == "rotate") letters["\\alpha"] = angles(*step.node);
    if (step.node->op->name() == "first_row") {
        const Numbers2 all = matrix_of(step.node->input(0), 0, false);
        letters["X_1"] = {1, all.columns, {all.data.begin(), all.data.begin() + all.columns}};
    }
    if (step.node->is(ValueKind::loss)) {
        letters["n"] = number(double(step.node->input(0).value.rows()));
        letters["V"] = number(double(step.node->input(0).value.columns()));
        letters["\\epsilon"] = number(smoothing);
        const std::string p = right_hand_side(without_colours(step.sized)); // what it is, then what ε is
        if (!p.empty()) letters["p"] = evaluate_formula(p.substr(0, p.find(", ")), letters);
    }
    const Numbers2 said = evaluate_formula(right_hand_side(without_colours(step.formula)), letters);
    const Tensor& value = step.node->value;
    REQUIRE(said.rows == value.rows());
    REQUIRE(said.columns == value.columns());
    double largest = 0;
    for (Index r = 0; r < value.rows(); ++r)
        for (Index c = 0; c < value.columns(); ++c) {
            const double computed = double(value(step.node->axes.per_head ? head : 0, r, c));
            if (computed != said.at(r, c)) largest = std::max(largest, std::abs(computed - said.at(r, c)));
        }
    return largest;
}

} // namespace

TEST_CASE("in every kind of Transformer the formula of a value, computed, is the value") {
    for (const ModelConfig& config : all_configs()) {
        CAPTURE(description(config));
        Told told(config);
        feed(*told.model, one_pair(config, 4, 3, 5));
        told.model->graph.forward();
        Index read = 0;
        for (const auto& [path, step] : told.steps) {
            if (only_takes(told.model->map, *step.node)) continue;
            CAPTURE(path);
            CAPTURE(step.formula);
            const Index heads = step.node->axes.per_head ? step.node->value.batch() : 1;
            for (Index head = 0; head < heads; ++head) CHECK(difference(step, config, head) < 1e-4);
            ++read;
        }
        CHECK(read > 40);
    }
}

TEST_CASE("so it is in architectures that nobody ships") {
    ModelConfig config;
    config.d_model = 8;
    config.num_heads = 4;
    for (const ForeignModel& foreign : foreign_models()) {
        CAPTURE(foreign.name);
        const ComputedForeignModel m(foreign);
        for (const StoryStep& step : tell(*m.model)) {
            if (only_takes(m.model->map, *step.node)) continue;
            const bool shares = step.node->axes.per_head && step.node->inputs.size() == 2
                                && step.node->input(1).value.batch() < step.node->value.batch();
            if (shares) continue; // K_h is that of the head's group
            CAPTURE(step.path());
            CAPTURE(step.formula);
            CHECK(difference(step, config, 0) < 1e-4);
        }
    }
}

TEST_CASE("so it is in the families that others made") {
    for (const std::string& name : all_families()) {
        CAPTURE(name);
        const ComputedFamily family(name, true);
        const ModelMap& map = family.model->map;
        ModelConfig config = family.files.config;
        if (map.source() == nullptr)
            config.d_model = config.num_heads * map.attentions.front().q->value.columns();
        Index read = 0;
        for (const StoryStep& step : tell(*family.model)) {
            CAPTURE(step.path());
            CAPTURE(step.formula);
            CHECK_FALSE(step.formula.empty());
            if (only_takes(map, *step.node)) continue;
            const bool shares = step.node->axes.per_head && step.node->inputs.size() == 2
                                && step.node->input(1).value.batch() < step.node->value.batch();
            if (shares && !step.node->is(ValueKind::mask) && step.node->name != "masked") continue;
            CHECK(difference(step, config, 0) < 1e-4);
            ++read;
        }
        CHECK(read > 20);
    }
}

TEST_CASE("the formulas of the families read as their papers'") {
    const auto formula = [](const std::string& name, const std::string& path) {
        const ComputedFamily family(name);
        return without_colours(formula_of(family.model->map, *family.model->graph.find(path)).text);
    };
    CHECK(formula("llama_grouped", "decoder.0.self_attn.query") == "Q = X\\,W^Q");
    CHECK(formula("llama_grouped", "decoder.0.self_attn.q_rotated")
          == "\\hat{Q} = Q \\odot \\cos\\alpha + {Q}^{\\perp} \\odot \\sin\\alpha");
    CHECK(formula("llama_grouped", "decoder.0.self_attn.weights")
          == "A = \\mathrm{softmax}\\left(\\frac{\\hat{Q}\\,\\hat{K}^T}{\\sqrt{d_k}} + M\\right)");
    CHECK(formula("llama_grouped", "decoder.0.ffn.output")
          == "\\left(\\mathrm{SiLU}(H) \\odot U\\right)\\,W_d");
    CHECK(formula("llama_grouped", "decoder.0.norm1")
          == "\\mathrm{RMSNorm}(x) = \\frac{x}{\\sqrt{\\mathrm{mean}({x}^2) + \\epsilon}}\\,\\gamma");
    CHECK(formula("llama_grouped", "decoder.0.add1") == "X + \\mathrm{Sublayer}(\\mathrm{RMSNorm}(X))");
    CHECK(formula("gpt2", "decoder.0.ffn.output") == "\\mathrm{GELU}_{\\tanh}(H)\\,W_2 + b_2");
    CHECK(formula("bert_plain", "encoder.embed.sum") == "X + X_s + PE");
    CHECK(formula("gpt2", "output.logits") == "Z = X\\,E^T");
}

TEST_CASE("the formulas of the paper's model read as the paper's") {
    const Told told(small_config());
    CHECK(told.formula("encoder.embed.tokens") == "X_i = E_{t_i}");
    CHECK(told.formula("encoder.embed.scaled") == "X\\,\\sqrt{d_{model}}");
    CHECK(told.formula("encoder.embed.output") == "X\\,\\sqrt{d_{model}} + PE");
    CHECK(told.formula("decoder.self_mask") == "M_{ij} = -\\infty \\;\\mathrm{if}\\; j > i");
    CHECK(told.formula("decoder.cross_mask") == "M_{ij} = 0 \\;\\mathrm{or}\\; -\\infty");
    CHECK(told.formula("encoder.0.self_attn.query") == "Q = X\\,W^Q + b^Q");
    CHECK(told.formula("encoder.0.self_attn.q") == "Q = [Q_1;\\,\\ldots;\\,Q_h]");
    CHECK(told.formula("encoder.0.self_attn.scores") == "S = Q\\,K^T");
    CHECK(told.formula("encoder.0.self_attn.scaled") == "\\frac{Q\\,K^T}{\\sqrt{d_k}}");
    CHECK(told.formula("encoder.0.self_attn.masked") == "\\frac{Q\\,K^T}{\\sqrt{d_k}} + M");
    CHECK(told.formula("encoder.0.self_attn.weights")
          == "A = \\mathrm{softmax}\\left(\\frac{Q\\,K^T}{\\sqrt{d_k}} + M\\right)");
    CHECK(told.formula("encoder.0.self_attn.heads") == "\\mathrm{head}_h = A_h\\,V_h");
    CHECK(told.formula("encoder.0.self_attn.concat")
          == "\\mathrm{Concat}(\\mathrm{head}_1, \\ldots, \\mathrm{head}_h)");
    CHECK(told.formula("encoder.0.self_attn.output")
          == "O = \\mathrm{Concat}(\\mathrm{head}_1, \\ldots, \\mathrm{head}_h)\\,W^O + b^O");
    CHECK(told.formula("encoder.0.add1") == "X + \\mathrm{Sublayer}(X)");
    CHECK(told.formula("encoder.0.norm1")
          == "\\mathrm{LayerNorm}(x) = \\frac{x - \\mu}{\\sqrt{\\sigma^2 + \\epsilon}}\\,\\gamma + \\beta");
    CHECK(told.formula("encoder.0.ffn.hidden") == "H = X\\,W_1 + b_1");
    CHECK(told.formula("encoder.0.ffn.activated") == "\\max(0,\\, H)");
    CHECK(told.formula("encoder.0.ffn.output") == "\\max(0,\\, H)\\,W_2 + b_2");
    CHECK(told.formula("output.logits") == "Z = X\\,W + b");
    CHECK(told.formula("output.probabilities") == "p_v = \\frac{e^{z_v}}{\\sum_{u} e^{z_u}}");
    CHECK(told.formula("output.chosen") == "\\hat{y} = \\mathrm{argmax}_v\\; p_v");
    CHECK(told.formula("decoder.goal") == "y = (y_1, \\ldots, y_n)");
    CHECK(told.formula("output.loss") == "L = -\\frac{1}{n}\\sum_{i} \\log \\mathrm{softmax}(Z)_{i,\\,y_i}");
}

TEST_CASE("a positional encoding is written with its sines and its cosines") {
    const std::string formula = Told(small_config()).formula("decoder.embed.positions");
    CHECK(contains(formula, "PE_{(pos,\\,2i)} = \\sin"));
    CHECK(contains(formula, "PE_{(pos,\\,2i+1)} = \\cos"));
}

TEST_CASE("the loss says when it is smoothed, and what it says is what it is") {
    Told told(small_config());
    feed(*told.model, one_pair(small_config(), 4, 3, 5));
    Node* loss = told.model->map.output.loss;
    StoryStep& step = told.steps.at(loss->path);
    const std::string without = step.formula;
    for (const double smoothing : {0.1, 0.5, 0.0}) {
        CAPTURE(smoothing);
        set_label_smoothing(loss, smoothing);
        told.model->graph.forward();
        write_formula(step, told.model->map);
        CAPTURE(step.formula);
        CHECK(contains(step.formula, "\\epsilon") == (smoothing > 0));
        CHECK(difference(step, small_config(), 0, smoothing) < 1e-5);
    }
    CHECK(step.formula == without);
}

TEST_CASE("roots that are whole numbers are said to be equal, others to be near") {
    ModelConfig config = small_config();
    for (const Index d_k : {4, 9, 16, 64, 2, 3, 8, 32}) {
        config.num_heads = 2;
        config.d_model = 2 * d_k;
        const Told told(config);
        check_root(told.sized("encoder.0.self_attn.scaled"), std::sqrt(double(d_k)), d_k);
        check_root(told.sized("encoder.embed.scaled"), std::sqrt(double(2 * d_k)), 2 * d_k);
    }
    CHECK(equals_rounded(8) == "= 8");
    CHECK(equals_rounded(std::sqrt(8.0)) == "\\approx 2.83");
}

TEST_CASE("in every kind of Transformer a formula names what its operation reads, and nothing else") {
    for (const ModelConfig& config : all_configs()) {
        CAPTURE(description(config));
        const Told told(config);
        const ModelMap& map = told.model->map;
        for (const auto& [path, step] : told.steps) {
            CAPTURE(path);
            CAPTURE(step.formula);
            CHECK_FALSE(step.formula.empty());
            std::set<const Node*> read, named;
            leaves(map, *step.node, read);
            for (const auto& [letter, node] : step.letters) named.insert(node);
            CHECK(named == read);
        }
        // What is scaled is said to be, what is not is not; a sum of positions only where they are.
        const bool has_sum = config.positional_encoding != PositionalEncoding::none;
        REQUIRE(told.steps.contains("encoder.embed.output") == has_sum);
        if (has_sum)
            CHECK(told.formula("encoder.embed.output")
                  == (config.scale_embeddings ? "X\\,\\sqrt{d_{model}} + PE" : "X + PE"));
        CHECK(told.steps.contains("encoder.embed.scaled") == config.scale_embeddings);
        const bool gelu = config.activation == Activation::gelu;
        CHECK(told.formula("decoder.1.ffn.output")
              == (gelu ? "\\mathrm{GELU}(H)\\,W_2 + b_2" : "\\max(0,\\, H)\\,W_2 + b_2"));
        CHECK(contains(told.formula("decoder.1.add2"), config.norm == Norm::batch ? "BatchNorm" : "LayerNorm")
              == (config.norm_position == NormPosition::pre));
    }
}

TEST_CASE("an edited value is written as what it now is, and as the operation again when the edit is gone") {
    Told told(small_config());
    Graph& graph = told.model->graph;
    const auto written = [&](const std::string& path) {
        const StoryStep& step = told.steps.at(path);
        StoryStep now = step;
        write_formula(now, told.model->map);
        return now;
    };
    Edit unscaled{"encoder.0.self_attn.scaled", {}};
    unscaled.from = "encoder.0.self_attn.scores";
    const Edit silent{"decoder.0.ffn.output", {}, Edit::Kind::scale, 0};
    const Edit doubled{"encoder.0.add1", {}, Edit::Kind::scale, 2};
    const Edit one_cell{"encoder.0.norm1", {0, 1, 2}, Edit::Kind::replace, 3};
    graph.set_edits({unscaled, silent, doubled, one_cell});
    const StoryStep scaled = written("encoder.0.self_attn.scaled");
    CHECK(!contains(scaled.formula, "\\sqrt"));
    CHECK(scaled.sized.empty());
    CHECK(scaled.sign.empty());
    CHECK(written("decoder.0.ffn.output").formula.ends_with("= 0"));
    CHECK(written("decoder.0.ffn.output").sign == "\\times\\,0");
    CHECK(contains(written("encoder.0.add1").sized, "\\cdot 2"));
    CHECK(written("encoder.0.norm1").formula == told.steps.at("encoder.0.norm1").formula);
    graph.set_edits({});
    for (const auto& [path, step] : told.steps) CHECK(written(path).formula == step.formula);
}
