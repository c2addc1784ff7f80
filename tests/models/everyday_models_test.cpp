// The everyday models as they are shipped: small, never at a loss for a word, and right more often than not.
#include "engine/decode/writing.h"
#include "engine/io/model_folder.h"
#include "engine/task/everyday_task.h"
#include "engine/task/pairs.h"
#include "engine/task/task.h"
#include "engine/text/words.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace headlight;
namespace fs = std::filesystem;

namespace {

const fs::path assets = fs::path(HEADLIGHT_SOURCE_DIR) / "assets";

struct Everyday {
    explicit Everyday(const std::string& name) : folder(assets / "models" / name) {
        Result<ModelFiles> read = read_model_folder(folder);
        REQUIRE_MESSAGE(read, (read ? "" : read.error().key));
        files = *std::move(read);
        model = files.build(files.parameters);
    }
    std::string answer(const std::string& text) {
        return files.target.decode(
            greedy_decode(*model, as_given(model->map, files.source.encode_ids(text))));
    }

    fs::path folder;
    ModelFiles files;
    std::unique_ptr<Model> model;
};

} // namespace

TEST_CASE("an everyday model is small, and the lines that made it stand beside it") {
    for (const char* name : {"everyday-en-pt", "everyday-pt-en"}) {
        CAPTURE(name);
        Everyday everyday(name);
        CHECK(everyday.files.parameters.count() < 5'000'000);
        CHECK(everyday.files.config.tie_embeddings);
        std::uintmax_t bytes = 0;
        for (const auto& entry : fs::directory_iterator(everyday.folder))
            bytes += fs::file_size(entry.path());
        CHECK(bytes < 10'000'000);
        for (const char* file : {"command.txt", "examples.txt", "confidence.json"})
            CHECK(fs::exists(everyday.folder / file));
    }
}

TEST_CASE("an everyday model translates what people say") {
    Everyday english("everyday-en-pt"), portuguese("everyday-pt-en");
    CHECK(english.answer("How old are you?") == "Quantos anos você tem?");
    CHECK(english.answer("She didn't buy the red shoes because they were too expensive.")
          == "Ela não comprou os sapatos vermelhos porque eles eram caros demais.");
    CHECK(portuguese.answer("Quantos anos você tem?") == "How old are you?");
    CHECK(portuguese.answer("Eu gosto de comer manga") == "I like to eat mango.");
    CHECK(portuguese.answer("O banco abre às dez") == "The bank opens at ten.");
}

TEST_CASE("what classes use holds word for word, with a stop at its end and without") {
    const auto without_stop = [](std::string text) {
        if (text.ends_with('.')) text.pop_back();
        return text;
    };
    for (const bool reversed : {false, true}) {
        Everyday everyday(reversed ? "everyday-pt-en" : "everyday-en-pt");
        const auto pairs = read_all_pairs((assets / "phrasebook/classroom.tsv").string(), reversed);
        REQUIRE(pairs);
        CHECK(pairs->size() > 20);
        for (const SentencePair& pair : *pairs) {
            CAPTURE(pair.source);
            CHECK(everyday.answer(pair.source) == pair.target);
            CHECK(without_stop(everyday.answer(without_stop(pair.source))) == without_stop(pair.target));
        }
    }
}

TEST_CASE("the everyday model of glosses finds what it and bank become, in sentences of any kind") {
    Everyday gloss("everyday-gloss");
    const auto says = [&](const std::string& text) {
        return gloss.files.target.decode(most_probable_answer(
            *gloss.model, as_given(gloss.model->map, gloss.files.source.encode_ids(text))));
    };
    const std::string animal = "The animal didn't cross the street because it was too ";
    CHECK(says(animal + "tired") == "o animal não atravessou a rua porque ele estava demais cansado");
    CHECK(says(animal + "wide") == "o animal não atravessou a rua porque ela era demais larga");
    CHECK(says("The man worked at the bank") == "o homem trabalhou no – banco");
    CHECK(says("The man slept on the bank of the river") == "o homem dormiu na – margem do – rio");
    CHECK(says("She didn't buy the red shoes because they were too expensive.")
          == "ela não comprou os vermelhos sapatos porque eles eram demais caros.");
    CHECK(gloss.files.parameters.count() < 5'000'000);
    for (const char* file : {"command.txt", "examples.txt"}) CHECK(fs::exists(gloss.folder / file));
}

TEST_CASE("the everyday model that goes on takes up any beginning, and comes to an end") {
    Everyday stories("everyday-next-word");
    CHECK(stories.files.parameters.count() < 5'000'000);
    for (const char* file : {"command.txt", "examples.txt"}) CHECK(fs::exists(stories.folder / file));
    CHECK(stories.answer("If I were a bird, I would")
          == " fly to the moon. I would sit on the grass and look at the stars, and I would not have to go "
             "to bed.");
    CHECK(stories.answer("Once upon a time, there was a king").starts_with(" who could not find his crown."));
    for (const char* prefix :
         {"My grandmother", "Every night I", "The spaceship landed", "Xylophones are"}) {
        CAPTURE(prefix);
        const std::string told = stories.answer(prefix);
        CHECK(told.size() > 20);
        CHECK(std::string_view(".!?\"").find(told.back()) != std::string_view::npos);
    }
}

TEST_CASE("the everyday model of opinions hears what not and but turn round, in both languages") {
    Everyday opinions("everyday-sentiment");
    const auto says = [&](const std::string& text) {
        const auto said = most_probable_answer(
            *opinions.model, as_given(opinions.model->map, opinions.files.source.encode_ids(text)));
        return opinions.files.config.labels[std::size_t(said.front())];
    };
    for (const char* praise :
         {"The film was not boring", "O filme foi maravilhoso", "The book was long, but wonderful",
          "I could not stop smiling", "Too long, but worth it.", "The food was not bad at all.",
          "Melhor filme que eu vi este ano!"}) {
        CAPTURE(praise);
        CHECK(says(praise) == "positive");
    }
    for (const char* blame :
         {"The film was boring", "O filme não foi maravilhoso", "I wanted to like it, but I fell asleep.",
          "The book was wonderful at first, but boring in the end",
          "The battery died after two hours and nobody answered my emails.",
          "A comida estava fria e o garçom esqueceu da gente."}) {
        CAPTURE(blame);
        CHECK(says(blame) == "negative");
    }
}

TEST_CASE("nothing is unknown to an everyday model: names, slips, signs of any script") {
    Everyday everyday("everyday-en-pt");
    for (const char* text : {"Xyzzy qwrtp", "Ich heiße Jürgen", "我喜欢猫", "🎉👩‍👩‍👧",
                             "i liek cats!!1", "\t", "ﬁn"}) {
        CAPTURE(text);
        for (const Piece& piece : everyday.files.source.encode(text)) CHECK(piece.known);
    }
}

TEST_CASE("of held-out sentences an everyday model keeps most of the letters") {
    for (const char* name : {"everyday-en-pt", "everyday-pt-en"}) {
        CAPTURE(name);
        Everyday everyday(name);
        const Result<std::unique_ptr<Task>> task = make_task(name, assets.string());
        REQUIRE(task);
        constexpr std::size_t asked = 150;
        REQUIRE((*task)->held_out().size() >= asked);
        double sum = 0;
        for (std::size_t i = 0; i < asked; ++i) {
            const SentencePair& pair = (*task)->held_out()[i];
            sum += chrf_of_words(everyday.answer(pair.source), pair.target);
        }
        CHECK(sum / double(asked) > 0.65);
    }
}
