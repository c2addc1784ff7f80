#include "engine/model/transformer.h"

#include "engine/decode/beam.h"
#include "engine/decode/writing.h"
#include "engine/inspect/heads.h"
#include "engine/model/transformer.h"
#include "engine/ops/leaves.h"
#include "tests/engine/model/small_model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace headlight;
using namespace headlight::test;

namespace {

ModelConfig config_of(Architecture architecture, Head head) {
    ModelConfig config = small_config();
    config.architecture = architecture;
    config.head = head;
    config.labels = {"negative", "positive"};
    return settled(config);
}
const ModelConfig glosses = config_of(Architecture::encoder_only, Head::tokens),
                  classes = config_of(Architecture::encoder_only, Head::classes),
                  writes = config_of(Architecture::decoder_only, Head::tokens);

struct Computed {
    Parameters parameters;
    std::unique_ptr<Model> model;

    explicit Computed(const ModelConfig& config)
        : parameters(random_parameters(config, 5)), model(build_transformer(config, parameters)) {}

    const Tensor& logits(const std::vector<TokenId>& ids, Index sequences = 1) {
        feed(model->map.streams.front().tokens, ids, sequences, Index(ids.size()) / sequences);
        model->graph.forward();
        return model->map.output.values->value;
    }
};

std::vector<double> row_of(const Tensor& logits, Index sequence, Index row) {
    return {logits.row(sequence, row), logits.row(sequence, row) + logits.columns()};
}

bool near(const std::vector<double>& a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
        if (std::abs(a[i] - b[i]) > 1e-5) return false;
    return a.size() == b.size();
}

std::vector<std::string> names_of(const ModelConfig& config) {
    const Parameters parameters = list_parameters(config);
    std::vector<std::string> names;
    for (const Parameter& p : parameters.list()) names.push_back(p.name);
    return names;
}

} // namespace

TEST_CASE("the parameters of one stack alone have the names of torch.nn.TransformerEncoder") {
    ModelConfig config = glosses;
    config.final_norm = true;
    config.positional_encoding = PositionalEncoding::learned;
    CHECK(names_of(config)
          == std::vector<std::string>{
              "source_embedding.weight", "source_positions.weight",
              "encoder.layers.0.self_attn.in_proj_weight", "encoder.layers.0.self_attn.in_proj_bias",
              "encoder.layers.0.self_attn.out_proj.weight", "encoder.layers.0.self_attn.out_proj.bias",
              "encoder.layers.0.linear1.weight", "encoder.layers.0.linear1.bias",
              "encoder.layers.0.linear2.weight", "encoder.layers.0.linear2.bias",
              "encoder.layers.0.norm1.weight", "encoder.layers.0.norm1.bias", "encoder.layers.0.norm2.weight",
              "encoder.layers.0.norm2.bias", "encoder.norm.weight", "encoder.norm.bias", "generator.weight",
              "generator.bias"});
    CHECK(names_of(classes).back() == "classifier.bias");
    CHECK(list_parameters(classes).find("classifier.weight")->rows == 2);
    CHECK(names_of(writes).front() == "target_embedding.weight");
    CHECK(list_parameters(writes).find("decoder.layers.1.norm2.weight"));
    CHECK_FALSE(list_parameters(writes).find("decoder.layers.0.multihead_attn.in_proj_weight"));
}

TEST_CASE("padding changes nothing of what is said of a sequence, words or a class") {
    for (const ModelConfig& config : {glosses, classes}) {
        Computed computed(config);
        const std::vector<double> alone = row_of(computed.logits({4, 6, 2}), 0, 0);
        const std::vector<double> beside = row_of(computed.logits({4, 6, 2, 0, 0, 5, 4, 7, 8, 2}, 2), 0, 0);
        CHECK(near(alone, beside));
    }
}

TEST_CASE("no word of a decoder alone knows a later one") {
    Computed computed(writes);
    const std::vector<double> before = row_of(computed.logits({1, 4, 5, 6}), 0, 1);
    CHECK(near(before, row_of(computed.logits({1, 4, 6, 3}), 0, 1)));
    CHECK_FALSE(near(before, row_of(computed.logits({1, 6, 5, 6}), 0, 1)));
}

TEST_CASE("the map says what a model of one stack reads and says") {
    Computed gloss(glosses), sort(classes), write(writes);
    gloss.logits({4, 5, 2});
    CHECK(gloss.model->map.source()->name == "encoder");
    CHECK_FALSE(gloss.model->map.target());
    CHECK(gloss.model->map.output.meaning == Output::Meaning::words);
    CHECK_FALSE(gloss.model->map.output.is_next_word());
    CHECK(gloss.model->map.words_of(*gloss.model->map.output.chosen) == glosses.target_vocab_size);
    CHECK(sort.model->map.output.meaning == Output::Meaning::classes);
    CHECK(sort.model->graph.find("output.pooled")->axes.rows.kind == Axis::Kind::single);
    CHECK_FALSE(write.model->map.source());
    CHECK(write.model->map.target()->name == "decoder");
    CHECK(write.model->map.target()->is_causal);
    CHECK(write.model->map.output.is_next_word());
}

TEST_CASE("an encoder alone answers at once: a word for each word, or one class") {
    Computed gloss(glosses), sort(classes);
    const std::vector<TokenId> given = as_given(gloss.model->map, {4, 5, 6});
    CHECK(given == std::vector<TokenId>{4, 5, 6, 2});
    const std::vector<TokenId> words = most_probable_answer(*gloss.model, given);
    REQUIRE(words.size() == 3);
    const Tensor& logits = gloss.model->map.output.values->value;
    for (Index t = 0; t < 3; ++t)
        CHECK(words[std::size_t(t)]
              == TokenId(std::max_element(logits.row(0, t), logits.row(0, t) + logits.columns())
                         - logits.row(0, t)));
    CHECK(most_probable_answer(*sort.model, given).size() == 1);
}

TEST_CASE("a decoder alone goes on from the beginning that it is given, and a beam of one says the same") {
    Computed write(writes);
    const std::vector<TokenId> given = as_given(write.model->map, {4, 5});
    CHECK(given == std::vector<TokenId>{4, 5});
    const std::vector<TokenId> said = greedy_decode(*write.model, given);
    CHECK(Index(said.size()) <= writes.max_length - 3);
    std::vector<TokenId> fed{1, 4, 5};
    for (const TokenId word : said) {
        const Tensor& logits = write.logits(fed);
        const Real* row = logits.row(0, logits.rows() - 1);
        CHECK(TokenId(std::max_element(row, row + logits.columns()) - row) == word);
        fed.push_back(word);
    }
    CHECK(beam_search(*write.model, given, 1) == said);
}

TEST_CASE("a silenced word is one that is not there for anybody, and the sentence is as it was afterwards") {
    Computed sort(classes);
    const std::vector<TokenId> fed{4, 5, 6, 2};
    sort.logits(fed);
    const double whole = watched(*sort.model, 0, 1, SweepMeasure::probability);
    const std::vector<double> without = watch_silenced_words(*sort.model, fed, 0, {0, 1});
    REQUIRE(without.size() == 4);
    CHECK(watched(*sort.model, 0, 1, SweepMeasure::probability) == whole);
    sort.logits({4, 0, 6, 2});
    CHECK(watched(*sort.model, 0, 1, SweepMeasure::probability) == without[1]);
    CHECK(without[1] != whole);
}

namespace {

// The loss of a batch, with gradients laid out like the parameters.
double loss_of(const ModelConfig& config, Parameters& parameters, std::vector<Real>& gradients,
               int passes = 1) {
    gradients.assign(std::size_t(parameters.count()), Real(0));
    const auto model = build_transformer(config, parameters, {.loss = true, .gradients = gradients.data()});
    model->graph.spare_memory();
    feed(*model, padded_batch(config));
    for (int pass = 0; pass < passes; ++pass) {
        model->graph.adds_gradients = pass > 0;
        model->graph.forward();
        model->graph.backward(model->map.output.loss);
    }
    return double(model->map.output.loss->value(0, 0, 0));
}

} // namespace

TEST_CASE(
    "tied embeddings say what three equal matrices say, and learn what the three would learn together") {
    for (const Architecture architecture : {Architecture::encoder_decoder, Architecture::decoder_only}) {
        ModelConfig apart = small_config();
        apart.architecture = architecture;
        apart.target_vocab_size = apart.source_vocab_size;
        apart = settled(apart);
        ModelConfig tied = apart;
        tied.tie_embeddings = true;
        Parameters one = random_parameters(tied, 6), three = random_parameters(apart, 8);
        for (const Parameter& p : three.list()) {
            const bool is_table = p.name.ends_with("_embedding.weight") || p.name == "generator.weight";
            const Parameter& same = *one.find(is_table ? tied.target_table() : p.name);
            std::copy_n(one.values(same), p.size(), three.data() + p.offset);
        }
        std::vector<Real> together, by_three;
        CHECK(loss_of(tied, one, together) == doctest::Approx(loss_of(apart, three, by_three)));
        std::vector<Real> sum(one.find(tied.target_table())->size(), Real(0));
        for (const Parameter& p : three.list())
            if (p.name.ends_with("_embedding.weight") || p.name == "generator.weight")
                for (Index i = 0; i < p.size(); ++i)
                    sum[std::size_t(i)] += by_three[std::size_t(p.offset + i)];
        const Index offset = one.find(tied.target_table())->offset;
        for (std::size_t i = 0; i < sum.size(); ++i)
            if (std::abs(together[std::size_t(offset) + i] - sum[i]) > 1e-5) FAIL_CHECK(i);
    }
}

TEST_CASE("gradients of parameters add up over passes when they are told to") {
    for (const bool is_tied : {false, true}) {
        ModelConfig config = small_config();
        config.target_vocab_size = config.source_vocab_size;
        config.tie_embeddings = is_tied;
        Parameters parameters = random_parameters(config, 6);
        std::vector<Real> once, thrice;
        loss_of(config, parameters, once);
        loss_of(config, parameters, thrice, 3);
        for (std::size_t i = 0; i < once.size(); ++i)
            if (std::abs(thrice[i] - 3 * once[i]) > 1e-5) FAIL_CHECK(i);
    }
}
