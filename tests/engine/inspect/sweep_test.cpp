#include "engine/inspect/sweep.h"

#include "engine/inspect/region_cells.h"
#include "tests/engine/inspect/inspected_model.h"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>

using namespace headlight;

namespace {

const std::vector<TokenId> source = {5, 9, 2, 4, 7}, target = {1, 7, 12, 3}, goal = {7, 12, 3, 2};

void feed_all(Model& pass) {
    feed(pass.map.source()->tokens, source, 1, Index(source.size()));
    feed(pass.map.target()->tokens, target, 1, Index(target.size()));
    if (pass.map.output.goal) feed(pass.map.output.goal, goal, 1, Index(goal.size()));
}

// From the first token to the last, with nothing kept.
struct Alone {
    double probability;
    TokenId said;
};
Alone brute_force(InspectedModel& m, std::vector<Edit> edits, const SweepTrial& trial, SweepTarget watched) {
    const auto pass = build_transformer(m.config, m.parameters);
    feed_all(*pass);
    edits.insert(edits.end(), trial.edits.begin(), trial.edits.end());
    pass->graph.set_edits(std::move(edits));
    pass->graph.forward();
    const Tensor& probabilities = pass->map.output.probabilities->value;
    TokenId said = 0;
    for (TokenId word = 0; word < probabilities.columns(); ++word)
        if (probabilities(0, watched.row, word) > probabilities(0, watched.row, said)) said = word;
    return {double(probabilities(0, watched.row, watched.word)), said};
}

void check_against_brute_force(InspectedModel& m, const std::vector<Edit>& edits, const SweepPlan& plan) {
    const SweepTarget watched{2, 5};
    const auto pass = build_transformer(m.config, m.parameters);
    feed_all(*pass);
    Sweep sweep(*pass, edits, plan, {watched});
    CHECK(sweep.baseline() == brute_force(m, edits, {}, watched).probability);
    CHECK(sweep.said() == brute_force(m, edits, {}, watched).said);
    CHECK_FALSE(sweep.turns(plan.trials.front().row, plan.trials.front().column)); // not yet
    CHECK(sweep.done() == 0);
    while (sweep.advance()) {
    }
    CHECK(sweep.done() == sweep.total());
    CHECK(sweep.total() == Index(plan.trials.size()));
    bool any_change = false;
    for (const SweepTrial& trial : plan.trials) {
        const auto [expected, said] = brute_force(m, edits, trial, watched);
        CHECK(sweep.said(trial.row, trial.column) == said);
        CHECK(sweep.turns(trial.row, trial.column) == (said != sweep.said()));
        CHECK(double(sweep.probabilities()(0, trial.row, trial.column)) == expected);
        CHECK(sweep.changes()(0, trial.row, trial.column) == Real(expected - sweep.baseline()));
        any_change = any_change || expected != sweep.baseline();
    }
    CHECK(any_change);
}

ModelConfig two_layers(NormPosition position) {
    ModelConfig config = inspected_config();
    config.encoder_layers = config.decoder_layers = 2;
    config.norm_position = position;
    config.final_norm = position == NormPosition::pre;
    return config;
}

} // namespace

TEST_CASE("a sweep over all heads gives, to the bit, what each trial gives on its own") {
    for (const NormPosition position : {NormPosition::post, NormPosition::pre}) {
        InspectedModel m(two_layers(position));
        const SweepPlan plan = plan_silenced_heads(m.model->map);
        CHECK(plan.rows.size() == 6);
        CHECK(plan.trials.size() == 12);
        check_against_brute_force(m, {}, plan);
        check_against_brute_force(m, {{"encoder.1.norm1", {-1, 2, -1}, Edit::Kind::scale, Real(0.5)}}, plan);
    }
}

TEST_CASE("so does a sweep that patches every position of every layer") {
    for (const NormPosition position : {NormPosition::post, NormPosition::pre}) {
        InspectedModel m(two_layers(position)), other(two_layers(position), 7);
        m.compute(source, target, goal);
        other.compute({5, 3, 2, 4, 7, 8}, {1, 6, 11}, {6, 11, 2});
        const SweepPlan plan = plan_patched_positions(m.model->map, other.graph());
        CHECK(
            plan.rows
            == std::vector<std::string>{"encoder.embed.output", m.model->map.layer("encoder.0")->output->path,
                                        m.model->map.layer("encoder.1")->output->path, "decoder.embed.output",
                                        m.model->map.layer("decoder.0")->output->path,
                                        m.model->map.layer("decoder.1")->output->path});
        CHECK(plan.columns == 6);
        CHECK(plan.trials.size() == 3 * 5 + 3 * 3);
        check_against_brute_force(m, {}, plan);
    }
}

TEST_CASE("log-probability and log-odds of a sweep are those of the logits, worked out by hand") {
    InspectedModel m(two_layers(NormPosition::post));
    const SweepTarget target_word{2, 5};
    const auto pass = build_transformer(m.config, m.parameters),
               alone = build_transformer(m.config, m.parameters);
    feed_all(*pass);
    feed_all(*alone);
    Sweep sweep(*pass, {}, plan_silenced_heads(m.model->map), {target_word});
    while (sweep.advance()) {
    }
    const auto by_hand = [&](std::vector<Edit> edits) {
        alone->graph.set_edits(std::move(edits));
        alone->graph.forward();
        double word = 0, others = 0;
        for (Index i = 0; i < alone->map.output.values->shape().columns; ++i)
            (i == target_word.word ? word : others) +=
                std::exp(double(alone->map.output.values->value(0, 2, i)));
        return std::pair{std::log(word / (word + others)), std::log(word / others)};
    };
    const auto [log_p, log_odds] = by_hand({});
    CHECK(sweep.baseline(SweepMeasure::log_probability) == doctest::Approx(log_p).epsilon(1e-9));
    CHECK(sweep.baseline(SweepMeasure::log_odds) == doctest::Approx(log_odds).epsilon(1e-9));
    CHECK(std::exp(log_p) == doctest::Approx(sweep.baseline()).epsilon(1e-5));
    for (const SweepTrial& trial : sweep.plan().trials) {
        const auto [trial_log_p, trial_log_odds] = by_hand(trial.edits);
        CHECK(double(sweep.changes(SweepMeasure::log_probability)(0, trial.row, trial.column))
              == doctest::Approx(trial_log_p - log_p).epsilon(1e-4));
        CHECK(double(sweep.changes(SweepMeasure::log_odds)(0, trial.row, trial.column))
              == doctest::Approx(trial_log_odds - log_odds).epsilon(1e-4));
    }
}

TEST_CASE(
    "where the probability is as good as 1, the log-odds still tell how good; an edited one is taken as is") {
    InspectedModel m;
    m.compute(source, target, goal);
    Model& pass = *m.model;
    const double z = double(pass.map.output.values->value(0, 1, 4));
    for (const double more : {30.0, 60.0, 300.0}) {
        pass.graph.set_edits({{"output.logits", {0, 1, 4}, Edit::Kind::add, Real(more)}});
        pass.graph.forward();
        double others = 0;
        for (Index i = 0; i < pass.map.output.values->shape().columns; ++i)
            if (i != 4) others += std::exp(double(pass.map.output.values->value(0, 1, i)));
        CHECK(watched(pass, 1, 4, SweepMeasure::probability) == 1);
        CHECK(watched(pass, 1, 4, SweepMeasure::log_odds)
              == doctest::Approx(z + more - std::log(others)).epsilon(1e-6));
        CHECK(watched(pass, 1, 4, SweepMeasure::log_probability) <= 0);
        CHECK(std::isfinite(watched(pass, 1, 0, SweepMeasure::log_probability)));
    }
    pass.graph.set_edits({{"output.probabilities", {0, 1, 4}, Edit::Kind::replace, Real(0.2)}});
    pass.graph.forward();
    CHECK(watched(pass, 1, 4, SweepMeasure::log_probability) == doctest::Approx(std::log(0.2)));
    CHECK(watched(pass, 1, 4, SweepMeasure::log_odds) == doctest::Approx(std::log(0.25)));
}

TEST_CASE("places without a trial have no number") {
    InspectedModel m;
    m.compute(source, target, goal);
    const auto pass = build_transformer(m.config, m.parameters);
    feed_all(*pass);
    Sweep sweep(*pass, {}, plan_patched_positions(m.model->map, m.graph()), {SweepTarget{0, 0}});
    while (sweep.advance()) {
    }
    CHECK(std::isnan(sweep.probabilities()(0, 2, 4))); // the decoder has four positions
    CHECK(double(sweep.changes()(0, 0, 3)) == 0);      // patched with its own
    Sweep nothing(*pass, {}, {}, {SweepTarget{}});
    CHECK_FALSE(nothing.advance());
}

TEST_CASE("layers are known by what they read and what they compute last") {
    InspectedModel post(two_layers(NormPosition::post)), pre(two_layers(NormPosition::pre));
    CHECK(attentions_of(post.model->map)
          == std::vector<std::string>{"encoder.0.self_attn", "encoder.1.self_attn", "decoder.0.self_attn",
                                      "decoder.0.cross_attn", "decoder.1.self_attn", "decoder.1.cross_attn"});
    CHECK(layers_of(pre.model->map)
          == std::vector<std::string>{"encoder.0", "encoder.1", "decoder.0", "decoder.1"});
    CHECK(post.model->map.layer("decoder.1")->input->path == "decoder.0.norm3");
    CHECK(post.model->map.layer("decoder.1")->output->path == "decoder.1.norm3");
    CHECK(pre.model->map.layer("encoder.0")->input->path == "encoder.embed.output");
    CHECK(pre.model->map.layer("encoder.0")->output->path == "encoder.0.add2");
    CHECK(pre.model->map.layer("encoder.9") == nullptr);
    CHECK(lies_in("encoder.1.add1", "encoder.1"));
    CHECK_FALSE(lies_in("encoder.10.add1", "encoder.1"));
}
