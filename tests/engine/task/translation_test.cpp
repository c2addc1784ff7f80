// The sentences of assets/grammars/english-portuguese.txt, in both directions.
#include "engine/task/grammar.h"
#include "engine/task/task.h"
#include "engine/text/tokenizer.h"
#include "engine/text/unicode.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <unordered_map>

using namespace headlight;

namespace {

const std::string assets_folder = HEADLIGHT_SOURCE_DIR "/assets";
const std::vector<std::string> both{"en-pt", "pt-en"};

const Task& task(const std::string& name) {
    static std::map<std::string, std::unique_ptr<Task>> tasks;
    if (!tasks.contains(name)) {
        Result<std::unique_ptr<Task>> made = make_task(name, assets_folder);
        REQUIRE(made);
        tasks[name] = std::move(*made);
    }
    return *tasks[name];
}

// Everything that can be asked in a direction, source → target, without final periods.
const std::map<std::string, std::string>& book(const std::string& name) {
    static std::map<std::string, std::map<std::string, std::string>> books;
    std::map<std::string, std::string>& known = books[name];
    if (!known.empty()) return known;
    const auto rules = grammar::read(assets_folder + "/grammars/english-portuguese.txt");
    REQUIRE(rules);
    const auto blocks = grammar::speak(*rules, name == "en-pt" ? grammar::Direction::english_to_portuguese
                                                               : grammar::Direction::portuguese_to_english);
    REQUIRE(blocks);
    for (const grammar::SpokenBlock& block : *blocks)
        for (const grammar::SpokenPhrase& phrase : block.phrases)
            for (const auto* pairs : {&phrase.training, &phrase.held_out})
                for (const SentencePair& pair : *pairs) known[pair.source] = pair.target;
    return known;
}

void check_translation(const std::string& english, const std::string& portuguese) {
    CAPTURE(english);
    REQUIRE(book("en-pt").contains(english));
    CHECK(book("en-pt").at(english) == portuguese);
    REQUIRE(book("pt-en").contains(portuguese));
    CHECK(book("pt-en").at(portuguese) == english);
}

// As the model will see them: cut by the tokenizer of words.
const std::vector<std::string>& words_of(const std::string& text) {
    static const Tokenizer tokenizer = Tokenizer::words({}, {.lowercase = false});
    static std::unordered_map<std::string, std::vector<std::string>>
        known; // test after test asks for the same
    const auto [found, is_new] = known.try_emplace(text);
    if (is_new)
        for (const headlight::Piece& piece : tokenizer.encode(text)) found->second.push_back(piece.text);
    return found->second;
}

std::set<std::string> different_words(const std::string& text) {
    const std::vector<std::string>& words = words_of(text);
    return {words.begin(), words.end()};
}

// Sources are lower-cased before they are looked up, targets are not. What two sources share is this.
std::string key_of(std::string source) {
    if (source.ends_with('.')) source.pop_back();
    return lowercase(source);
}

} // namespace

TEST_CASE("the sentences of the lessons are translated word for word") {
    check_translation("The animal didn't cross the street because it was too tired",
                      "O animal não atravessou a rua porque ele estava cansado demais");
    check_translation("The animal didn't cross the street because it was too wide",
                      "O animal não atravessou a rua porque ela era larga demais");
    check_translation("You are welcome", "De nada");
    check_translation("I am fine", "Eu estou bem");
    check_translation("Thank you", "Obrigado");
    check_translation("Good morning", "Bom dia");
    check_translation("How are you?", "Como você está?");
    check_translation("I am a student", "Eu sou estudante");
    check_translation("I grew up in Germany, so I speak fluent German",
                      "Eu cresci na Alemanha, então eu falo alemão fluente");
    check_translation("I like to eat mango", "Eu gosto de comer manga");
    check_translation("He asked the seamstress to cut the sleeve",
                      "Ele pediu para a costureira cortar a manga");
    check_translation("The cook cut the mango", "O cozinheiro cortou a manga");
    check_translation("The seamstress cut the sleeve", "A costureira cortou a manga");
    check_translation("The rat gnawed the clothes of the king of Rome", "O rato roeu a roupa do rei de Roma");
    check_translation("The clouds are in the sky", "As nuvens estão no céu");
    check_translation("Thinking machines", "Máquinas pensantes");
}

TEST_CASE("the lessons' sentences are trained on, with and without their period") {
    for (const std::string& name : both) {
        std::set<std::string> trained;
        for (const SentencePair& pair : task(name).all_training())
            trained.insert(name == "en-pt" ? pair.source : pair.target);
        for (const std::string sentence :
             {"The animal didn't cross the street because it was too tired",
              "The animal didn't cross the street because it was too wide", "You are welcome", "I am fine",
              "I am a student", "I grew up in Germany, so I speak fluent German", "I like to eat mango",
              "He asked the seamstress to cut the sleeve", "The rat gnawed the clothes of the king of Rome",
              "The clouds are in the sky", "Thinking machines"}) {
            CAPTURE(sentence);
            CHECK(trained.contains(sentence));
            CHECK(trained.contains(sentence + "."));
        }
        CHECK(trained.contains("How are you?"));
        CHECK_FALSE(trained.contains("How are you?."));
    }
}

TEST_CASE("pronoun, verb and adjective follow what it refers to, whatever the genders") {
    check_translation("The cow didn't cross the river because it was too tired",
                      "A vaca não atravessou o rio porque ela estava cansada demais");
    check_translation("The cow didn't cross the river because it was too wide",
                      "A vaca não atravessou o rio porque ele era largo demais");
    check_translation("The turtle didn't cross the bridge because it was too slow",
                      "A tartaruga não atravessou a ponte porque ela era lenta demais");
    check_translation("The horse couldn't cross the field because it was too dangerous",
                      "O cavalo não conseguiu atravessar o campo porque ele era perigoso demais");
    check_translation("The dog didn't enter the forest because it was too dark",
                      "O cachorro não entrou na floresta porque ela era escura demais");
    check_translation("They grew up in the United States, so they speak fluent English",
                      "Eles cresceram nos Estados Unidos, então eles falam inglês fluente");
    check_translation("She lived in Japan, so she speaks fluent Japanese",
                      "Ela morou no Japão, então ela fala japonês fluente");
    check_translation("The bird is beautiful", "O pássaro é bonito");
    check_translation("The stars are small", "As estrelas são pequenas");
    check_translation("Flying robots", "Robôs voadores");
    check_translation("The moth gnawed the hat of the queen of Egypt",
                      "A traça roeu o chapéu da rainha do Egito");
}

TEST_CASE("the context alone decides between two meanings") {
    check_translation("The mango is ripe", "A manga está madura");
    check_translation("The sleeve is torn", "A manga está rasgada");
    check_translation("The mango on the table is dirty", "A manga na mesa está suja");
    check_translation("The sleeve of the shirt is dirty", "A manga da camisa está suja");
    check_translation("The woman left the money in the bank", "A mulher deixou o dinheiro no banco");
    check_translation("The woman left the book on the bench", "A mulher deixou o livro no banco");
    check_translation("The woman slept on the bank of the river", "A mulher dormiu na margem do rio");
    CHECK(book("pt-en").at("A cozinheira cortou a manga") == "The cook cut the mango");
    std::size_t mangoes = 0, sleeves = 0;
    for (const auto& [source, target] : book("pt-en")) {
        if (!different_words(source).contains("manga")) continue;
        ++(different_words(target).contains("mango") ? mangoes : sleeves);
    }
    CHECK(mangoes >= 80);
    CHECK(sleeves >= 80);
}

TEST_CASE("a property belongs to animals or to places, never to both") {
    // Where the genders differ, the Portuguese pronoun says which of the two it is.
    std::map<std::string, std::set<bool>> is_of_animal;
    std::set<std::string> animals, places;
    for (const auto& [english, portuguese] : book("en-pt")) {
        const std::vector<std::string> source = words_of(english), target = words_of(portuguese);
        const auto because = std::find(target.begin(), target.end(), "porque");
        if (because == target.end()) continue;
        animals.insert(target[1]);
        places.insert(*(because - 1));
        const bool animal_is_feminine = target[0] == "A";
        const bool place_is_feminine = because[-2] == "a" || because[-2] == "na";
        if (animal_is_feminine != place_is_feminine)
            is_of_animal[source.back()].insert((because[1] == "ela") == animal_is_feminine);
    }
    std::size_t of_animals = 0, of_places = 0;
    for (const auto& [property, answers] : is_of_animal) {
        CAPTURE(property);
        CHECK(answers.size() == 1);
        ++(*answers.begin() ? of_animals : of_places);
    }
    CHECK(of_animals >= 8);
    CHECK(of_places >= 8);
    CHECK(animals.size() >= 12);
    CHECK(places.size() >= 12);
}

TEST_CASE("either direction has thousands of sentences, few words, and no long sentence") {
    for (const std::string& name : both) {
        CHECK(book(name).size() >= 3000);
        CHECK(task(name).longest_source() <= 16);
        CHECK(task(name).longest_target() <= 16);
        std::set<std::string> sources, targets;
        for (const SentencePair& pair : task(name).all_training()) {
            sources.merge(different_words(lowercase(pair.source)));
            targets.merge(different_words(pair.target));
        }
        CHECK(sources.size() < 450);
        CHECK(targets.size() < 450);
    }
}

TEST_CASE("the same source never has two targets, whatever its capitals") {
    for (const std::string& name : both) {
        std::map<std::string, std::string> targets;
        for (const auto* pairs : {&task(name).all_training(), &task(name).held_out()})
            for (const SentencePair& pair : *pairs)
                CHECK(targets.emplace(lowercase(pair.source), pair.target).first->second == pair.target);
    }
}

TEST_CASE(
    "every word occurs in enough training sentences to be learnt, and held-out sentences have no other") {
    for (const std::string& name : both) {
        std::map<std::string, int> in_sources, in_targets;
        for (const SentencePair& pair : task(name).all_training()) {
            for (const std::string& word : different_words(lowercase(pair.source))) ++in_sources[word];
            for (const std::string& word : different_words(pair.target)) ++in_targets[word];
        }
        for (const auto* counts : {&in_sources, &in_targets})
            for (const auto& [word, count] : *counts) {
                CAPTURE(word);
                CHECK(count >= 8);
            }
        for (const SentencePair& pair : task(name).held_out()) {
            for (const std::string& word : different_words(lowercase(pair.source)))
                CHECK_MESSAGE(in_sources.contains(word), word);
            for (const std::string& word : different_words(pair.target))
                CHECK_MESSAGE(in_targets.contains(word), word);
        }
    }
}

TEST_CASE("every word is also drawn often enough") {
    for (const std::string& name : both) {
        std::map<std::string, int> drawn;
        for (const SentencePair& pair : task(name).all_training())
            for (const std::string& word : different_words(pair.target)) drawn[word] = 0;
        Random random(11);
        for (int i = 0; i < 50000; ++i)
            for (const std::string& word : different_words(task(name).sample(random).target)) ++drawn[word];
        for (const auto& [word, count] : drawn) {
            CAPTURE(word);
            CHECK(count >= 25);
        }
    }
}

TEST_CASE("no held-out pair is ever trained on, with or without its period") {
    for (const std::string& name : both) {
        std::set<std::string> trained;
        for (const SentencePair& pair : task(name).all_training()) trained.insert(key_of(pair.source));
        CHECK(task(name).held_out().size() >= 300);
        CHECK(task(name).held_out().size() <= held_out_limit);
        CHECK_FALSE(task(name).held_out_is_training());
        for (const SentencePair& pair : task(name).held_out())
            CHECK_FALSE(trained.contains(key_of(pair.source)));
        Random random(12);
        for (int i = 0; i < 20000; ++i) REQUIRE(trained.contains(key_of(task(name).sample(random).source)));
        const double held_out_share = 1 - double(trained.size()) / double(book(name).size());
        CHECK(held_out_share > 0.05);
        CHECK(held_out_share < 0.15);
    }
}

TEST_CASE("an animal and a place that are held out meet nowhere in training") {
    const auto animal_and_place = [](const std::string& source) -> std::pair<std::string, std::string> {
        const std::vector<std::string> words = words_of(source);
        const auto because = std::find(words.begin(), words.end(), "because");
        if (because == words.end()) return {};
        return {words[1], *(because - 1)};
    };
    std::set<std::pair<std::string, std::string>> trained, held_out;
    for (const SentencePair& pair : task("en-pt").all_training())
        trained.insert(animal_and_place(pair.source));
    for (const SentencePair& pair : task("en-pt").held_out()) held_out.insert(animal_and_place(pair.source));
    held_out.erase(std::pair<std::string, std::string>());
    CHECK(held_out.size() >= 10);
    for (const auto& words : held_out) CHECK_FALSE(trained.contains(words));
}

TEST_CASE("the tasks are the same each time they are made") {
    for (const std::string& name : both) {
        const Result<std::unique_ptr<Task>> again = make_task(name, assets_folder);
        REQUIRE(again);
        CHECK((*again)->held_out() == task(name).held_out());
        CHECK((*again)->all_training() == task(name).all_training());
        Random a(13), b(13), c(13);
        for (int i = 0; i < 1000; ++i) {
            const SentencePair pair = (*again)->sample(a);
            CHECK(pair == task(name).sample(b));
            CHECK(pair == task(name).all_training()[task(name).sample_index(c)]);
        }
    }
}

TEST_CASE("an unknown task names the known ones, a missing grammar its file") {
    const auto unknown = make_task("en-fr", assets_folder);
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().key == "error.task_unknown");
    CHECK(unknown.error().arguments
          == std::vector<std::string>{
              "en-fr",
              "copy, reverse, en-pt, pt-en, gloss, sentiment, next-word, everyday-en-pt, "
              "everyday-pt-en, everyday-gloss, everyday-sentiment, everyday-next-word, recall, recall-pt, "
              "recall-pairs, recall-list"});
    for (const std::string& name : task_names()) {
        const auto known = make_task(name, assets_folder);
        REQUIRE(known);
        CHECK((*known)->name() == name);
    }
    const auto missing = make_task("pt-en", "/nowhere");
    REQUIRE_FALSE(missing);
    CHECK(missing.error().arguments.at(0) == "/nowhere/grammars/english-portuguese.txt");
}

TEST_CASE("all sentences are written down in the build folder, for a person to read") {
    const std::filesystem::path folder = std::filesystem::path(HEADLIGHT_BINARY_DIR) / "sentences";
    std::filesystem::create_directories(folder);
    for (const std::string& name : both) {
        std::ofstream file(folder / (name + ".tsv"));
        for (const auto& [source, target] : book(name)) file << source << '\t' << target << '\n';
        file.close();
        CHECK(file.good());
    }
}
