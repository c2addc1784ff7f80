#include "engine/decode/beam.h"

#include "engine/decode/writing.h"
#include "engine/ops/leaves.h"
#include "tests/engine/model/small_model.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace headlight;
using namespace headlight::test;

namespace {

// Five tokens, at most three words: every answer can be counted.
ModelConfig tiny_config(Index max_length) {
    ModelConfig config = small_config();
    config.source_vocab_size = config.target_vocab_size = 5;
    config.max_length = max_length;
    return config;
}

// Sharper than random weights make it, so that answers differ in probability.
Parameters sharp_parameters(const ModelConfig& config, std::uint64_t seed) {
    Parameters parameters = random_parameters(config, seed);
    for (const char* name : {"generator.weight", "generator.bias"}) {
        Tensor tensor = parameters.tensor(*parameters.find(name));
        for (Index i = 0; i < tensor.size(); ++i) tensor.data()[i] *= 3;
    }
    return parameters;
}

const std::vector<TokenId> source{4, 3, 4, 2};

double log_probability_of_next(Model& model, const std::vector<TokenId>& fed, TokenId word) {
    feed(model.map.source()->tokens, source, 1, Index(source.size()));
    feed(model.map.target()->tokens, fed, 1, Index(fed.size()));
    model.graph.forward();
    return std::log(double(model.map.output.probabilities->value(0, Index(fed.size()) - 1, word)));
}

struct BestAnswer {
    std::vector<TokenId> words;
    double score = -std::numeric_limits<double>::infinity();
};

// Tries every answer there is.
void find_best(Model& model, const ModelConfig& config, std::vector<TokenId> fed, double sum,
               BestAnswer& best) {
    const Index said = Index(fed.size());
    for (TokenId word = 0; word < config.target_vocab_size; ++word) {
        const double total = sum + log_probability_of_next(model, fed, word);
        std::vector<TokenId> longer = fed;
        if (word != config.eos_id) longer.push_back(word);
        if (word != config.eos_id && said + 1 < config.max_length)
            find_best(model, config, longer, total, best);
        else if (total / double(said) > best.score)
            best = {{longer.begin() + 1, longer.end()}, total / double(said)};
    }
}

} // namespace

TEST_CASE("a beam of one is greedy decoding") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const ModelConfig config = tiny_config(9);
        Parameters parameters = sharp_parameters(config, seed);
        const auto model = build_transformer(config, parameters);
        CHECK(beam_search(*model, source, 1) == greedy_decode(*model, source));
    }
}

TEST_CASE("a model with a loss says the same words, and its loss is the surprise at them") {
    const ModelConfig config = tiny_config(6);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Parameters parameters = sharp_parameters(config, seed);
        const auto plain = build_transformer(config, parameters);
        const auto asked = build_transformer(config, parameters, {.loss = true});
        for (int twice = 0; twice < 2; ++twice) {
            const std::vector<TokenId> words = greedy_decode(*plain, source);
            CHECK(beam_search(*asked, source, 3) == beam_search(*plain, source, 3));
            CHECK(greedy_decode(*asked, source) == words);
            double surprise = 0, count = 0;
            std::vector<TokenId> goal = words;
            goal.push_back(config.eos_id);
            for (std::size_t t = 0; t < goal.size(); ++t) {
                CHECK(asked->map.output.goal->value(0, Index(t), 0) == Real(goal[t]));
                if (goal[t] == config.pad_id) continue; // it may say <pad>, but is never asked to
                ++count;
                surprise -= std::log(double(asked->map.output.probabilities->value(0, Index(t), goal[t])));
            }
            CHECK(double(asked->map.output.loss->value(0, 0, 0))
                  == doctest::Approx(surprise / count).epsilon(1e-5));
        }
    }
}

TEST_CASE("a beam wide enough for everything finds the answer with the highest mean log-probability") {
    Index better_than_greedy = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const ModelConfig config = tiny_config(4);
        Parameters parameters = sharp_parameters(config, seed);
        const auto model = build_transformer(config, parameters);
        BestAnswer best;
        find_best(*model, config, {config.bos_id}, 0, best);
        CHECK(beam_search(*model, source, 200) == best.words);
        better_than_greedy += greedy_decode(*model, source) != best.words;
    }
    CHECK(better_than_greedy > 0); // else this shows nothing
}

TEST_CASE("an answer never grows beyond the model, and a wide beam over few words is no matter") {
    for (const Index max_length : {1, 2, 5}) {
        const ModelConfig config = tiny_config(max_length);
        Parameters parameters = sharp_parameters(config, 3);
        // </s> is never the most probable word.
        parameters.tensor (*parameters.find("generator.bias"))(0, 0, config.eos_id) = -1000;
        const auto model = build_transformer(config, parameters);
        for (const Index width : {1, 2, 64}) {
            CAPTURE(width);
            CHECK(Index(beam_search(*model, source, width).size()) == max_length - 1);
        }
    }
}

TEST_CASE("a search that may not take more work ends with the best beginnings that there are, and says so") {
    const ModelConfig config = tiny_config(9);
    Parameters parameters = sharp_parameters(config, 3);
    parameters.tensor (*parameters.find("generator.bias"))(0, 0, config.eos_id) = -1000; // never said
    const auto model = build_transformer(config, parameters);
    const BeamTree whole = grow_beams(*model, source, {.width = 3});
    CHECK_FALSE(whole.is_cut);
    // The first pass reads what is given, however much that is; the second is one too many.
    const BeamTree shortest = grow_beams(*model, source, {.width = 3, .most_multiplications = 1});
    CHECK(shortest.is_cut);
    CHECK(shortest.steps == 2);
    CHECK(shortest.answers(1).size() == 3);
    Index before = 2;
    for (const Index most : {3'000, 10'000, 30'000, 100'000, 100'000'000}) {
        const BeamTree some = grow_beams(*model, source, {.width = 3, .most_multiplications = most});
        CHECK(some.steps >= before);
        CHECK(some.is_cut == (some.steps < whole.steps));
        before = some.steps;
    }
    CHECK(before == whole.steps);

    const auto answer = [&](const AnswerSettings& settings) {
        Writing writing(*model, source);
        return write_answer(writing, settings);
    };
    const Answer all = answer({}), cut = answer({.most_multiplications = 1});
    CHECK_FALSE(all.is_cut);
    CHECK(cut.is_cut);
    CHECK(cut.said.size() == 1);
}
