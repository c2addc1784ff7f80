#include "engine/task/grammar.h"

#include "engine/task/grammar.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

using namespace headlight;
using namespace headlight::grammar;

namespace {

constexpr Direction to_portuguese = Direction::english_to_portuguese;
constexpr Direction to_english = Direction::portuguese_to_english;

std::vector<SpokenBlock> spoken(const std::string& text, Direction direction) {
    const Result<Grammar> grammar = parse(text, "test.txt");
    REQUIRE(grammar);
    const Result<std::vector<SpokenBlock>> blocks = speak(*grammar, direction);
    REQUIRE(blocks);
    return *blocks;
}

std::map<std::string, std::string> sentences(const std::string& text, Direction direction) {
    std::map<std::string, std::string> all;
    for (const SpokenBlock& block : spoken(text, direction))
        for (const SpokenPhrase& phrase : block.phrases)
            for (const auto* pairs : {&phrase.training, &phrase.held_out})
                for (const SentencePair& pair : *pairs) all[pair.source] = pair.target;
    return all;
}

// "3 error.grammar_slot": line and key of what is wrong.
std::string fault(const std::string& text) {
    const Result<Grammar> grammar = parse(text, "test.txt");
    Error error;
    if (grammar) {
        const Result<std::vector<SpokenBlock>> blocks = speak(*grammar, to_portuguese);
        if (blocks) return "nothing wrong";
        error = blocks.error();
    } else {
        error = grammar.error();
    }
    REQUIRE(error.arguments.at(0) == "test.txt");
    return error.arguments.at(1) + " " + error.key;
}

std::string numbered_list(const std::string& name, int count) {
    std::string list = "words " + name + "\n";
    for (int i = 0; i < count; ++i) {
        const std::string number = std::to_string(i);
        list += "  " + name + number + " = p" + name + number + "\n";
    }
    return list;
}

const std::string nouns = "words animal\n" // line 1
                          "  dog = o cachorro\n"
                          "  cow = a vaca\n"
                          "  birds = os pássaros\n"
                          "  waves = as ondas\n"; // line 5

} // namespace

TEST_CASE("articles, adjectives and verbs agree with the noun of their slot") {
    const auto said =
        sentences(nouns
                      + "words size\n  small = pequeno|pequena/pequenos|pequenas\n  big = grande/grandes\n"
                        "phrases sizes\n"
                        "  the {animal} {is/are:animal} {size}\n"
                        "    = {o|a/os|as:animal} {animal} {é/são:animal} {size:animal}\n",
                  to_portuguese);
    CHECK(said.size() == 8);
    CHECK(said.at("The dog is small") == "O cachorro é pequeno");
    CHECK(said.at("The cow is small") == "A vaca é pequena");
    CHECK(said.at("The birds are small") == "Os pássaros são pequenos");
    CHECK(said.at("The waves are small") == "As ondas são pequenas");
    CHECK(said.at("The waves are big") == "As ondas são grandes");
}

TEST_CASE("a slot is the same word wherever it stands, and its columns belong to it") {
    const auto said =
        sentences("words who (am = sou)\n  I, am = eu, sou\n  he, is = ele, é\n"
                  "phrases echo\n"
                  "  {who} {who.am} what {who} {who.am} = {who} {who.sou} o que {who} {who.sou}\n",
                  to_english);
    CHECK(said.size() == 2);
    CHECK(said.at("Ele é o que ele é") == "He is what he is");
    CHECK(said.at("Eu sou o que eu sou") == "I am what I am");
}

TEST_CASE("an arrow gives a word or a phrase to one direction only") {
    const std::string text = "words cook\n  cook = o cozinheiro\n  cook <= a cozinheira\n"
                             "phrases kitchen\n  the {cook} sings = {o|a:cook} {cook} canta\n"
                             "  hi => olá\n  hello = olá\n";
    const auto there = sentences(text, to_portuguese);
    const auto back = sentences(text, to_english);
    CHECK(there.size() == 3);
    CHECK(there.at("The cook sings") == "O cozinheiro canta");
    CHECK(there.at("Hi") == "Olá");
    CHECK(back.size() == 3);
    CHECK(back.at("A cozinheira canta") == "The cook sings");
    CHECK(back.at("O cozinheiro canta") == "The cook sings");
    CHECK(back.at("Olá") == "Hello");
}

TEST_CASE(
    "lists include others, keep their commas, and may come from Windows with comments and blank lines") {
    const auto said =
        sentences("\xEF\xBB\xBF# greetings\r\nwords polite\r\n  come in, please = entre, por favor\r\n"
                  "words all\r\n  + polite\r\n  bye = tchau\r\nphrases say\r\n\r\n  {all} = {all}\r\n",
                  to_portuguese);
    CHECK(said.size() == 2);
    CHECK(said.at("Come in, please") == "Entre, por favor");
    CHECK(said.at("Bye") == "Tchau");
}

TEST_CASE("a phrase may begin with a word of the notation") {
    const auto said = sentences("phrases shop\n  share 3\n  share the bread = divida o pão\n  hold the door\n"
                                "    = segure a porta\n",
                                to_portuguese);
    CHECK(said.size() == 2);
    CHECK(said.at("Share the bread") == "Divida o pão");
    CHECK(said.at("Hold the door") == "Segure a porta");
}

TEST_CASE("what is held out is decided by the words, so a longer list moves nothing") {
    const std::string phrase = "phrases sums\n  hold a b\n  {a} and {b} = {a} e {b}\n";
    const auto before = spoken(numbered_list("a", 20) + numbered_list("b", 20) + phrase, to_portuguese)[0]
                            .phrases[0]
                            .held_out;
    const auto after = spoken(numbered_list("a", 25) + numbered_list("b", 20) + phrase, to_portuguese)[0]
                           .phrases[0]
                           .held_out;
    CHECK(before.size() > 20);
    CHECK(before.size() < 60);
    for (const SentencePair& pair : before) CHECK(std::find(after.begin(), after.end(), pair) != after.end());
}

TEST_CASE("a sentence held out by one phrase is held out of all, except one written in full") {
    const std::string list = numbered_list("n", 40);
    const std::string held = "phrases second\n  hold n\n  say {n} = diga {n}\n";
    const SpokenPhrase alone = spoken(list + held, to_portuguese)[0].phrases[0];
    REQUIRE_FALSE(alone.held_out.empty());

    const auto twice = spoken(list + "phrases first\n  say {n} = diga {n}\n" + held, to_portuguese);
    CHECK(twice[0].phrases[0].held_out == alone.held_out);
    CHECK(twice[0].phrases[0].training == alone.training);
    CHECK(twice[1].phrases[0].training.empty());

    const SentencePair pair = alone.held_out.front();
    const std::string in_full = "phrases full\n  " + pair.source + " = " + pair.target + "\n";
    for (const std::string& text : {list + in_full + held, list + held + in_full}) {
        bool trained = false;
        for (const SpokenBlock& block : spoken(text, to_portuguese))
            for (const SentencePair& known : block.phrases.at(0).training) trained |= known == pair;
        CHECK(trained);
    }
}

TEST_CASE("what is wrong in a grammar is named with its line") {
    const std::string phrases = nouns + "phrases p\n"; // so that its phrases begin in line 7
    CHECK(fault("dog = o cachorro\n") == "1 error.grammar_outside");
    CHECK(fault("words two words\n") == "1 error.grammar_list_name");
    CHECK(fault(nouns + "words animal\n") == "6 error.grammar_list_twice");
    CHECK(fault(nouns + "  hen a galinha\n") == "6 error.grammar_no_arrow");
    CHECK(fault(nouns + "  hen = a = galinha\n") == "6 error.grammar_two_arrows");
    CHECK(fault(nouns + "  hen =\n") == "6 error.grammar_empty_side");
    CHECK(fault(nouns + "  hen = x|y|z\n") == "6 error.grammar_forms");
    CHECK(fault(nouns + "  hen = x|\n") == "6 error.grammar_forms");
    CHECK(fault(nouns + "  + birds\n") == "6 error.grammar_unknown_list");
    CHECK(fault("words who (am = sou\n") == "1 error.grammar_columns_heading");
    CHECK(fault("words who (am = sou)\n  I, am = eu\n") == "2 error.grammar_column_count");
    CHECK(fault("words who (am = sou)\n  I, am = eu, sou\nwords all\n  + who\n")
          == "4 error.grammar_other_columns");
    CHECK(fault(phrases) == "6 error.grammar_empty_block");
    CHECK(fault(phrases + "  the {animl} = o {animal}\n") == "7 error.grammar_unknown_list");
    CHECK(fault(phrases + "  the {animal.x} = o {animal}\n") == "7 error.grammar_unknown_column");
    CHECK(fault("words none\nphrases p\n  {none} = {none}\n") == "3 error.grammar_empty_list");
    CHECK(fault(phrases + "  the {animal = o {animal}\n") == "7 error.grammar_open_brace");
    CHECK(fault(phrases + "  the {animal} = o {animal\n") == "7 error.grammar_open_brace");
    CHECK(fault(phrases + "  the animal} = o {animal}\n") == "7 error.grammar_stray_brace");
    CHECK(fault(phrases + "  the {} = o {animal}\n") == "7 error.grammar_slot");
    CHECK(fault(phrases + "  the {animal} = o animal\n") == "7 error.grammar_one_sided_slot");
    CHECK(fault(phrases + "  {animal} = {o|a} {animal}\n") == "7 error.grammar_agrees_with_nothing");
    CHECK(fault(phrases + "  {animal} = {o|a:animal} {animal}\n") == "7 error.grammar_missing_form");
    CHECK(fault("words name\n  Ana = Ana\nphrases p\n  {name} = {o|a:name} {name}\n")
          == "4 error.grammar_no_article");
    CHECK(fault(phrases + "  share many\n") == "7 error.grammar_share");
    CHECK(fault(phrases + "  share 0\n") == "7 error.grammar_share");
    CHECK(fault(phrases + "  hold place\n  hi = olá\n") == "7 error.grammar_unknown_list");
    CHECK(fault(phrases + "  hold animal\n  hi = olá\n") == "7 error.grammar_hold_unused");
    CHECK(fault(phrases + "  hi = ol\xE1\n") == "7 error.grammar_not_utf8");
    CHECK(fault(phrases + "  hi = olá\n\n  Hi = oi\n") == "9 error.grammar_contradiction");
}

TEST_CASE("a grammar without phrases says so") {
    CHECK(parse("# nothing\n", "test.txt").error().key == "error.grammar_no_phrases");
    CHECK(parse("", "test.txt").error().key == "error.grammar_no_phrases");
}

TEST_CASE("a phrase that would make millions of sentences is refused before they are made") {
    std::string text;
    for (const char* name : {"a", "b", "c", "d"}) text += numbered_list(name, 100);
    CHECK(fault(text + "phrases p\n  {a} {b} {c} {d} = {a} {b} {c} {d}\n") == "406 error.grammar_too_large");
}

TEST_CASE("a grammar that is not there is an error, not an empty grammar") {
    CHECK_FALSE(grammar::read("/nowhere/grammar.txt"));
    CHECK(grammar::read("/nowhere/grammar.txt").error().arguments.at(0) == "/nowhere/grammar.txt");
    CHECK_FALSE(grammar::read(HEADLIGHT_SOURCE_DIR));
}
