#include "engine/io/model_folder.h"
#include "engine/language/thesaurus.h"

#include <doctest/doctest.h>

#include <array>
#include <string>

using namespace headlight;
using namespace headlight::language;
using Strings = std::vector<std::string>;

namespace {

const std::string assets = std::string(HEADLIGHT_SOURCE_DIR) + "/assets";

const Thesaurus& thesaurus() {
    static const Result<Thesaurus> read = Thesaurus::read(assets + "/lexicon");
    REQUIRE(read);
    return *read;
}

Strings instead_of(const std::string& word, const Strings& known, std::size_t n = 3) {
    return thesaurus().instead_of(word, thesaurus().known(known), n);
}

// The words of a shipped model.
Strings words_of_model(const std::string& name) {
    const Result<ModelFiles> files = read_model_folder(assets + "/models/" + name);
    REQUIRE(files);
    const Vocabulary& vocabulary = files->source.vocabulary();
    Strings words;
    for (Index id = 0; id < vocabulary.size(); ++id) words.push_back(vocabulary.token(TokenId(id)));
    return words;
}

} // namespace

TEST_CASE("a word of the same translation is nearest, then one of the same kind, then of a kind that is "
          "joined with it") {
    CHECK(instead_of("football", {"chess", "tennis", "soccer", "bread"})
          == Strings{"soccer", "tennis", "chess"});
    CHECK(instead_of("banana", {"house", "carrot", "apple"}) == Strings{"apple", "carrot"});
    CHECK(
        instead_of("banana", {"house", "horse", "bank"}).empty()); // they look like it, and are none like it
    CHECK(instead_of("happy", {"big", "tired", "sadly"}) == Strings{"tired"});
    CHECK(instead_of("banana", {"apple", "melon", "mango"}, 1).size() == 1);
}

TEST_CASE("the form is kept: plural for plural, past for past, gender where the words around it have it") {
    CHECK(instead_of("cats", {"dog", "dogs"}) == Strings{"dogs"});
    CHECK(instead_of("children", {"woman", "women"}) == Strings{"women"});
    CHECK(instead_of("ran", {"walk", "walked", "walking"}) == Strings{"walked"});
    CHECK(instead_of("eats", {"drink", "drinks", "ate"}) == Strings{"drinks"});
    CHECK(instead_of("taller", {"short", "shorter"}) == Strings{"shorter"});
    CHECK(instead_of("bonitas", {"feio", "feia", "feios", "feias"}) == Strings{"feias"});
    CHECK(instead_of("comemos", {"bebo", "bebemos", "bebeu"}) == Strings{"bebemos"});
    CHECK(instead_of("laranja", {"limão", "maçã", "maçãs"}).front() == "maçã");
}

TEST_CASE("words of the language of those that are known are replaced, and no others") {
    const Strings english = {"cat", "dog", "the", "a", "me", "do", "house"};
    const Thesaurus::Known known = thesaurus().known(english);
    CHECK(known.speaks == std::array{true, false});
    CHECK(thesaurus().has("Rabbits", known));
    CHECK_FALSE(thesaurus().has("coelhos", known));
    CHECK_FALSE(thesaurus().has("hxq", known));
    CHECK(thesaurus().instead_of("de", known, 3).empty()); // Portuguese
    CHECK(thesaurus().are_of_one_word("cats", "cat", known));
    CHECK_FALSE(thesaurus().are_of_one_word("cats", "dog", known));
    CHECK(instead_of("because", {"if", "and", "when"}).empty());
    CHECK(instead_of("who", {"what", "where", "that"}).empty());
    CHECK(instead_of("", english).empty());
    CHECK(thesaurus().known({}).speaks == std::array{false, false});
}

TEST_CASE("a small model has a word of the same kind for many that it lacks") {
    const Strings en = words_of_model("translate-en-pt"), pt = words_of_model("translate-pt-en");
    CHECK(instead_of("brother", en) == Strings{"student", "man", "boy"});
    CHECK(instead_of("plays", en) == Strings{"likes"}); // the only one of its verbs that takes a sport
    CHECK(instead_of("happy", en).front() == "tired");
    CHECK(instead_of("shoes", en) == Strings{"clothes"});
    CHECK(instead_of("football", en).empty());
    CHECK(instead_of("mãe", pt) == Strings{"mulher", "menina", "estudante"});
    CHECK(instead_of("corre", pt).empty()); // “para” is a preposition, hardly ever of “parar”
    CHECK(instead_of("cachorros", pt).front() == "animais");
}
