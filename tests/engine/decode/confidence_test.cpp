#include "engine/decode/confidence.h"
#include "engine/tensor/random.h"
#include "engine/text/words.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace headlight;

namespace {

// Answers that are right as often as this says.
std::vector<JudgedAnswer> drawn(const Confidence& truth, int count, std::uint64_t seed) {
    Random random(seed);
    std::vector<JudgedAnswer> answers;
    for (int i = 0; i < count; ++i) {
        JudgedAnswer answer;
        answer.evidence.mean = -1.5 * random.uniform();
        answer.evidence.least = answer.evidence.mean - 3 * random.uniform();
        answer.is_right = random.uniform() < truth.probability_right(answer.evidence);
        answers.push_back(answer);
    }
    return answers;
}

} // namespace

TEST_CASE("evidence is the mean and the least of the words' log-probabilities") {
    const std::vector<SaidWord> said = {{1, -0.5}, {2, -1.5}, {3, -INFINITY}};
    const Evidence evidence = evidence_of(said);
    CHECK(evidence.mean == doctest::Approx((-0.5 - 1.5 - 30) / 3));
    CHECK(evidence.least == -30);
    CHECK(evidence_of({}).mean == 0);
}

TEST_CASE("a fit finds the confidence that drew the verdicts, and predicts as often as it comes true") {
    const Confidence truth{2, 1.5, 0.8};
    const Confidence found = fit_confidence(drawn(truth, 40'000, 1));
    CHECK(found.bias == doctest::Approx(truth.bias).epsilon(0.08));
    CHECK(found.of_mean == doctest::Approx(truth.of_mean).epsilon(0.12));
    CHECK(found.of_least == doctest::Approx(truth.of_least).epsilon(0.12));
    for (const ReliabilityBin& bin : reliability(found, drawn(truth, 40'000, 2))) {
        if (bin.answers < 500) continue;
        CHECK(std::abs(double(bin.right) / double(bin.answers) - bin.predicted) < 0.05);
        CHECK(bin.predicted >= bin.from);
        CHECK(bin.predicted <= bin.to);
    }
}

TEST_CASE("a fit of answers that say nothing is finite") {
    CHECK(fit_confidence({}).probability_right({-1, -2}) == 0.5);
    const std::vector<JudgedAnswer> all_right = {{{-0.1, -0.2}, true}, {{-0.3, -0.9}, true}};
    CHECK(std::isfinite(fit_confidence(all_right).bias));
    CHECK(fit_confidence(all_right).probability_right({-0.2, -0.5}) > 0.8);
    CHECK(std::isfinite(fit_confidence(std::vector<JudgedAnswer>(3)).of_mean));
}

TEST_CASE("chrF of sentences is as counted by hand") {
    CHECK(chrf("o gato dorme", "o gato dorme") == doctest::Approx(1));
    CHECK(chrf("", "o gato") == 0);
    CHECK(chrf("xyz", "abc") == 0);
    // "ab" in "abc": 1: 2 of 2, 2 of 3; 2: 1 of 1, 1 of 2; 3: none of none, 0 of 1.
    const double precision = (1 + 1 + 0) / 3., recall = (2 / 3. + 1 / 2. + 0) / 3.;
    CHECK(chrf("a b", "abc") == doctest::Approx(5 * precision * recall / (4 * precision + recall)));
    CHECK(chrf_of_words("Não, obrigado!", "não obrigado") == doctest::Approx(1));
    CHECK(chrf("ção", "cao") < 0.3); // characters, not bytes
}
