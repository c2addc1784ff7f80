#include "engine/train/evaluate.h"

#include "engine/decode/writing.h"
#include "tests/engine/model/small_model.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace headlight;
using namespace headlight::test;

namespace {

struct Judged {
    ModelConfig config = small_config();
    Parameters parameters = random_parameters(config, 5);
    std::unique_ptr<Model> model = build_transformer(config, parameters);

    Evaluation evaluate(const std::vector<EncodedPair>& pairs, int threads = 1) {
        Workers workers(threads);
        return Evaluator(config, parameters).evaluate(pairs, workers);
    }
    // What greedy decoding says, with </s>; nothing when it never says </s>.
    std::vector<TokenId> answer(const std::vector<TokenId>& source) {
        std::vector<TokenId> words = greedy_decode(*model, source);
        if (Index(words.size()) + 1 >= config.max_length) return {};
        words.push_back(config.eos_id);
        return words;
    }
};

std::vector<std::vector<TokenId>> sources() {
    std::vector<std::vector<TokenId>> all;
    for (TokenId a = 3; a < 7; ++a)
        for (TokenId b = 3; b < 7; ++b) {
            all.push_back({a, b, 2});
            all.push_back({a, 2});
            all.push_back({a, b, b, a, 2});
        }
    return all;
}

} // namespace

TEST_CASE("a pair is exact when greedy decoding writes it, and only then") {
    Judged judged;
    judged.parameters.tensor (*judged.parameters.find("generator.bias"))(0, 0, judged.config.eos_id) += 1;
    std::vector<EncodedPair> right;
    for (const auto& source : sources())
        if (const auto answer = judged.answer(source);
            !answer.empty() && std::find(answer.begin(), answer.end(), judged.config.unk_id) == answer.end())
            right.push_back({source, answer});
    REQUIRE(right.size() >= 4);
    CHECK(judged.evaluate(right).exact_match == 1);
    const bool has_words = std::any_of(right.begin(), right.end(),
                                       [](const EncodedPair& pair) { return pair.target.size() > 1; });
    CHECK(judged.evaluate(right).token_accuracy == (has_words ? 1 : 0));

    std::vector<EncodedPair> half = right;
    for (std::size_t i = 0; i < half.size(); i += 2) half[i].target.insert(half[i].target.begin(), 4);
    Index still_right = 0;
    for (const EncodedPair& pair : half) still_right += judged.answer(pair.source) == pair.target;
    CHECK(judged.evaluate(half).exact_match == doctest::Approx(double(still_right) / double(half.size())));
    CHECK(judged.evaluate(half).pairs == Index(half.size()));
}

TEST_CASE("an unknown word is never right") {
    Judged judged;
    // The model says <unk> and nothing else.
    judged.parameters.tensor (*judged.parameters.find("generator.bias"))(0, 0, judged.config.unk_id) = 1000;
    const Evaluation evaluation = judged.evaluate({{{4, 2}, {judged.config.unk_id, judged.config.unk_id}}});
    CHECK(evaluation.exact_match == 0);
    CHECK(evaluation.token_accuracy == 0);
}

TEST_CASE("the end is no word: who says it alone has no word right") {
    Judged judged;
    judged.parameters.tensor (*judged.parameters.find("generator.bias"))(0, 0, judged.config.eos_id) = 1000;
    CHECK(judged.evaluate({{{4, 2}, {4, 5, 2}}}).token_accuracy == 0);
    CHECK(judged.evaluate({{{4, 2}, {2}}}).token_accuracy == 0);
    CHECK(judged.evaluate({{{4, 2}, {2}}}).exact_match == 1);
}

TEST_CASE("a unit is silent when no word of any pair opens it") {
    Judged judged;
    std::vector<EncodedPair> pairs;
    for (const auto& source : sources()) pairs.push_back({source, {4, 5, 2}});
    const double alive = judged.evaluate(pairs).silent_units;
    CHECK(alive >= 0);
    CHECK(alive < 0.5);
    CHECK(judged.evaluate(pairs, 3).silent_units == alive);
    for (const char* stack : {"encoder", "decoder"}) {
        Tensor bias =
            judged.parameters.tensor(*judged.parameters.find("transformer." + std::string(stack) + ".layers.0.linear1.bias"));
        for (Index unit = 0; unit < bias.columns(); ++unit) bias(0, 0, unit) = -1000;
    }
    const double layers = double(judged.config.encoder_layers + judged.config.decoder_layers);
    CHECK(judged.evaluate(pairs).silent_units >= 2 / layers);
}

TEST_CASE("the loss is the mean over tokens, however the pairs are batched and on any number of threads") {
    Judged judged;
    std::vector<EncodedPair> pairs;
    for (const auto& source : sources()) pairs.push_back({source, {4, 5, 2}});
    pairs.push_back({{4, 2}, {2}});
    double sum = 0, tokens = 0;
    for (const EncodedPair& pair : pairs) {
        sum += judged.evaluate({pair}).loss * double(pair.target.size());
        tokens += double(pair.target.size());
    }
    const Evaluation one = judged.evaluate(pairs, 1), two = judged.evaluate(pairs, 3);
    CHECK(one.loss == doctest::Approx(sum / tokens).epsilon(1e-5));
    CHECK(one.loss == two.loss);
    CHECK(one.token_accuracy == two.token_accuracy);
    CHECK(judged.evaluate({}).pairs == 0);
    CHECK(judged.evaluate({}).loss == 0);
}
