// What is left of a fact when it is asked for: gradients over time, and the cells that were overwritten.
#include "engine/inspect/forgetting.h"
#include "engine/train/race.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace headlight;

namespace {

struct Racing {
    std::unique_ptr<RaceTraining> training;
    std::unique_ptr<Model> model;

    MemoryQuestion question(const std::string& words, const std::string& answer) const {
        const ModelFiles& files = training->model();
        return {files.source.encode_ids(words), files.target.encode_ids(answer).front()};
    }
    TokenId pad() const { return training->model().config.pad_id; }
};

Racing begin(const std::string& name, int steps = 0) {
    RacePlan plan;
    plan.models = {name};
    plan.distances = {2};
    plan.parameters = 1500;
    plan.batch_size = 8;
    plan.steps = 500;
    Racing racing;
    auto begun = RaceTraining::begin(plan, {name, 2, 0.02, 1}, "");
    REQUIRE(begun);
    racing.training = *std::move(begun);
    for (int i = 0; i < steps; ++i) racing.training->run().step();
    const ModelFiles& files = racing.training->model();
    racing.model = files.build(const_cast<Parameters&>(files.parameters), {.loss = true});
    return racing;
}

constexpr const char* germany = "i grew up in germany and then i speak fluent";
constexpr const char* france = "i grew up in france and then i speak fluent";

// ‖∂L/∂row‖ by moving every cell of the row a little.
double norm_by_differences(Model& model, const MemoryQuestion& question, TokenId pad, const std::string& path,
                           Index row) {
    constexpr Real little = 0.02f;
    const Index columns = model.graph.find(path)->shape().columns;
    double sum = 0;
    for (Index column = 0; column < columns; ++column) {
        double losses[2];
        for (const int sign : {0, 1}) {
            model.graph.set_edits({{path, {0, row, column}, Edit::Kind::add, sign ? little : -little}});
            losses[sign] = forgetting_of(model, question, pad).loss;
        }
        const double slope = (losses[1] - losses[0]) / (2 * double(little));
        sum += slope * slope;
    }
    model.graph.set_edits({});
    return std::sqrt(sum);
}

} // namespace

TEST_CASE("the gradient that reaches a step of time is how much the loss moves with what was known then") {
    for (const std::string& name : racer_names()) {
        CAPTURE(name);
        const Racing racing = begin(name, 30);
        const MemoryQuestion question = racing.question(germany, "german");
        const Forgetting found = forgetting_of(*racing.model, question, racing.pad());
        const bool reads_end = racing.training->model().config.has_encoder();
        CHECK(found.read.size() == 11); // ten words and <s> or </s>
        CHECK(found.read[reads_end ? 4 : 5] == question.words[4]);
        CHECK(found.probability == doctest::Approx(std::exp(-found.loss)));
        REQUIRE(found.gradients.size() == (name == "lstm" ? 2 : 1));
        for (const RowNorms& gradient : found.gradients) {
            REQUIRE(gradient.norms.size() == found.read.size());
            for (const Index row : {1, 5, 8}) {
                const double norm =
                    norm_by_differences(*racing.model, question, racing.pad(), gradient.path, row);
                CAPTURE(gradient.path);
                const double off = std::abs(gradient.norms[std::size_t(row)] - norm);
                CHECK(off <= 0.05 * norm + 3e-4); // of floats no more can be told
                if (row == 8) CHECK(norm > 5e-4); // the question is near
            }
        }
    }
}

TEST_CASE("two sentences that differ in the fact alone differ in no cell before it") {
    for (const char* name : {"rnn", "lstm", "gru", "rnn-fixed"}) {
        CAPTURE(name);
        const Racing racing = begin(name, 30);
        const auto held = held_fact(*racing.model, racing.question(germany, "german"),
                                    racing.question(france, "french"), racing.pad());
        REQUIRE(held);
        const Index fact = std::string(name) == "rnn-fixed" ? 4 : 5; // behind <s>
        CHECK(held->path
              == (std::string(name) == "lstm"        ? "rnn.0.cell"
                  : std::string(name) == "rnn-fixed" ? "encoder.0.hidden"
                                                     : "rnn.0.hidden"));
        for (Index t = 0; t < fact; ++t) CHECK(held->total[std::size_t(t)] == 0);
        CHECK(held->total[std::size_t(fact)] > 0);
        CHECK(held->difference.size() == std::size_t(held->steps * held->cells));
        CHECK(Index(held->cells_by_most.size()) == held->cells);
        double before = INFINITY;
        for (const Overwriting& one : held->cells_by_most) {
            CHECK(one.most <= before);
            before = one.most;
            CHECK(one.most == held->at(one.at, one.cell));
            CHECK(one.at >= fact);
            if (one.lost < 0) {
                CHECK(held->at(held->steps - 1, one.cell) >= one.most / 2);
                continue;
            }
            CHECK(held->at(one.lost - 1, one.cell) >= one.most / 2);
            for (Index t = one.lost; t < held->steps; ++t) CHECK(held->at(t, one.cell) < one.most / 2);
            const bool is_gated = std::string(name) != "rnn";
            CHECK((one.gate >= 0) == is_gated);
            if (std::string(name) == "lstm")
                CHECK(one.gate
                      == double(racing.model->graph.find("rnn.0.forget_gate")->value(0, one.lost, one.cell)));
        }
    }
}

TEST_CASE("a Transformer has no cell to be overwritten") {
    const Racing racing = begin("transformer-1");
    CHECK_FALSE(memory_layer(racing.model->map));
    CHECK_FALSE(held_fact(*racing.model, racing.question(germany, "german"),
                          racing.question(france, "french"), racing.pad()));
}
