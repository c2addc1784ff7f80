// Measures of every family: each cell is what its explanation says, and what a computation by hand finds.
#include "engine/inspect/heads.h"
#include "engine/inspect/measures/measures.h"
#include "engine/inspect/path_patching.h"
#include "engine/io/safetensors.h"
#include "tests/engine/model/families.h"
#include "tests/engine/model/foreign_models.h"
#include "tests/support/explanation_check.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace headlight;
using namespace headlight::test;

namespace {

// Of every family one, and of architectures that nobody ships.
struct MeasuredModels {
    std::vector<std::unique_ptr<ComputedFamily>> families;
    std::vector<std::unique_ptr<ComputedForeignModel>> foreign;

    MeasuredModels() {
        for (const std::string& name : one_of_a_family())
            families.push_back(std::make_unique<ComputedFamily>(name));
        for (const ForeignModel& one : foreign_models())
            foreign.push_back(std::make_unique<ComputedForeignModel>(one));
    }
    template <class Visit>
    void each(Visit visit) {
        for (const auto& one : families) visit(one->name, *one->model);
        for (const auto& one : foreign) visit(one->foreign.name, *one->model);
    }
};

Index last_row(const Model& model) { return model.map.output.values->value.rows() - 1; }

double number(const Graph& graph, const std::string& path, Cell cell = {}) {
    const Node* node = graph.find(path);
    REQUIRE_MESSAGE(node != nullptr, path);
    return double(node->value(cell.batch, cell.row, cell.column));
}

} // namespace

TEST_CASE("every number of every measure is what its explanation says, in every family") {
    MeasuredModels models;
    models.each([](const std::string& name, Model& model) {
        CAPTURE(name);
        const SweepTarget target{model.map.output.values ? last_row(model) : 0, 1, TokenId(0)};
        for (const std::string& graph : measure_graphs(model)) {
            CAPTURE(graph);
            const auto made = compute_measure(graph, model, target);
            CHECK(unexplained_cell(made->graph) == "");
            CHECK_FALSE(made->graph.nodes().empty());
            for (const Node& node : made->graph.nodes())
                if (node.named) CHECK(measure_graph_of(node.path, model) == graph);
        }
        CHECK(measure_graph_of("measures.nothing", model).empty());
        CHECK(measure_graph_of(model.map.output.values ? model.map.output.values->path : "x", model).empty());
    });
}

TEST_CASE("at the last stop a lens says what the model says, and before it something else") {
    MeasuredModels models;
    Index lenses = 0;
    models.each([&](const std::string& name, Model& model) {
        CAPTURE(name);
        for (const Stream& stream : model.map.streams) {
            const Index stops = lens_stops(model, stream);
            if (stops == 0) continue;
            ++lenses;
            const Tensor& own = said_by(model.map)->value;
            const auto said = [&](Index stop) {
                const std::string graph = "measures.lens." + stream.name + "." + std::to_string(stop);
                const auto made = compute_measure(graph, model, {});
                return KeptTensor(made->graph.find(graph + ".said")->value);
            };
            CHECK(said(stops - 1) == KeptTensor(own));
            CHECK(said(0) != KeptTensor(own));
        }
    });
    CHECK(lenses > 10);
}

TEST_CASE("the lens of GPT-2 is ln_f and the output matrix, of each layer") {
    const ComputedFamily gpt2("gpt2");
    const Model& model = *gpt2.model;
    const Stream& stream = model.map.streams.front();
    const std::vector<const Node*> passages = model.map.passages(stream);
    const Node &logits = *model.map.output.values, &norm = logits.input(0);
    const double epsilon = norm.op->normalisation()->epsilon;
    const Tensor &gamma = norm.input(1).value, &beta = norm.input(2).value, &w = logits.input(1).value;
    for (std::size_t stop = 0; stop < passages.size(); ++stop) {
        const std::string graph = "measures.lens.decoder." + std::to_string(stop);
        const auto made = compute_measure(graph, model, {});
        const Tensor& x = passages[stop]->value;
        for (Index t = 0; t < x.rows(); ++t) {
            double mean = 0, variance = 0;
            for (Index j = 0; j < x.columns(); ++j) mean += double(x(0, t, j)) / double(x.columns());
            for (Index j = 0; j < x.columns(); ++j)
                variance += std::pow(double(x(0, t, j)) - mean, 2) / double(x.columns());
            for (TokenId word = 0; word < 5; ++word) {
                double z = 0;
                for (Index j = 0; j < x.columns(); ++j)
                    z += ((double(x(0, t, j)) - mean) / std::sqrt(variance + epsilon) * double(gamma(0, 0, j))
                          + double(beta(0, 0, j)))
                         * double(w(0, word, j));
                CHECK(number(made->graph, graph + ".output.logits", {0, t, word})
                      == doctest::Approx(z).epsilon(1e-4));
            }
        }
    }
}

TEST_CASE("direct attributions add up to the logit, in every model with a linear way to it") {
    MeasuredModels models;
    std::vector<std::string> without;
    Index linear = 0;
    models.each([&](const std::string& name, Model& model) {
        CAPTURE(name);
        if (!has_linear_way(model.map)) return without.push_back(name);
        ++linear;
        for (const std::optional<TokenId>& against : {std::optional<TokenId>(), std::optional<TokenId>(0)})
            for (Index row = 0; row <= last_row(model); ++row) {
                const auto made = compute_measure("measures.attribution", model, {row, 1, against});
                const double logit = double(made->attribution.logit->value(0, 0, 0));
                CHECK(double(made->attribution.sum->value(0, 0, 0))
                      == doctest::Approx(logit).epsilon(1e-4).scale(1));
            }
    });
    CHECK(linear > 6);
    for (const char* name : {"bert_classes", "bert_masked"}) // an activation stands on the way
        CHECK(std::find(without.begin(), without.end(), name) != without.end());
}

TEST_CASE("a head's attribution is what it writes, centred and scaled by the last norm, against the word") {
    const ComputedFamily gpt2("gpt2");
    const Model& model = *gpt2.model;
    const Node &logits = *model.map.output.values, &norm = logits.input(0), &x = norm.input(0);
    const Tensor &gamma = norm.input(1).value, &w = logits.input(1).value;
    const Index row = last_row(model), d = x.value.columns();
    const TokenId word = 3, other = 7;
    double mean = 0, variance = 0;
    for (Index j = 0; j < d; ++j) mean += double(x.value(0, row, j)) / double(d);
    for (Index j = 0; j < d; ++j) variance += std::pow(double(x.value(0, row, j)) - mean, 2) / double(d);
    const double sigma = std::sqrt(variance + norm.op->normalisation()->epsilon);
    const auto made = compute_measure("measures.attribution", model, {row, word, other});
    for (const Attention& attention : model.map.attentions) {
        const Tensor &mixed = attention.mixed->value, &w_o = attention.output->input(1).value;
        const Index d_k = mixed.columns();
        for (Index head = 0; head < attention.heads; ++head) {
            std::vector<double> writes(std::size_t(d), 0);
            double centre = 0, expected = 0, by_keys = 0;
            for (Index j = 0; j < d; ++j) {
                for (Index c = 0; c < d_k; ++c)
                    writes[std::size_t(j)] += double(mixed(head, row, c)) * double(w_o(0, j, head * d_k + c));
                centre += writes[std::size_t(j)] / double(d);
            }
            for (Index j = 0; j < d; ++j)
                expected += (writes[std::size_t(j)] - centre) * double(gamma(0, 0, j)) / sigma
                            * (double(w(0, word, j)) - double(w(0, other, j)));
            const std::string place = "measures.attribution." + attention.path;
            CHECK(number(made->graph, place + ".heads", {head, 0, 0})
                  == doctest::Approx(expected).epsilon(1e-3).scale(0.01));
            const Tensor& keys = made->graph.find(place + ".by_key")->value;
            for (Index s = 0; s < keys.columns(); ++s) by_keys += double(keys(head, 0, s));
            CHECK(by_keys == doctest::Approx(expected).epsilon(1e-3).scale(0.01));
        }
    }
}

TEST_CASE("what a change by hand brings is a part of the sum, and the lens makes the change too") {
    ComputedFamily gpt2("gpt2");
    Model& model = *gpt2.model;
    const Attention& attention = model.map.attentions.front();
    const Layer& layer = model.map.layers.back();
    const Node& norm = model.map.output.values->input(0);
    Edit removed{layer.output->path, {}};
    removed.from = layer.input->path;
    for (const Edit& edit :
         {Edit{attention.mixed->path, {0, -1, -1}, Edit::Kind::scale, 0},
          Edit{attention.output->path, {-1, -1, -1}, Edit::Kind::scale, 2},
          Edit{norm.path, {}, Edit::Kind::add, Real(0.5)},
          Edit{model.map.output.values->path, {0, -1, 1}, Edit::Kind::replace, 3}, removed}) {
        CAPTURE(edit.path);
        model.graph.set_edits({edit});
        model.graph.forward();
        const auto made = compute_measure("measures.attribution", model, {last_row(model), 1, {}});
        CHECK(double(made->attribution.sum->value(0, 0, 0))
              == doctest::Approx(double(made->attribution.logit->value(0, 0, 0))).epsilon(1e-4).scale(1));
        CHECK(unexplained_cell(made->graph) == "");
        const std::string last = "measures.lens.decoder." + std::to_string(model.map.layers.size());
        const auto lens = compute_measure(last, model, {});
        CHECK(KeptTensor(lens->graph.find(last + ".said")->value) == KeptTensor(said_by(model.map)->value));
    }
}

TEST_CASE("scores of heads are those that are told of them, and rollout is rollout") {
    MeasuredModels models;
    models.each([](const std::string& name, Model& model) {
        CAPTURE(name);
        for (const Attention& attention : model.map.attentions) {
            const std::string place = "measures.heads." + attention.path;
            const auto made = compute_measure(place, model, {});
            const auto words = [](const Node& tokens) {
                std::vector<std::string> all;
                for (Index t = 0; t < tokens.value.rows(); ++t)
                    all.push_back(std::to_string(int(tokens.value(0, t, 0))));
                return all;
            };
            const std::vector<MeasuredHead> told =
                measure_heads(attention, words(*attention.query_tokens()), words(*attention.key_tokens()));
            for (std::size_t m = 0; m < head_measures; ++m)
                for (Index head = 0; head < attention.heads; ++head) {
                    if (!is_defined(HeadMeasure(m), attention)) continue;
                    const std::optional<double>& value = told[std::size_t(head)].value[m];
                    CHECK(number(made->graph, place + "." + name_of(HeadMeasure(m)), {head, 0, 0})
                          == doctest::Approx(value.value_or(0)).epsilon(1e-5));
                    if (value) CHECK(queries_with_keys(HeadMeasure(m), attention) > 0); // a mask may forbid
                }
            const KeptTensor mean = mean_of_heads(attention.weights->value);
            for (Index t = 0; t < mean.shape.rows; ++t)
                for (Index s = 0; s < mean.shape.columns; ++s)
                    CHECK(number(made->graph, place + ".mean", {0, t, s})
                          == doctest::Approx(double(mean(0, t, s))).epsilon(1e-6));
        }
        for (const Stream& stream : model.map.streams) {
            std::vector<Tensor> weights;
            for (const Attention& attention : model.map.attentions)
                if (attention.is_self() && attention.query_tokens() == stream.tokens)
                    weights.push_back(attention.weights->value);
            if (weights.empty()) continue;
            const std::string place = "measures.rollout." + stream.name;
            const auto made = compute_measure(place, model, {});
            const KeptTensor rolled = attention_rollout(weights);
            const std::string last = place + "." + std::to_string(weights.size() - 1) + ".rollout";
            for (Index t = 0; t < rolled.shape.rows; ++t) {
                double sum = 0;
                for (Index s = 0; s < rolled.shape.columns; ++s) {
                    const double there = number(made->graph, last, {0, t, s});
                    CHECK(there == doctest::Approx(double(rolled(0, t, s))).epsilon(1e-5).scale(0.01));
                    sum += there;
                }
                CHECK(sum == doctest::Approx(1).epsilon(1e-5));
            }
        }
    });
}

TEST_CASE("a repeated sentence has its induction, duplicate and previous weights where they are looked for") {
    const PatternWords words{{1, 2, 3, 1, 2, 3}, {1, 2, 3, 1, 2, 3}, true};
    for (Index t = 3; t < 6; ++t)
        for (Index s = 0; s < 6; ++s) {
            CHECK(is_in_pattern(HeadMeasure::induction, t, s, words) == (s == t - 2));
            CHECK(is_in_pattern(HeadMeasure::duplicate, t, s, words) == (s == t - 3));
            CHECK(is_in_pattern(HeadMeasure::previous, t, s, words) == (s == t - 1));
        }
}

TEST_CASE("value-weighted attention is the weight times the length of what the key has to tell") {
    const ComputedFamily llama("llama_grouped");
    for (const Attention& attention : llama.model->map.attentions) {
        const std::string place = "measures.values." + attention.path;
        const auto made = compute_measure(place, *llama.model, {});
        const Tensor &v = attention.v->value, &w_o = attention.output->input(1).value;
        const Index d_k = v.columns(), shared = attention.heads / attention.key_heads;
        for (Index head = 0; head < attention.heads; ++head)
            for (Index s = 0; s < v.rows(); ++s) {
                double squares = 0;
                for (Index j = 0; j < w_o.rows(); ++j) {
                    double told = 0;
                    for (Index c = 0; c < d_k; ++c)
                        told += double(v(head / shared, s, c)) * double(w_o(0, j, head * d_k + c));
                    squares += told * told;
                }
                const Index t = v.rows() - 1;
                CHECK(number(made->graph, place + ".weighted", {head, t, s})
                      == doctest::Approx(double(attention.weights->value(head, t, s)) * std::sqrt(squares))
                             .epsilon(1e-4));
            }
    }
}

TEST_CASE("a patched path carries what the sender told the receiver, and nothing else") {
    ComputedFamily gpt2("gpt2");
    const auto other = gpt2.another_pass(), by_hand = gpt2.another_pass();
    Tensor& tokens = other->map.streams.front().tokens->value; // another sentence of the same length
    Model& model = *gpt2.model;
    Edit word{model.map.streams.front().tokens->path, {0, 0, 0}, Edit::Kind::replace, 5};
    word.number = tokens(0, 0, 0) == 5 ? 6 : 5;
    other->graph.set_edits({word});
    other->graph.forward();
    const Attention &first = model.map.attentions[0], &second = model.map.attentions[1];
    const SweepTarget target{last_row(model), 2, TokenId(4)};
    const auto effect = patch_path(model, {}, other->graph, {first.path, 1},
                                   {{second.path, 0, PathInput::q}, {second.path, 1, PathInput::v}}, target);

    // Between the first attention and the inputs of the second no other head stands: there plain patching
    // finds the same, and the third pass takes these inputs alone.
    const auto slice = [&](const Node& node, const Tensor& from, Index head) {
        Edit edit{node.path, {head, -1, -1}};
        edit.values = KeptTensor({1, from.rows(), from.columns()});
        std::copy_n(from.matrix(head), from.rows() * from.columns(), edit.values.numbers.data());
        return edit;
    };
    const double original = watched(*by_hand, target, SweepMeasure::logit);
    by_hand->graph.set_edits({slice(*first.mixed, other->graph.find(first.mixed->path)->value, 1)});
    by_hand->graph.forward();
    const std::vector<Edit> heard = {slice(*second.q, by_hand->graph.find(second.q->path)->value, 0),
                                     slice(*second.v, by_hand->graph.find(second.v->path)->value, 1)};
    by_hand->graph.set_edits(heard);
    by_hand->graph.forward();
    CHECK(effect.original == doctest::Approx(original).epsilon(1e-6));
    CHECK(effect.patched == doctest::Approx(watched(*by_hand, target, SweepMeasure::logit)).epsilon(1e-5));
    CHECK(effect.change() != 0);

    // From the second attention nothing leads back to the first.
    const auto back =
        patch_path(model, {}, other->graph, {second.path, 0}, {{first.path, 0, PathInput::q}}, target);
    CHECK(back.change() == doctest::Approx(0));
}

TEST_CASE(
    "a normalised effect is 1 where all is restored, 0 where nothing is, and silent where nothing differs") {
    CHECK(*normalised_effect(3, 1, 3) == doctest::Approx(1));
    CHECK(*normalised_effect(1, 1, 3) == doctest::Approx(0));
    CHECK(*normalised_effect(5, 1, 3) == doctest::Approx(2));
    CHECK_FALSE(normalised_effect(1, 1, 1.001).has_value());
}

// tests/scripts/make_measure_fixtures.py
TEST_CASE("lens, attributions, scores, rollout and weighted attention are what PyTorch computes") {
    const ComputedFamily gpt2("gpt2");
    const Model& model = *gpt2.model;
    const auto file = SafetensorsFile::open(std::filesystem::path(HEADLIGHT_SOURCE_DIR)
                                            / "tests/data/measures/gpt2.safetensors");
    REQUIRE(file);
    const SweepTarget target{last_row(model), 3, TokenId(7)};
    Index compared = 0;
    const auto same = [&](const std::string& theirs, const std::string& graph, const std::string& path) {
        CAPTURE(theirs);
        const TensorEntry* entry = file->find(theirs);
        REQUIRE(entry);
        std::vector<Real> expected(std::size_t(entry->count));
        REQUIRE(file->read(*entry, expected.data()));
        const auto made = compute_measure(graph, model, target);
        const Node* node = made->graph.find(path);
        REQUIRE_MESSAGE(node, path);
        REQUIRE(node->value.size() == entry->count);
        for (Index i = 0; i < entry->count; ++i)
            CHECK(double(node->value.data()[i])
                  == doctest::Approx(double(expected[std::size_t(i)])).epsilon(2e-4).scale(0.1));
        ++compared;
    };
    for (std::size_t stop = 0; stop <= model.map.layers.size(); ++stop) {
        const std::string graph = "measures.lens.decoder." + std::to_string(stop);
        same("lens." + std::to_string(stop), graph, graph + ".said");
    }
    for (std::size_t i = 0; i < model.map.attentions.size(); ++i) {
        const std::string place = model.map.attentions[i].path, heads = "measures.heads." + place;
        same(place + ".heads", "measures.attribution", "measures.attribution." + place + ".heads");
        same(place + ".weighted", "measures.values." + place, "measures.values." + place + ".weighted");
        for (const char* pattern : {"previous", "duplicate", "induction"})
            same(place + "." + pattern + "_share", heads, heads + "." + pattern + "_share");
        same("rollout." + std::to_string(i), "measures.rollout.decoder",
             "measures.rollout.decoder." + std::to_string(i) + ".rollout");
    }
    same("sum", "measures.attribution", "measures.attribution.sum");
    CHECK(compared == Index(file->entries().size()));
}
