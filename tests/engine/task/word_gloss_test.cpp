#include "engine/task/tasks.h"

#include "engine/task/everyday_task.h"
#include "engine/task/pairs.h"
#include "engine/text/words.h"
#include "engine/train/evaluate.h"

#include <doctest/doctest.h>

#include <map>

using namespace headlight;

namespace {

const std::string assets = HEADLIGHT_SOURCE_DIR "/assets";

const WordGlosser& glosser() {
    static const WordGlosser once = [] {
        auto opened = WordGlosser::open(assets);
        REQUIRE(opened);
        return *std::move(opened);
    }();
    return once;
}

// A space for one that does not break.
std::string gloss(const std::string& english, const std::string& portuguese) {
    const auto glosses = glosser().gloss(english, portuguese);
    if (!glosses) return "";
    std::string text = written_gloss(*glosses);
    for (std::size_t at; (at = text.find("\u00A0")) != std::string::npos;) text.replace(at, 2, "_");
    return text;
}

} // namespace

TEST_CASE("each English word is glossed by the Portuguese word that it becomes in the sentence") {
    CHECK(gloss("The animal didn't cross the street because it was too tired.",
                "O animal não atravessou a rua porque ele estava cansado demais.")
          == "o animal não atravessou a rua porque ele estava demais cansado.");
    CHECK(gloss("The animal didn't cross the street because it was too wide.",
                "O animal não atravessou a rua porque ela era larga demais.")
          == "o animal não atravessou a rua porque ela era demais larga.");
    CHECK(gloss("He works at the bank.", "Ele trabalha no banco.") == "ele trabalha no – banco.");
    CHECK(gloss("We slept on the bank of the river.", "Nós dormimos na margem do rio.")
          == "nós dormimos na – margem do – rio.");
    CHECK(gloss("I like coffee.", "Eu gosto de café.") == "eu gosto_de café.");
    CHECK(gloss("I like the photo.", "Eu gosto da foto.") == "eu gosto da foto.");
    CHECK(gloss("I'm hungry.", "Estou com fome.") == "eu estou com_fome.");
    CHECK(gloss("She's having breakfast.", "Ela está tomando café da manhã.") == "ela está tomando café_da_manhã.");
    CHECK(gloss("Turn it off!", "Desligue-o!") != "");
    CHECK(gloss("He wants to see it.", "Ele quer vê-lo.") == "ele quer – vê-lo –.");
    CHECK(gloss("Do you like orange juice?", "Você gosta de suco de laranja?") == "– você gosta_de laranja suco_de?");
    CHECK(gloss("The movie theater is big.", "O cinema é grande.") == "o – cinema é grande.");
}

TEST_CASE("names and numbers stay, and a sentence that is said in another way has no gloss") {
    CHECK(gloss("Ana is 15.", "Ana tem 15.") == "= tem =.");
    CHECK(gloss("I live in Brazil 🙂", "Eu moro no Brasil 🙂") == "eu moro no Brasil =");
    CHECK_FALSE(glosser().gloss("The dog sleeps.", "O gato dorme."));
    CHECK_FALSE(glosser().gloss("Break a leg!", "Boa sorte!"));
    CHECK(glosser().gloss("", "")->empty());
}

TEST_CASE("nearly every drawn sentence is glossed, a word for a word") {
    const auto drawing = DrawnPairs::open(assets, DrawnPairs::Direction::english_to_portuguese);
    REQUIRE(drawing);
    int glossed = 0;
    for (std::uint64_t i = 0; i < 500; ++i) {
        Random random({21, i});
        const SentencePair pair = (*drawing)->draw(random);
        const auto glosses = glosser().gloss(pair.source, pair.target);
        if (!glosses) continue;
        ++glossed;
        CHECK(glosses->size() == gloss_words(pair.source).size());
    }
    CHECK(glossed > 450);
}

TEST_CASE("everyday glosses are learnt by an encoder alone, a gloss for each word and a mark for what goes on") {
    const auto task = make_everyday_task("everyday-gloss", assets, 600);
    REQUIRE(task);
    const Tokenizers tokenizers = make_tokenizers(**task);
    CHECK(tokenizers.target.vocabulary().size() == 4 + 1 + 1200);
    ModelConfig config;
    config.architecture = Architecture::encoder_only;
    config.max_length = 201;
    const TokenId goes_on = *tokenizers.target.vocabulary().find(gloss_goes_on);
    for (std::uint64_t i = 0; i < 300; ++i) {
        Random random({22, i});
        const SentencePair pair = (*task)->sample(random);
        CAPTURE(pair.source);
        CAPTURE(pair.target);
        const auto encoded = encode_pair(pair, tokenizers, config);
        REQUIRE(encoded);
        CHECK(encoded->source.size() == encoded->target.size());
        const auto words = gloss_words(pair.source).size();
        CHECK(std::size_t(std::count(encoded->target.begin(), encoded->target.end(), goes_on))
              >= encoded->target.size() - 1 - words);
    }
    CHECK(encode_pair({"The dog sleeps.", "o cachorro"}, tokenizers, config).error().key == "error.answers_uneven");
}

TEST_CASE("a line of small words that cannot be read is named") {
    const auto lexicon = language::Lexicon::read(assets + "/lexicon");
    REQUIRE(lexicon);
    const std::map<std::string, std::string> wrong = {
        {"words\n  it\n", "2"}, {"verbs\n", "1"}, {"# a\n  it = isso\n", "2"}, {"words\n\n  = isso\n", "3"}};
    for (const auto& [text, line] : wrong) {
        const auto senses = language::Senses::read(*lexicon, text, "own.txt");
        REQUIRE_FALSE(senses);
        CHECK(senses.error().key == "error.gloss_words_line");
        CHECK(senses.error().arguments.at(0) == "own.txt");
        CHECK(senses.error().arguments.at(1) == line);
    }
}
