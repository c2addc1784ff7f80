#include "app/session/padded_batch.h"

#include "tests/app/session/changed_session.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace headlight;
using namespace headlight::test;

namespace {

constexpr double rounding = 2e-5; // of float sums in another order

double largest_difference(const Tensor& batch, Index sample, const Tensor& alone) {
    double largest = 0;
    for (Index r = 0; r < alone.rows(); ++r)
        for (Index c = 0; c < alone.columns(); ++c)
            largest = std::max(largest, std::abs(double(batch(sample, r, c)) - double(alone(0, r, c))));
    return largest;
}

} // namespace

TEST_CASE("a padded sentence with its mask has the numbers that it has alone, and without it has others") {
    const auto opened = a_session("You are welcome");
    Session& session = *opened;
    run(session, "heads batch");
    run(session, "batch clear");
    run(session, "batch add " + tired);
    run(session, "batch add I am fine");
    const PaddedBatch& batch = session.padded_batch();
    REQUIRE(batch.samples.size() == 3);
    CHECK(batch.source_length == 12);
    CHECK(batch.samples[0].source_length == 4);
    CHECK(batch.samples[0].source_labels[4] == "<pad>");
    const auto alone = a_session();
    for (Index n = 0; n < 3; ++n) {
        const PaddedSample& sample = batch.samples[std::size_t(n)];
        run(*alone,
            "source " + std::vector<std::string>{"You are welcome", tired, "I am fine"}[std::size_t(n)]);
        // The session's own pass, which knows nothing of batches.
        for (const char* path :
             {"encoder.0.norm1", "encoder.output", "decoder.0.norm2", "output.probabilities"}) {
            CAPTURE(path);
            CHECK(largest_difference(batch.masked->find(path)->value, n, value(*alone, path)) < rounding);
            const double without =
                largest_difference(batch.unmasked->find(path)->value, n, value(*alone, path));
            const bool is_padded = sample.source_length < batch.source_length;
            CHECK((is_padded ? without > 1e-3 : without < rounding));
        }
        CHECK(sample.masked.largest < rounding);
        CHECK(sample.masked.first_wrong < 0);
        CHECK(sample.alone.chosen_labels == alone->sentence().chosen_labels);
        const Tensor& encoder = batch.unmasked->find("encoder.output")->value;
        double squares = 0;
        for (Index r = 0; r < sample.source_length; ++r)
            for (Index c = 0; c < encoder.columns(); ++c)
                squares +=
                    std::pow(double(encoder(n, r, c)) - double(value(*alone, "encoder.output")(0, r, c)), 2);
        CHECK(sample.unmasked.read == doctest::Approx(std::sqrt(squares)).epsilon(1e-3));
        for (std::size_t i = 0; i < sample.alone.goal_ids.size(); ++i) {
            const Tensor& p = batch.unmasked->find("output.probabilities")->value;
            CHECK(sample.probability_unmasked[i] == double(p(n, Index(i), sample.alone.goal_ids[i])));
            CHECK(sample.probability_masked[i] == doctest::Approx(sample.probability_alone[i]).epsilon(1e-4));
        }
    }
}

TEST_CASE(
    "with the mask nothing of any attention lies on <pad>, without it some does, and rows still sum to 1") {
    const auto opened = a_session("I am fine");
    run(*opened, "heads batch");
    const PaddedBatch& batch = opened->padded_batch();
    const Index n = opened->batch_sample();
    const PaddedSample& sample = batch.samples[std::size_t(n)];
    REQUIRE(sample.source_length < batch.source_length);
    for (const std::string& attention : attentions_with_padding(opened->model().map()))
        for (Index head = 0; head < batch.heads_of(attention); ++head) {
            CAPTURE(attention);
            CHECK(batch.on_padding(*batch.masked, attention, n, head) == 0);
            const bool of_encoder = attention.starts_with("encoder");
            const Index rows = of_encoder ? sample.source_length : sample.target_length;
            const Real* w = batch.weights(*batch.unmasked, attention, n, head);
            double all = 0;
            for (Index r = 0; r < rows; ++r) {
                double on_words = 0, on_padding = 0;
                for (Index c = 0; c < batch.source_length; ++c)
                    (c < sample.source_length ? on_words : on_padding) +=
                        double(w[r * batch.source_length + c]);
                CHECK(on_words + on_padding == doctest::Approx(1));
                CHECK(on_padding > 0);
                CHECK(batch.on_padding(*batch.unmasked, attention, n, head, r)
                      == doctest::Approx(on_padding));
                all += on_padding;
            }
            CHECK(batch.on_padding(*batch.unmasked, attention, n, head)
                  == doctest::Approx(all / double(rows)));
        }
    // Only the padding is forgotten: the decoder still does not see what comes.
    const Tensor& mask = batch.unmasked->find("decoder.self_mask")->value;
    for (Index r = 0; r < mask.rows(); ++r)
        for (Index c = 0; c < mask.columns(); ++c)
            CHECK(mask(n, r, c) == (c > r ? -std::numeric_limits<Real>::infinity() : Real(0)));
}

TEST_CASE("the batch has the sentence, the second one and others, put together by commands and undone") {
    const auto opened = a_session("I am fine");
    Session& session = *opened;
    run(session, "heads batch");
    const std::size_t at_first = session.padded_batch().samples.size();
    CHECK(at_first == 3); // and two examples of other lengths
    run(session, "second " + wide);
    CHECK(session.padded_batch().samples[1].alone.source_labels[10] == "wide");
    CHECK_FALSE(session.execute("batch remove 1"));
    CHECK_FALSE(session.execute("batch remove 2"));
    CHECK_FALSE(session.execute("batch remove 99"));
    CHECK_FALSE(session.execute("batch sample 0"));
    CHECK_FALSE(session.execute("batch head nowhere 0"));
    CHECK_FALSE(session.execute("batch head encoder.0.self_attn 99"));
    CHECK_FALSE(session.execute("batch query -1"));
    CHECK_FALSE(session.execute("batch"));
    CHECK_FALSE(session.execute("batch add"));
    run(session, "batch add you are fine");
    const std::vector<std::string> others = session.experiment().batch_others();
    CHECK(others.back() == "you are fine");
    run(session, "batch remove 3");
    CHECK(session.experiment().batch_others().size() == others.size() - 1);
    CHECK(session.padded_batch().samples.size() == others.size() + 1);
    run(session, "undo");
    CHECK(session.experiment().batch_others() == others);
    CHECK(session.padded_batch().samples.size() == others.size() + 2);
    while (Index(session.padded_batch().samples.size()) < largest_batch) run(session, "batch add fine");
    CHECK_FALSE(session.execute("batch add fine"));
    run(session, "batch sample 6");
    CHECK(session.batch_sample() == 5);
    run(session, "batch remove 6");
    CHECK(session.batch_sample() < 5);
    run(session, "batch head decoder.1.cross_attn 3");
    run(session, "batch sample 2");
    run(session, "batch query 1");

    const TemporaryFolder folder;
    run(session, "save " + (folder / "batch").string());
    const auto another = a_session();
    run(*another, "open " + (folder / "batch").string());
    CHECK(another->view().heads == session.view().heads);
    CHECK(another->padded_batch().samples[1].probability_unmasked
          == session.padded_batch().samples[1].probability_unmasked);
    run(session, "batch reset");
    CHECK(session.view().heads.batch == BatchView{});
    run(session, "second off");
    CHECK(session.padded_batch().samples.size() == at_first);
}

TEST_CASE("the longest sentence that the model reads, and an empty one, share a batch") {
    const auto opened = a_session("");
    Session& session = *opened;
    std::string longest;
    for (int i = 0; i < 100; ++i) longest += "the ";
    run(session, "heads batch");
    run(session, "batch clear");
    run(session, "batch add " + longest);
    const PaddedBatch& batch = session.padded_batch();
    CHECK(batch.source_length == session.model().config().max_length);
    CHECK(batch.samples[0].source_length == 1);
    CHECK(batch.samples[0].masked.largest < rounding);
    // What-ifs are not in it: it is the model as it was trained.
    run(session, "change head encoder.0.self_attn all silence");
    CHECK(session.padded_batch().samples[0].masked.largest < rounding);
}
