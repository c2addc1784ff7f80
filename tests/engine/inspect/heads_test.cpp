#include "engine/inspect/heads.h"

#include "tests/engine/inspect/inspected_model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace headlight;

namespace {

const std::vector<std::string> five = {"the", "cat", "saw", "the", "dog"};
const std::string attention = "encoder.0.self_attn";

Edit pattern(Index head, std::initializer_list<std::initializer_list<Real>> rows,
             const std::string& of = attention) {
    Edit edit{of + ".weights", {head, -1, -1}};
    edit.values.shape = {1, Index(rows.size()), Index(rows.begin()->size())};
    for (const auto& row : rows) edit.values.numbers.insert(edit.values.numbers.end(), row);
    return edit;
}

Edit diagonal(Index by, const std::string& of = attention) {
    Edit edit{of + ".weights", {0, -1, -1}};
    edit.diagonal = by;
    return edit;
}

MeasuredHead measured(std::vector<Edit> edits, const std::string& of = attention,
                      const std::vector<TokenId>& source = {4, 5, 6, 4, 7}) {
    InspectedModel m;
    m.graph().set_edits(std::move(edits));
    m.compute(source, {1, 7, 8, 7, 9}, {7, 8, 7, 9, 2});
    return measure_heads(*m.model->map.attention(of), five, five)[0];
}

double value(const MeasuredHead& head, HeadMeasure measure) {
    REQUIRE(head.value[std::size_t(measure)]);
    return *head.value[std::size_t(measure)];
}

double uniform(const MeasuredHead& head, HeadMeasure measure) { return *head.uniform[std::size_t(measure)]; }

} // namespace

TEST_CASE("a head that does one thing only is called after it") {
    const MeasuredHead itself = measured({diagonal(0)});
    CHECK(value(itself, HeadMeasure::self) == 1);
    CHECK(uniform(itself, HeadMeasure::self) == doctest::Approx(0.2));
    CHECK(itself.entropy == 0);
    CHECK(itself.label() == "heads.self");

    const MeasuredHead before = measured({diagonal(-1)});
    CHECK(value(before, HeadMeasure::previous) == 1); // of the four that have one
    CHECK(before.label() == "heads.previous");

    const MeasuredHead after = measured({diagonal(1)});
    CHECK(value(after, HeadMeasure::next) == 1);
    CHECK(after.label() == "heads.next");

    const MeasuredHead first = measured({diagonal(-9)});
    CHECK(value(first, HeadMeasure::first) == 1);
    CHECK(first.label() == "heads.first");

    const MeasuredHead same = measured({pattern(0, {{0, 0, 0, 1, 0},
                                                    {0.2, 0.2, 0.2, 0.2, 0.2},
                                                    {0.2, 0.2, 0.2, 0.2, 0.2},
                                                    {1, 0, 0, 0, 0},
                                                    {0.2, 0.2, 0.2, 0.2, 0.2}})});
    CHECK(value(same, HeadMeasure::same_word) == 1); // of the two "the"
    CHECK(uniform(same, HeadMeasure::same_word) == doctest::Approx(0.2));
    CHECK(same.label() == "heads.same_word");
}

TEST_CASE("measures are means of the rows, worked out by hand") {
    const MeasuredHead head = measured({pattern(0, {{0.5, 0.5, 0, 0, 0},
                                                    {0.25, 0.25, 0.5, 0, 0},
                                                    {0, 0.5, 0, 0.5, 0},
                                                    {0, 0, 0, 1, 0},
                                                    {0.2, 0.2, 0.2, 0.2, 0.2}})});
    CHECK(value(head, HeadMeasure::self) == doctest::Approx((0.5 + 0.25 + 0 + 1 + 0.2) / 5));
    CHECK(value(head, HeadMeasure::previous) == doctest::Approx((0.25 + 0.5 + 0 + 0.2) / 4));
    CHECK(value(head, HeadMeasure::next) == doctest::Approx((0.5 + 0.5 + 0.5 + 0) / 4));
    CHECK(value(head, HeadMeasure::first) == doctest::Approx((0.5 + 0.25 + 0 + 0 + 0.2) / 5));
    CHECK(value(head, HeadMeasure::same_word) == doctest::Approx(0));
    CHECK(head.entropy == doctest::Approx((1 + 1.5 + 1 + 0 + std::log2(5.0)) / 5));
    CHECK(head.uniform_entropy == doctest::Approx(std::log2(5.0)));
    CHECK(head.label() == "heads.mixed");
}

TEST_CASE("a head that looks at everything alike is called so, as far as the mask lets it") {
    const MeasuredHead encoder = measured({{attention + ".scaled", {0, -1, -1}, Edit::Kind::scale, 0}});
    CHECK(encoder.label() == "heads.spread");
    CHECK(encoder.entropy == doctest::Approx(encoder.uniform_entropy));
    const std::string decoding = "decoder.0.self_attn";
    const MeasuredHead decoder =
        measured({{decoding + ".scaled", {0, -1, -1}, Edit::Kind::scale, 0}}, decoding);
    CHECK(decoder.uniform_entropy
          == doctest::Approx((0 + 1 + std::log2(3.0) + 2 + std::log2(5.0)) / 5).epsilon(1e-6));
    CHECK(decoder.label() == "heads.spread");
    CHECK_FALSE(decoder.value[std::size_t(HeadMeasure::next)]); // nobody may look ahead
    CHECK(decoder.strongest(0) != HeadMeasure::next);
    CHECK(uniform(decoder, HeadMeasure::previous)
          == doctest::Approx((1 / 2.0 + 1 / 3.0 + 1 / 4.0 + 1 / 5.0) / 4));
}

TEST_CASE("between two sentences there is an alignment, and no self") {
    const std::string cross = "decoder.0.cross_attn";
    const MeasuredHead aligned = measured({diagonal(0, cross)}, cross);
    CHECK(value(aligned, HeadMeasure::diagonal) == 1);
    CHECK(uniform(aligned, HeadMeasure::diagonal) == doctest::Approx((2 + 3 + 3 + 3 + 2) / 25.0));
    CHECK_FALSE(aligned.value[std::size_t(HeadMeasure::self)]);
    CHECK_FALSE(aligned.value[std::size_t(HeadMeasure::previous)]);
    CHECK(aligned.label() == "heads.diagonal");
    const MeasuredHead within = measured({diagonal(0)});
    CHECK_FALSE(within.value[std::size_t(HeadMeasure::diagonal)]);
}

TEST_CASE("rows that look at nothing, or hold no numbers, are not measured") {
    const MeasuredHead silent = measured({{attention + ".weights", {0, -1, -1}, Edit::Kind::scale, 0}});
    CHECK(silent.rows == 0);
    CHECK(silent.label() == "heads.mixed");
    const Real nan = std::numeric_limits<Real>::quiet_NaN();
    const MeasuredHead broken =
        measured({diagonal(0), {attention + ".weights", {0, 2, 1}, Edit::Kind::replace, nan}});
    CHECK(broken.rows == 4);
    CHECK(value(broken, HeadMeasure::self) == 1);
}

TEST_CASE("mean and maximum of the heads are taken cell by cell") {
    InspectedModel m;
    const Tensor& weights = m.node(attention + ".weights").value;
    const KeptTensor mean = mean_of_heads(weights), maximum = maximum_of_heads(weights);
    for (Index r = 0; r < weights.rows(); ++r)
        for (Index c = 0; c < weights.columns(); ++c) {
            CHECK(mean(0, r, c) == doctest::Approx((weights(0, r, c) + weights(1, r, c)) / 2));
            CHECK(maximum(0, r, c) == std::max(weights(0, r, c), weights(1, r, c)));
        }
}

TEST_CASE("roll-out multiplies the layers' means, each half residual") {
    // Two layers of two words and one head, by hand: ½(A + I) each, the second times the first.
    KeptTensor first({1, 2, 2}, {1, 0, Real(0.5), Real(0.5)}), second({1, 2, 2}, {0, 1, 0, 1});
    const Tensor layers[] = {first.view(), second.view()};
    const KeptTensor rolled = attention_rollout(layers);
    // first: [1 0; ¼ ¾], second: [½ ½; 0 1]
    CHECK(rolled(0, 0, 0) == doctest::Approx(0.5 + 0.5 * 0.25));
    CHECK(rolled(0, 0, 1) == doctest::Approx(0.5 * 0.75));
    CHECK(rolled(0, 1, 0) == doctest::Approx(0.25));
    CHECK(rolled(0, 1, 1) == doctest::Approx(0.75));
    // Heads that are silenced leave the residual.
    KeptTensor silent({2, 2, 2});
    const Tensor nothing[] = {silent.view()};
    const KeptTensor stays = attention_rollout(nothing);
    CHECK(stays(0, 0, 0) == 1);
    CHECK(stays(0, 0, 1) == 0);
}
