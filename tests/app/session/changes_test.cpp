#include "app/session/changes.h"

#include "tests/app/session/changed_session.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace headlight;
using namespace headlight::test;

TEST_CASE("a silenced head is silent, and beside it stands the baseline") {
    const auto opened = a_session();
    Session& session = *opened;
    const std::vector<std::uint32_t> before = bits(session);
    const std::string output = session.sentence().output;
    CHECK(session.what_if().comparison() == nullptr);
    run(session, "change head encoder.0.self_attn 1 silence");
    const Tensor& heads = value(session, "encoder.0.self_attn.heads");
    for (Index i = 0; i < heads.rows() * heads.columns(); ++i) CHECK(heads.matrix(1)[i] == 0);
    const Comparison* comparison = session.what_if().comparison();
    REQUIRE(comparison);
    CHECK(comparison->before.output == output);
    CHECK(comparison->baseline->find("encoder.0.self_attn.heads")->value(1, 0, 0) != 0);
    CHECK(comparison->probability_before.size() == comparison->before.target_ids.size());
    double surprise = 0;
    for (const double p : comparison->probability_after)
        surprise -= std::log(p) / double(comparison->probability_after.size());
    CHECK(comparison->loss_after == doctest::Approx(surprise).epsilon(1e-4));
    CHECK(comparison->loss_after != comparison->loss_before);
    run(session, "change off 1");
    CHECK(session.what_if().comparison() == nullptr);
    CHECK(bits(session) == before);
    run(session, "change on 1");
    CHECK(bits(session) != before);
    run(session, "change delete 1");
    CHECK(bits(session) == before);
}

TEST_CASE("the baseline is fed what the changed model was fed, whatever it says") {
    const auto opened = a_session();
    Session& session = *opened;
    run(session, "change remove attention decoder.0.cross_attn");
    run(session, "change remove attention decoder.1.cross_attn");
    const Comparison* comparison = session.what_if().comparison();
    REQUIRE(comparison);
    CHECK(session.sentence().output != comparison->before.output); // it no longer reads the source
    const Tensor& fed = comparison->baseline->find("decoder.tokens")->value;
    REQUIRE(fed.rows() == Index(session.sentence().target_ids.size()));
    for (Index t = 0; t < fed.rows(); ++t)
        CHECK(TokenId(fed(0, t, 0)) == session.sentence().target_ids[std::size_t(t)]);
}

TEST_CASE("every way to write a change does what it says") {
    const auto opened = a_session();
    Session& session = *opened;
    run(session, "second " + wide);
    const auto fresh = [&](const std::string& command) {
        run(session, "changes clear");
        run(session, command);
        REQUIRE(session.what_if().fault(0) == nullptr);
    };
    const std::string attention = "encoder.1.self_attn";
    const auto weights = [&]() -> const Tensor& { return value(session, attention + ".weights"); };

    fresh("change head " + attention + " 2 uniform");
    CHECK(weights()(2, 3, 5) == doctest::Approx(1.0 / double(weights().columns())));
    fresh("change head " + attention + " all identity");
    CHECK(weights()(3, 4, 4) == 1);
    CHECK(weights()(0, 4, 3) == 0);
    fresh("change head " + attention + " 0 previous");
    CHECK(weights()(0, 4, 3) == 1);
    CHECK(weights()(0, 0, 0) == 1);
    fresh("change head " + attention + " 0 next");
    CHECK(weights()(0, 4, 5) == 1);
    fresh("change head " + attention + " 3 other");
    const Tensor& theirs = session.what_if().second_graph()->find(attention + ".weights")->value;
    CHECK(weights()(3, 7, 1) == theirs(3, 7, 1));
    CHECK(weights()(2, 7, 1) != theirs(2, 7, 1));
    fresh("change head " + attention + " 0 scale -2");
    const Graph& baseline = *session.what_if().comparison()->baseline;
    CHECK(value(session, attention + ".heads")(0, 2, 3)
          == -2 * baseline.find(attention + ".heads")->value(0, 2, 3));

    const auto same = [&](const std::string& path, const std::string& other) {
        const Tensor &a = value(session, path), &b = value(session, other);
        return std::equal(a.data(), a.data() + a.size(), b.data(), b.data() + b.size());
    };
    fresh("change remove scaling " + attention);
    CHECK(same(attention + ".scaled", attention + ".scores"));
    CHECK_FALSE(same("encoder.0.self_attn.scaled", "encoder.0.self_attn.scores"));
    fresh("change remove positions encoder");
    CHECK(same("encoder.embed.output", "encoder.embed.scaled"));
    fresh("change remove residual encoder.0.add1");
    CHECK(same("encoder.0.add1", "encoder.0.self_attn.output"));
    fresh("change remove norm decoder");
    CHECK(same("decoder.1.norm2", "decoder.1.add2"));
    CHECK_FALSE(same("encoder.1.norm2", "encoder.1.add2"));
    fresh("change remove ffn");
    CHECK(same("decoder.0.add3", "decoder.0.norm2"));
    fresh("change remove layer encoder.1");
    CHECK(same("encoder.1.norm2", "encoder.0.norm2"));

    fresh("change cell encoder.0.norm1 2 3 -7.5");
    CHECK(value(session, "encoder.0.norm1")(0, 2, 3) == -7.5f);
    fresh("change cell encoder.0.self_attn.w_q 2 3 inf");
    CHECK(std::isinf(value(session, "encoder.0.self_attn.w_q")(0, 2, 3)));
    fresh("change row encoder.embed.tokens 1 5");
    CHECK(value(session, "encoder.embed.tokens")(0, 1, 9) == value(session, "encoder.embed.tokens")(0, 5, 9));
    fresh("change mask encoder.mask all 3 forbid");
    CHECK(value(session, "encoder.0.self_attn.weights")(2, 6, 3) == 0);
    fresh("change mask decoder.self_mask 1 2 allow");
    CHECK(value(session, "decoder.0.self_attn.weights")(0, 1, 2) > 0);
    fresh("change patch encoder.0.norm2 10");
    const Tensor& wide_row = session.what_if().second_graph()->find("encoder.0.norm2")->value;
    CHECK(value(session, "encoder.0.norm2")(0, 10, 4) == wide_row(0, 10, 4));
    CHECK(value(session, "encoder.0.norm2")(0, 9, 4) != wide_row(0, 9, 4));
    fresh("change patch encoder.embed.output all");
    CHECK(session.sentence().output == session.what_if().second()->output);
    fresh("change scale output.logits 0");
    CHECK(value(session, "output.probabilities")(0, 0, 0) == doctest::Approx(1.0 / 412));
    fresh("change weight encoder.0.self_attn.w_q identity");
    CHECK(value(session, "encoder.0.self_attn.w_q")(0, 5, 5) == 1);
    fresh("change weight encoder.0.self_attn.w_k zero");
    CHECK(value(session, "encoder.0.self_attn.weights")(0, 3, 4)
          == doctest::Approx(1.0 / double(session.sentence().source_ids.size())));
    fresh("change weight decoder.0.ffn.w_1 random 3");
    const Real drawn = value(session, "decoder.0.ffn.w_1")(0, 0, 0);
    fresh("change weight decoder.0.ffn.w_1 random 4");
    CHECK(value(session, "decoder.0.ffn.w_1")(0, 0, 0) != drawn);
}

TEST_CASE("a token that is changed is called what it has become") {
    const auto opened = a_session();
    Session& session = *opened;
    const Vocabulary& words = session.model().files.source.vocabulary();
    run(session, "change cell encoder.tokens 10 0 " + std::to_string(*words.find("wide")));
    CHECK(session.sentence().source_labels[10] == "wide");
    CHECK(session.sentence().output == "O animal não atravessou a rua porque ela era larga demais");
    run(session, "changes clear");
    CHECK(session.sentence().source_labels[10] == "tired");
}

TEST_CASE("weights that are changed are changed in this pass only") {
    const auto opened = a_session();
    Session& session = *opened;
    const Parameters& parameters = session.model().files.parameters;
    const std::vector<Real> before(parameters.data(), parameters.data() + parameters.count());
    const unsigned long drawn = session.experiment().weights_version();
    run(session, "change head encoder.0.self_attn 0 silence");
    CHECK(session.experiment().weights_version() == drawn);
    run(session, "change weight encoder.0.self_attn.w_q random");
    CHECK(session.experiment().weights_version() != drawn); // what was drawn of them is out of date
    run(session, "change cell output.w 3 4 nan");
    const unsigned long changed = session.experiment().weights_version();
    run(session, "changes clear");
    CHECK(session.experiment().weights_version() != changed);
    run(session, "undo");
    CHECK(std::vector<Real>(parameters.data(), parameters.data() + parameters.count()) == before);
}

TEST_CASE("a change that cannot be is refused with a sentence, and changes nothing") {
    const auto opened = a_session();
    Session& session = *opened;
    const std::vector<std::uint32_t> before = bits(session);
    for (const char* wrong : {"change",
                              "change nothing",
                              "change head",
                              "change head encoder.0.self_attn 9 silence",
                              "change head encoder.0 0 silence",
                              "change head encoder.0.self_attn 0 twice",
                              "change head encoder.0.self_attn 0 other",
                              "change head encoder.0.self_attn -1 silence",
                              "change remove",
                              "change remove roof",
                              "change remove norm decoder.7",
                              "change cell encoder.0.norm1 0 0",
                              "change cell encoder.0.norm1 0 0 much",
                              "change cell encoder.0.norm1 0 32 1",
                              "change cell encoder.0.norm1 -1 0 1",
                              "change cell no.such 0 0 1",
                              "change cell encoder.tokens 0 0 320",
                              "change cell encoder.tokens 0 0 nan",
                              "change cell encoder.tokens 0 0 1.5",
                              "change cell output.chosen 0 0 412",
                              "change scale encoder.tokens 2",
                              "change row encoder.0.norm1 0 99",
                              "change mask encoder.0.norm1 0 0 forbid",
                              "change mask encoder.mask 0 0 perhaps",
                              "change patch encoder.0.norm1 0",
                              "change weight encoder.0.norm1 zero",
                              "change weight encoder.0.norm1.gamma identity",
                              "change weight output.w random much",
                              "change off 1",
                              "change delete",
                              "changes",
                              "changes away"}) {
        CAPTURE(wrong);
        CHECK_FALSE(session.execute(wrong));
        REQUIRE(session.view().notice);
        CHECK(session.view().notice->text.front() != '[');
        CHECK(session.question().changes.empty());
    }
    CHECK(bits(session) == before);
    CHECK_FALSE(session.strings().missing().size() > 0);
}

TEST_CASE("another number for the same cell, another use of a head, takes the place of the one before") {
    const auto opened = a_session();
    Session& session = *opened;
    run(session, "change cell encoder.0.norm1 0 0 1");
    run(session, "change head encoder.0.self_attn 0 silence");
    run(session, "change cell encoder.0.norm1 0 0 2");
    run(session, "change cell encoder.0.norm1 0 1 2");
    run(session, "change head encoder.0.self_attn 0 uniform");
    run(session, "change head encoder.0.self_attn 1 uniform");
    REQUIRE(session.question().changes.size() == 4);
    CHECK(session.question().changes[0].text == "cell encoder.0.norm1 0 0 2");
    CHECK(session.question().changes[1].text == "head encoder.0.self_attn 0 uniform");
}

TEST_CASE("a change that a shorter sentence has no cell for waits for a longer one") {
    const auto opened = a_session();
    Session& session = *opened;
    run(session, "change cell encoder.0.norm1 10 3 2");
    run(session, "source I am fine");
    REQUIRE(session.what_if().fault(0));
    CHECK(session.what_if().fault(0)->key == "error.no_such_cell");
    run(session, "source " + tired);
    CHECK(session.what_if().fault(0) == nullptr);
    CHECK(value(session, "encoder.0.norm1")(0, 10, 3) == 2);
    run(session, "second " + wide);
    run(session, "change patch encoder.0.norm1 3");
    run(session, "second off");
    REQUIRE(session.what_if().fault(1));
    CHECK(session.what_if().fault(1)->key == "error.no_second_sentence");
}
