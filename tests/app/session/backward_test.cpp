#include "app/session/session.h"
#include "app/session/step_text.h"
#include "engine/ops/softmax.h"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

using namespace headlight;

namespace {

const std::filesystem::path assets = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets";

std::unique_ptr<Session> a_session(const std::string& source, const std::string& target = {}) {
    Result<Strings> strings = Strings::load(assets);
    REQUIRE(strings);
    auto session = std::make_unique<Session>(assets, *std::move(strings));
    REQUIRE(session->execute("model translate-en-pt"));
    REQUIRE(session->execute("source " + source));
    REQUIRE(session->execute("target " + target));
    return session;
}

} // namespace

TEST_CASE("the story ends with what should have been said, and with the loss") {
    const auto session = a_session("You are welcome");
    const std::vector<StoryStep>& story = session->model().story;
    REQUIRE(story.size() > 2);
    CHECK(story[story.size() - 3].path() == "output.chosen");
    CHECK(story[story.size() - 2].path() == "decoder.goal");
    CHECK(story[story.size() - 1].path() == "output.loss");
    CHECK(session->model().blocks.back().id == "output");
    CHECK(session->model().blocks.back().count == 5);
}

TEST_CASE(
    "what should be said is the model's own words, or the given target; the loss is the surprise at it") {
    for (const std::string target : {"", "De nada", "Eu estou bem"}) {
        CAPTURE(target);
        const auto session = a_session("You are welcome", target);
        const Sentence& sentence = session->sentence();
        CHECK(sentence.goal_ids.size() == sentence.target_ids.size());
        CHECK(sentence.goal_labels.back() == "</s>");
        if (target.empty()) CHECK(sentence.goal_labels == std::vector<std::string>{"De", "nada", "</s>"});
        const Node& probabilities = *session->model().map().output.probabilities;
        double surprise = 0;
        for (std::size_t t = 0; t < sentence.goal_ids.size(); ++t)
            surprise -= std::log(double(probabilities.value(0, Index(t), sentence.goal_ids[t])));
        CHECK(double(session->model().map().output.loss->value(0, 0, 0))
              == doctest::Approx(surprise / double(sentence.goal_ids.size())).epsilon(1e-4));
    }
}

TEST_CASE("gradients are computed when they are asked for, and anew when the sentence changes") {
    const auto session = a_session("You are welcome", "Eu estou bem");
    const Node& q = *session->model().graph().find("encoder.0.self_attn.q");
    CHECK(session->model().graph().differentiated() == nullptr);
    CHECK_FALSE(session->shows_gradient(q));
    CHECK(session->model().graph().differentiated() == nullptr); // nobody looks at gradients yet
    REQUIRE(session->execute("backward on"));
    CHECK(session->shows_gradient(q));
    CHECK_FALSE(session->shows_gradient(*session->model().map().source()->tokens));
    const double before = double(q.grad(0, 0, 0));
    CHECK(before != 0);
    REQUIRE(session->execute("source I am fine"));
    CHECK(session->model().graph().differentiated() != nullptr); // they are looked at
    const double explained = session->model().graph().explain_gradient(q, {0, 0, 0}).evaluate();
    CHECK(double(q.grad(0, 0, 0)) == doctest::Approx(explained).epsilon(1e-4));
    CHECK(double(q.grad(0, 0, 0)) != before);
    REQUIRE(session->execute("backward toggle"));
    CHECK_FALSE(session->shows_gradient(q));
    CHECK_FALSE(session->execute("backward sideways"));
}

TEST_CASE("predicted and wanted stand side by side, and their difference is the gradient of the scores") {
    const auto session = a_session("You are welcome", "De nada");
    REQUIRE(session->execute("smoothing 0.1"));
    REQUIRE(session->execute("backward on"));
    const Model& model = *session->model().main_pass;
    const Index words = model.map.output.values->value.columns();
    for (Index t = 0; t < model.map.output.values->value.rows(); ++t) {
        const std::vector<double> wanted = wanted_distribution(*model.map.output.loss, 0, t);
        double total = 0;
        for (Index v = 0; v < words; ++v) {
            total += wanted[std::size_t(v)];
            const double difference =
                double(model.map.output.probabilities->value(0, t, v)) - wanted[std::size_t(v)];
            CHECK(
                double(model.map.output.values->grad(0, t, v))
                == doctest::Approx(difference / double(model.map.output.values->value.rows())).epsilon(1e-4));
        }
        CHECK(total == doctest::Approx(1));
        CHECK(wanted[std::size_t(session->sentence().goal_ids[std::size_t(t)])]
              == doctest::Approx(0.9 + 0.1 / double(words)));
    }
    CHECK_FALSE(session->execute("smoothing 1"));
    CHECK_FALSE(session->execute("smoothing -0.1"));
    CHECK_FALSE(session->execute("smoothing much"));
}

TEST_CASE("the way back from the loss is walked step by step, with words for every step in both languages") {
    const auto session = a_session("You are welcome", "Eu estou bem");
    const std::vector<BackwardStep>& story = session->model().backward_story;
    REQUIRE(session->execute("backward step first"));
    CHECK(session->view().backward.on);
    CHECK(session->backward_step().path() == "output.loss");
    REQUIRE(session->execute("backward step +1"));
    CHECK(session->backward_step().path() == "output.logits");
    REQUIRE(session->execute("backward step -5"));
    CHECK(session->backward_step().path() == "output.loss");
    REQUIRE(session->execute("backward goto encoder.0.self_attn.w_q"));
    CHECK(session->backward_step().path() == "encoder.0.self_attn.w_q");
    REQUIRE(session->execute("backward step last"));
    CHECK(session->backward_step().path() == "encoder.embed.table");
    CHECK_FALSE(session->execute("backward goto encoder.tokens"));
    CHECK_FALSE(session->execute("backward step soon"));
    CHECK_FALSE(session->execute("backward step +1 +1"));
    for (const char* language : {"en", "pt"}) {
        REQUIRE(session->execute(std::string("language ") + language));
        for (const BackwardStep& step : story) {
            CAPTURE(step.path());
            for (const std::string& text : {gradient_title(*session, step), gradient_text(*session, step)}) {
                CHECK_FALSE(text.empty());
                CHECK(text.find('{') == text.npos);
            }
        }
    }
    CHECK(session->strings().missing().empty());
    REQUIRE(session->execute("model copy")); // a shorter story
    CHECK(session->backward_step().path() == "encoder.embed.table");
}

TEST_CASE("a script can hold a gradient to a number") {
    const auto session = a_session("You are welcome", "De nada");
    CHECK(session->execute("expect_gradient output.loss 0 0 0 1 0"));
    CHECK_FALSE(session->execute("expect_gradient output.loss 0 0 0 0.9 0.01"));
    CHECK(session->execute("expect_gradient encoder.tokens 0 0 0 0 0").error().key
          == "error.no_such_gradient");
    CHECK(session->execute("expect_gradient no.such 0 0 0 0 0").error().key == "error.no_such_gradient");
    CHECK(session->execute("expect_gradient output.logits 0 99 0 0 0").error().key == "error.no_such_cell");
    CHECK(session->execute("expect_gradient output.logits").error().key == "error.command_usage");
}

TEST_CASE("the walk back plays from the loss to the last weight, and stops where somebody walks") {
    const auto session = a_session("You are welcome", "de nada");
    for (const char* line : {"room train", "desk backward", "backward play"}) REQUIRE(session->execute(line));
    const Backward& walk = session->view().backward;
    CHECK(walk.on);
    CHECK(walk.playing);
    CHECK(walk.step == 0);
    Index before = 0;
    for (int i = 0; i < 200; ++i) {
        session->advance(0.05);
        CHECK((walk.step == before || walk.step == before + 1));
        CHECK(walk.share >= 0);
        CHECK(walk.share <= 1);
        before = walk.step;
    }
    CHECK(before > 5);
    REQUIRE(session->execute("backward step +1"));
    CHECK_FALSE(walk.playing);
    CHECK(walk.share == 1);
    REQUIRE(session->execute("backward step last"));
    REQUIRE(session->execute("backward step -1"));
    REQUIRE(session->execute("backward play"));
    for (int i = 0; i < 100 && walk.playing; ++i) session->advance(0.05);
    CHECK_FALSE(walk.playing);
    CHECK(walk.step == Index(session->model().backward_story.size()) - 1);
    REQUIRE(session->execute("backward play")); // again, from the loss
    CHECK(walk.step == 0);
    REQUIRE(session->execute("room explore"));
    session->advance(0.05);
    CHECK_FALSE(walk.playing);
}
