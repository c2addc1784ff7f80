#include "engine/decode/writing.h"

#include "engine/decode/beam.h"
#include "engine/decode/writing.h"
#include "engine/ops/leaves.h"
#include "tests/engine/model/families.h"
#include "tests/engine/model/foreign_models.h"
#include "tests/engine/model/small_model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace headlight;
using namespace headlight::test;

namespace {

// Logits of the next word after `fed`, every row of every value computed.
std::vector<Real> logits_of_whole_pass(Model& model, const std::vector<TokenId>& source,
                                       const std::vector<TokenId>& fed) {
    for (const Stream& stream : model.map.streams) {
        const std::vector<TokenId>& ids = stream.is_written ? fed : source;
        feed(stream.tokens, ids, 1, Index(ids.size()));
    }
    model.graph.forward(0, model.end_of_output());
    const Tensor& logits = model.map.output.values->value;
    const Real* last = logits.row(0, logits.rows() - 1);
    return {last, last + logits.columns()};
}

double greatest_difference(std::span<const Real> a, std::span<const Real> b) {
    double apart = 0, greatest = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        apart = std::max(apart, std::abs(double(a[i]) - double(b[i])));
        greatest = std::max(greatest, std::abs(double(b[i])));
    }
    return apart / greatest;
}

// Beginnings that split, change places, die and go on, with words drawn at random: what each says next is
// what a whole pass of its words says. `twin` has the same weights. False where nothing can be kept.
bool check_growing(Model& model, Model& twin, std::uint64_t seed) {
    const Stream& target = *model.map.target();
    std::mt19937_64 random(seed);
    std::vector<TokenId> source;
    for (int i = 0; i < 3; ++i)
        source.push_back(TokenId(random()
                                 % std::uint64_t(model.map.source() ? model.map.source()->vocabulary_size
                                                                    : target.vocabulary_size)));
    Writing writing(model, source);
    const bool is_cached = writing.is_cached();
    for (const Index prefixes : {1, 3, 3, 2, 4, 1}) {
        for (Index b = 0; b < writing.prefixes(); ++b) {
            const std::vector<Real> whole = logits_of_whole_pass(twin, source, writing.fed(b));
            CHECK(greatest_difference(writing.logits(b), whole) < 1e-5);
        }
        if (Index(writing.fed(0).size()) >= target.max_length) break;
        std::vector<Continuation> nexts;
        for (Index b = 0; b < prefixes; ++b)
            nexts.push_back({Index(random() % std::uint64_t(writing.prefixes())),
                             TokenId(random() % std::uint64_t(target.vocabulary_size))});
        writing.go_on(nexts);
        if (is_cached) CHECK(writing.cost().rows == 1);
    }
    return is_cached;
}

} // namespace

TEST_CASE("row by row, with what was computed kept, the next word has the logits of a whole pass") {
    std::vector<ModelConfig> configs = all_configs();
    for (const ModelConfig& config : one_stack_configs())
        if (!config.has_encoder()) configs.push_back(config);
    for (const ModelConfig& config : configs) {
        CAPTURE(description(config));
        Parameters parameters = random_parameters(config, 5);
        const auto model = build_transformer(config, parameters),
                   twin = build_transformer(config, parameters);
        CHECK(check_growing(*model, *twin, 7));
    }
}

TEST_CASE("so it is for the families that others made, and for architectures that nobody ships") {
    Index cached = 0;
    for (const std::string& name : all_families()) {
        CAPTURE(name);
        ComputedFamily family(name);
        if (!family.model->map.target()) continue;
        const auto twin = family.another_pass();
        CHECK(check_growing(*family.model, *twin, 11));
        ++cached;
    }
    CHECK(cached >= 8);
    for (const ForeignModel& foreign : foreign_models()) {
        CAPTURE(foreign.name);
        ComputedForeignModel computed(foreign);
        if (!computed.model->map.target()) continue;
        const auto twin = computed.another_pass();
        check_growing(*computed.model, *twin, 13);
    }
}

TEST_CASE("keys and values of each attention of the target to itself are what is kept, and nothing else") {
    const ModelConfig config = small_config();
    Parameters parameters = random_parameters(config, 1);
    const auto model = build_transformer(config, parameters);
    GrowingPass pass(model->graph, *model->map.target()->tokens, model->end_of_output());
    std::vector<const Node*> expected;
    for (const Attention& attention : model->map.attentions)
        if (attention.is_self() && attention.query_tokens() == model->map.target()->tokens) {
            expected.push_back(attention.k);
            expected.push_back(attention.v);
        }
    CHECK(std::vector<const Node*>(pass.kept().begin(), pass.kept().end()) == expected);
}

TEST_CASE("what is edited is computed whole, so that an edit of a later row reaches what it should") {
    const ModelConfig config = small_config();
    Parameters parameters = random_parameters(config, 3);
    const auto model = build_transformer(config, parameters), twin = build_transformer(config, parameters);
    const Edit silenced{.path = "decoder.0.self_attn.heads", .region = {1}, .kind = Edit::Kind::scale};
    model->graph.set_edits({silenced}), twin->graph.set_edits({silenced});
    CHECK_FALSE(check_growing(*model, *twin, 17));
}

TEST_CASE("after greedy decoding the graph holds a whole pass, to the bit, with a cache and without") {
    for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
        const ModelConfig config = small_config();
        Parameters parameters = random_parameters(config, seed);
        const auto model = build_transformer(config, parameters),
                   twin = build_transformer(config, parameters);
        const std::vector<TokenId> source{4, 5, 3, 2};
        const std::vector<TokenId> words = greedy_decode(*model, source);
        Writing whole(*twin, source, {}, Caching::none);
        const Answer answer = write_answer(whole, {});
        CHECK(answer.words() == words);
        whole.leave(answer.words());
        for (const Node& node : model->graph.nodes()) {
            CAPTURE(node.path);
            const Node& other = *twin->graph.find(node.path);
            REQUIRE(node.shape() == other.shape());
            CHECK(std::equal(node.value.data(), node.value.data() + node.value.size(), other.value.data()));
        }
    }
}

TEST_CASE("64 words cost 64 rows of keys and values instead of 2,080, and 2,080 scores a head, not 45,760") {
    ModelConfig config = small_config();
    config.max_length = 65;
    Parameters parameters = random_parameters(config, 2);
    parameters.tensor (*parameters.find("generator.bias"))(0, 0, config.eos_id) = -1000; // it never ends
    const auto model = build_transformer(config, parameters);
    const std::vector<TokenId> source{4, 5, 3, 2};
    for (const auto& [caching, rows, scores] :
         {std::tuple{Caching::as_possible, 64, 2080}, std::tuple{Caching::none, 2080, 45760}}) {
        Writing writing(*model, source, {}, caching);
        const Answer answer = write_answer(writing, {});
        REQUIRE(answer.said.size() == 64);
        PassCost all;
        for (const PassCost& cost : answer.costs) {
            all.rows += cost.rows, all.scores += cost.scores;
            all.multiplications += cost.multiplications;
        }
        CHECK(all.rows == rows);
        CHECK(all.scores == scores);
        CHECK(all.multiplications > 0);
    }
}

TEST_CASE("an answer is said word by word, and stopped after any of them") {
    ModelConfig config = small_config();
    config.max_length = 12;
    Parameters parameters = random_parameters(config, 2);
    parameters.tensor (*parameters.find("generator.bias"))(0, 0, config.eos_id) = -1000; // it never ends
    const auto built = build_transformer(config, parameters);
    Model& model = *built;
    const std::vector<TokenId> source{4, 5, 3, 2};
    Writing whole_writing(model, source);
    const Answer whole = write_answer(whole_writing, {});
    REQUIRE(whole.said.size() > 2);
    Writing writing(model, source);
    AnswerWriter writer(writing, {});
    for (std::size_t n = 1; n <= whole.said.size(); ++n) {
        REQUIRE_FALSE(writer.is_over());
        writer.say_next();
        REQUIRE(writer.answer().said.size() == n);
        CHECK(writer.answer().said.back().word == whole.said[n - 1].word);
        CHECK(writer.answer().said.back().log_probability == whole.said[n - 1].log_probability);
    }
    CHECK(writer.is_over());
    CHECK(writer.answer().has_ended == whole.has_ended);

    const std::atomic<bool> stop = true;
    Writing stopped(model, source);
    CHECK(write_answer(stopped, {.stop = &stop}).said.empty());
    const BeamTree tree = grow_beams(model, source, {.width = 3, .stop = &stop});
    CHECK(tree.steps == 1);
    CHECK(tree.answers(1).size() == 3);
}

TEST_CASE("an answer may begin with given words, which are judged where they were to be said") {
    const ModelConfig config = small_config();
    Parameters parameters = random_parameters(config, 4);
    const auto model = build_transformer(config, parameters);
    const std::vector<TokenId> source{4, 5, 3, 2};
    Writing free(*model, source);
    const Answer own = write_answer(free, {});
    REQUIRE(own.said.size() >= 2);
    const std::vector<TokenId> begun{own.said[0].word, own.said[1].word};
    Writing from_there(*model, source, begun);
    const Answer same = write_answer(from_there, {});
    REQUIRE(same.said.size() == own.said.size());
    for (std::size_t i = 0; i < own.said.size(); ++i) {
        CHECK(same.said[i].word == own.said[i].word);
        CHECK(same.said[i].log_probability == doctest::Approx(own.said[i].log_probability).epsilon(1e-5));
    }
}

TEST_CASE("an answer begins with no more words than have room, whatever it is told to begin with") {
    const ModelConfig config = small_config();
    Parameters parameters = random_parameters(config, 4);
    const auto model = build_transformer(config, parameters);
    const std::vector<TokenId> source{4, 5, 3, 2}, many(1000, 5);
    Writing writing(*model, source, many);
    CHECK(Index(writing.fed(0).size()) == config.max_length);
    CHECK(Index(write_answer(writing, {}).said.size()) <= config.max_length);
    const BeamTree tree = grow_beams(*model, source, {.width = 2, .begun = many});
    CHECK(tree.begun == config.max_length - 1);
    CHECK(Index(beam_search(*model, source, {.width = 2, .begun = many}).size()) >= tree.begun);
}
