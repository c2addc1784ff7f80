#include "engine/decode/writing.h"

#include "engine/io/safetensors.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <set>

using namespace headlight;

namespace {

const std::vector<Real> logits{1.5F, -0.5F, 3, 0, 2.9F, -4, 0.25F, 1.5F};

double sum_of(const std::vector<double>& p) { return std::accumulate(p.begin(), p.end(), 0.0); }
Index left(const std::vector<double>& p) {
    return std::count_if(p.begin(), p.end(), [](double x) { return x > 0; });
}

// The highest value of chi-square that chance exceeds once in a thousand times (Wilson and Hilferty 1931).
double chi_square_limit(double degrees) {
    const double z = 3.0902, k = 2 / (9 * degrees);
    return degrees * std::pow(1 - k + z * std::sqrt(k), 3);
}

} // namespace

TEST_CASE("temperature 1 without a cut is the model's own distribution") {
    const std::vector<double> p = probabilities_of(logits), drawn = drawn_from(logits, {});
    CHECK(sum_of(p) == doctest::Approx(1));
    CHECK(p == drawn);
    for (std::size_t i = 0; i < p.size(); ++i)
        CHECK(std::log(p[i]) == doctest::Approx(log_probability_of(logits, TokenId(i))));
}

TEST_CASE("top-k leaves k words, top-p the fewest that sum to p; what is cut off is exactly 0") {
    for (Index k = 1; k <= 10; ++k) {
        const std::vector<double> p = drawn_from(logits, {.top_k = k});
        CHECK(left(p) == std::min<Index>(k, 8));
        CHECK(sum_of(p) == doctest::Approx(1));
        CHECK(p[2] > 0); // the most probable word stays
    }
    const std::vector<double> whole = probabilities_of(logits);
    std::vector<double> sorted = whole;
    std::sort(sorted.rbegin(), sorted.rend());
    for (const double top_p : {0.0, 0.1, 0.4, 0.5, 0.77, 0.9, 0.999, 1.0}) {
        CAPTURE(top_p);
        Index fewest = 0;
        for (double sum = 0; fewest == 0 || (fewest < 8 && sum < top_p); ++fewest)
            sum += sorted[std::size_t(fewest)];
        if (top_p == 1) fewest = 8;
        CHECK(left(drawn_from(logits, {.top_p = top_p})) == fewest);
    }
    // Of equals the first.
    CHECK(drawn_from(std::vector<Real>{1, 1, 1}, {.top_k = 1})[0] == 1);
}

TEST_CASE("a low temperature ends in the most probable word, a high one in all words alike") {
    CHECK(drawn_from(logits, {.temperature = 0})[2] == 1);
    CHECK(drawn_from(logits, {.temperature = 1e-300})[2] == 1);
    for (const double p : drawn_from(logits, {.temperature = 1e9})) CHECK(p == doctest::Approx(1.0 / 8));
}

TEST_CASE("words that are never said are never drawn") {
    const std::vector<TokenId> never{2, 4};
    CHECK(most_probable(logits, never) == 0);
    const std::vector<double> p = drawn_from(logits, {.temperature = 5}, never);
    CHECK(p[2] == 0);
    CHECK(p[4] == 0);
    CHECK(sum_of(p) == doctest::Approx(1));
    CHECK(drawn_from(logits, {.temperature = 0}, never)[0] == 1);
}

TEST_CASE("the chance of a place depends on the seed and the place alone, and is spread evenly") {
    CHECK(chance(3, 5) == chance(3, 5));
    std::set<double> seen;
    std::vector<double> counts(20, 0.0);
    for (std::uint64_t seed = 0; seed < 200; ++seed)
        for (Index place = 0; place < 100; ++place) {
            const double u = chance(seed, place);
            REQUIRE(u >= 0);
            REQUIRE(u < 1);
            seen.insert(u);
            counts[std::size_t(u * 20)] += 1;
        }
    CHECK(seen.size() == 20000);
    double chi_square = 0;
    for (const double count : counts) chi_square += (count - 1000) * (count - 1000) / 1000;
    CHECK(chi_square < chi_square_limit(19));
}

TEST_CASE("the draw never leaves what may be drawn, at either end") {
    const std::vector<double> p{0, 0.25, 0, 0.75, 0};
    CHECK(draw(p, 0) == 1);
    CHECK(draw(p, 0.2499) == 1);
    CHECK(draw(p, 0.25) == 3);
    CHECK(draw(p, 0x1.fffffffffffffp-1) == 3);
    CHECK(draw(std::vector<double>{0, 0.1, 0.2, 0}, 0.99) == 2); // a sum that fell short
}

TEST_CASE("frequencies of 20,000 draws are those of distributions that PyTorch computed") {
    // tests/scripts/make_sampling_fixtures.py: its own topk, sort, cumsum and softmax.
    const Result<SafetensorsFile> file =
        SafetensorsFile::open(HEADLIGHT_SOURCE_DIR "/tests/data/sampling/distributions.safetensors");
    REQUIRE(file);
    const auto numbers = [&](const char* name) {
        const TensorEntry& entry = *file->find(name);
        std::vector<Real> all(std::size_t(entry.count));
        REQUIRE(file->read(entry, all.data()));
        return all;
    };
    const std::vector<Real> settings = numbers("settings"), all_logits = numbers("logits"),
                            all_left = numbers("probabilities");
    constexpr std::size_t words = 12;
    REQUIRE(all_logits.size() == settings.size() / 3 * words);
    for (std::size_t i = 0; i < settings.size() / 3; ++i) {
        const Sampling sampling{double(settings[3 * i]), Index(settings[3 * i + 1]),
                                double(settings[3 * i + 2])};
        CAPTURE(sampling.temperature);
        CAPTURE(sampling.top_k);
        CAPTURE(sampling.top_p);
        const std::span<const Real> z = std::span(all_logits).subspan(i * words, words),
                                    expected = std::span(all_left).subspan(i * words, words);
        const std::vector<double> p = drawn_from(z, sampling);
        std::vector<double> counts(words, 0.0);
        constexpr Index draws = 20000;
        for (Index n = 0; n < draws; ++n) counts[std::size_t(draw(p, chance(i, n)))] += 1;
        double chi_square = 0, degrees = -1;
        for (std::size_t w = 0; w < words; ++w) {
            CHECK(p[w] == doctest::Approx(double(expected[w])).epsilon(1e-5));
            if (expected[w] == 0) {
                CHECK(counts[w] == 0);
                continue;
            }
            const double wanted = double(expected[w]) * draws;
            chi_square += (counts[w] - wanted) * (counts[w] - wanted) / wanted, degrees += 1;
        }
        if (degrees > 0) CHECK(chi_square < chi_square_limit(degrees));
    }
}
