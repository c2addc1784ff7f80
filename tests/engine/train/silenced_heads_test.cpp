#include "engine/train/evaluate.h"

#include "engine/io/model_folder.h"
#include "engine/train/evaluate.h"

#include <doctest/doctest.h>

using namespace headlight;

namespace {

struct Small {
    Small() {
        auto read = read_model_folder(HEADLIGHT_SOURCE_DIR "/assets/models/translate-en-pt");
        REQUIRE(read);
        files = *std::move(read);
        model = files.build(files.parameters, {.loss = true});
    }
    SilencedSentence sentence(const std::string& source, const std::string& target) const {
        auto pair = encode_pair({source, target}, {files.source, files.target}, files.config);
        REQUIRE(pair);
        return {*std::move(pair)};
    }
    std::vector<SilencedHead> table(std::span<const SilencedSentence> sentences, std::size_t most = 1000) {
        std::vector<SilencedHead> heads;
        const auto says_ela = [&](std::size_t, const std::vector<TokenId>&, const std::vector<TokenId>& without) {
            return files.target.decode(without).find(" ela ") != std::string::npos;
        };
        silence_heads(*model, files.config, sentences, says_ela, [&](const SilencedHead& head) {
            heads.push_back(head);
            return heads.size() < most;
        });
        return heads;
    }

    ModelFiles files;
    std::unique_ptr<Model> model;
};

const std::string tired = "The animal didn't cross the street because it was too tired";

} // namespace

TEST_CASE("the pronoun hangs on one head of the small model, which the table of silenced heads finds") {
    Small small;
    std::vector<SilencedSentence> sentences{
        small.sentence(tired, "O animal não atravessou a rua porque ele estava cansado demais")};
    sentences[0].same = {{1, 1, 2}, {4, 5, 6}}; // “animal”, “rua”
    const std::vector<SilencedHead> heads = small.table(sentences);
    REQUIRE(heads.size() == 24);
    double most = 0;
    for (const SilencedHead& head : heads) {
        CAPTURE(head.attention);
        CAPTURE(head.head);
        const bool is_the_one = head.attention == "decoder.0.cross_attn" && head.head == 0;
        CHECK(head.turned == Index(is_the_one));
        if (is_the_one) CHECK(head.answers_changed == 1);
        CHECK((head.answers_changed == 0 || head.answers_changed == 1));
        CHECK(head.aligned.has_value() == head.attention.ends_with("cross_attn"));
        if (head.aligned) most = std::max(most, *head.aligned);
    }
    CHECK(most > 0.5); // some head looks at the word that it says
    CHECK(small.model->graph.edits().empty());
}

TEST_CASE("sentences that do not count change no share and no loss, and who has seen enough stops") {
    Small small;
    std::vector<SilencedSentence> one{small.sentence("The cat sleeps", "O gato dorme")}, two = one;
    two.push_back(small.sentence(tired, "O animal não atravessou a rua porque ele estava cansado demais"));
    two.back().counts = false;
    const auto first = small.table(one, 13), second = small.table(two, 13);
    REQUIRE(first.size() == 13);
    REQUIRE(second.size() == 13);
    Index turned = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        CHECK(first[i].answers_changed == second[i].answers_changed);
        CHECK(first[i].loss_change == doctest::Approx(second[i].loss_change));
        CHECK_FALSE(first[i].aligned);
        turned += second[i].turned;
    }
    CHECK(turned <= 1);
    CHECK(small.model->graph.edits().empty());
    CHECK(small.table({}, 1).front().answers_changed == 0);
}
