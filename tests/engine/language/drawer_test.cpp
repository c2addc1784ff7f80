#include "engine/language/drawing.h"
#include "engine/task/pairs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <set>
#include <string>

using namespace headlight;
using namespace headlight::language;

namespace {

const std::string assets = std::string(HEADLIGHT_SOURCE_DIR) + "/assets";

const std::shared_ptr<const Lexicon>& lexicon() {
    static const auto& read = *new std::shared_ptr<const Lexicon>(
        std::make_shared<const Lexicon>(*Lexicon::read(assets + "/lexicon")));
    return read;
}

constexpr const char* needed = R"(
rule object
  {*noun} = {*noun}
rule action
  {*verb} = {*verb}
rule saying
  it is good = é bom
rule how
  {adjective(feeling)} = {adjective}
rule located (room)
  in the {*noun} = em {o|a/os|as:noun} {*noun}
rule quoted
  yes = sim
)";

Result<SentenceGrammar> parsed(const std::string& rules) {
    return SentenceGrammar::parse(rules + needed, "own.txt", *lexicon());
}

// All that these rules say in so many draws.
std::set<std::string> drawn(const std::string& rules, int times = 200,
                            Direction direction = Direction::english_to_portuguese) {
    Result<SentenceGrammar> grammar = parsed(rules);
    REQUIRE_MESSAGE(grammar, (grammar ? "" : grammar.error().key));
    const Drawer drawer(lexicon(), std::move(*grammar), direction);
    Random random(7);
    std::set<std::string> all;
    for (int i = 0; i < times; ++i) {
        const DrawnPair pair = drawer.draw(random);
        all.insert(pair.english + " = " + pair.portuguese);
    }
    return all;
}

using Set = std::set<std::string>;

std::string listed(const Set& all) {
    std::string text;
    for (const std::string& each : all) text += each + "; ";
    return text;
}

} // namespace

TEST_CASE("forms agree with the phrase that they name, on either side") {
    const std::string groups = "nouns\n  thing : pants, glasses (medicine), house, book\n";
    const Set all = drawn(groups
                          + "rule sentence\n  {this/these:noun} {noun(thing)} {is/are:noun} nice . = "
                            "{este|esta/estes|estas:noun} {noun} {é/são:noun} legal .\n");
    CHECK(all.contains("These pants are nice. = Esta calça é legal."));
    CHECK(all.contains("These glasses are nice. = Estes óculos são legal."));
    CHECK(all.contains("This house is nice. = Esta casa é legal."));
    CHECK(all.contains("These books are nice. = Estes livros são legal."));
    CHECK(all.size() == 6);
}

TEST_CASE("a head passes on what is asked of its phrase") {
    const Set all = drawn(
        "nouns\n  one : dog, cow\nrule sentence\n  {np[plural](one)} {is/are:np} here . = {np} "
        "{está/estão:np} aqui .\nrule np\n  [singular] a {*noun} = {um|uma:noun} {*noun}\n  the {*noun} = "
        "{o|a/os|as:noun} {*noun}\n");
    CHECK(
        all
        == Set{"The dogs are here. = Os cachorros estão aqui.", "The cows are here. = As vacas estão aqui."});
}

TEST_CASE("verbs are conjugated, negated and asked, and pronouns stand before them in Portuguese") {
    const std::string verbs =
        "verbs\n  up : get up\n  hungry : be hungry\n  ill : get nervous\n"
        "rule i [first, singular]\n  I = eu\nrule she [third, singular, feminine]\n  she = ela\n";
    CHECK(drawn(verbs + "rule sentence\n  {i} {verb(up).past:i} . = {i} {verb.past:i} .\n")
          == Set{"I got up. = Eu me levantei."});
    CHECK(drawn(verbs
                + "rule sentence\n  {she} {verb(up).not-present:she} . = {she} não {verb.present:she} .\n")
          == Set{"She doesn't get up. = Ela não se levanta.", "She does not get up. = Ela não se levanta."});
    CHECK(drawn(verbs
                + "rule sentence\n  {verb(hungry).ask-present:she} {she} {verb.asked} ? = {she} "
                  "{verb.present:she} ?\n")
          == Set{"Is she hungry? = Ela está com fome?"});
    CHECK(drawn(verbs + "rule sentence\n  {i} will {verb(up).base} . = {i} vou {verb.infinitive:i} .\n")
              .contains("I'll get up. = Eu vou me levantar."));
    CHECK(drawn(verbs + "rule sentence\n  {she} {verb(ill).past:she} . = {she} {verb.past:she} .\n")
          == Set{"She got nervous. = Ela ficou nervosa."});
}

TEST_CASE("pronouns recall what was said before") {
    const std::string rules = "verbs\n  see : see [any]\nnouns\n  house : house\n  book : book\n"
                              "rule i [first, singular]\n  I = eu\n"
                              "rule one\n  the {*noun[singular]} = {o|a:noun} {*noun}\n";
    CHECK(listed(drawn(rules
                       + "rule sentence\n  here is {one(house)} , {i} {verb(see) recalling one.past:i} . = "
                         "aqui está {one} , "
                         "{i} {verb.past:i} .\n"))
          == "Here is the house, I saw it. = Aqui está a casa, eu a vi.; "
             "Here's the house, I saw it. = Aqui está a casa, eu a vi.; ");
    CHECK(drawn(rules
                + "rule sentence\n  take {one(book)} , {i} will {verb(see) recalling one.base} . = pegue "
                  "{one} , {i} vou "
                  "{verb.infinitive:i} .\n")
              .contains("Take the book, I'll see it. = Pegue o livro, eu vou vê-lo."));
}

TEST_CASE("words are written as they are said together") {
    const Wording wording(*lexicon());
    CHECK(wording.portuguese("ele gosta de o livro , de ela e de minha casa .")
          == "Ele gosta do livro, dela e da minha casa.");
    CHECK(wording.portuguese("ela foi a a escola em o Brasil") == "Ela foi à escola no Brasil");
    CHECK(wording.portuguese("é por a manhã") == "É pela manhã");
    CHECK(wording.portuguese("eu vou ir a a praia .") == "Eu vou à praia.");
    CHECK(wording.english("I am a honest man and a university is a animal 's home .", true)
          == "I'm an honest man and a university is an animal's home.");
    CHECK(wording.english("he is not here , but I am .", true) == "He isn't here, but I am.");
    CHECK(wording.english("I have~ seen it , I have two dogs .", true) == "I've seen it, I have two dogs.");
    CHECK(wording.english("I have~ not seen it .", false) == "I have not seen it.");
}

TEST_CASE("one-way lines are drawn for their direction only") {
    const std::string rules = "rule sentence\n  a = b\n  c => d\n  e <= f\n";
    CHECK(drawn(rules) == Set{"A = B", "C = D"});
    CHECK(drawn(rules, 200, Direction::portuguese_to_english) == Set{"A = B", "E = F"});
}

TEST_CASE("a rule that calls itself comes to an end") {
    const Set all = drawn(
        "rule sentence\n  {np} . = {np} .\nrule np\n  a man = um homem : 1\n  {np1} and {np2} = {np1} e "
        "{np2} : 50\n",
        50);
    for (const std::string& pair : all) CHECK(pair.size() < 20000);
}

TEST_CASE("what is wrong in a sentence grammar is named with file and line") {
    const auto check = [](const std::string& rules, const std::string& key, const std::string& line) {
        CAPTURE(rules);
        const Result<SentenceGrammar> grammar = parsed(rules);
        REQUIRE_FALSE(grammar);
        CHECK(grammar.error().key == key);
        REQUIRE(grammar.error().arguments.size() > 1);
        CHECK(grammar.error().arguments[0] == "own.txt");
        CHECK(grammar.error().arguments[1] == line);
    };
    const std::string start = "rule sentence\n";
    check("rules\n", "error.sentences_heading", "1");
    check("  a = b\n", "error.sentences_outside", "1");
    std::string many = "features\n  a0";
    for (int i = 1; i < 70; ++i) many += ", a" + std::to_string(i);
    check(many + "\n", "error.sentences_too_many_features", "2");
    check("rule a b\n", "error.sentences_rule_name", "1");
    check(start + "  a = b\n" + start, "error.sentences_rule_twice", "3");
    check(start + "  a b\n", "error.sentences_no_arrow", "2");
    check(start + "  a = b : x\n", "error.sentences_weight", "2");
    check(start + "  {np} = {np}\n", "error.sentences_unknown", "2");
    check(start + "  {noun} = b\n", "error.sentences_one_side", "2");
    check(start + "  a = {noun}\n", "error.sentences_one_side", "2");
    check(start + "  {noun = {noun}\n", "error.sentences_open", "2");
    check(start + "  {noun(nonsense)} = {noun}\n", "error.sentences_class", "2");
    check(start + "  {noun[blue]} = {noun}\n", "error.sentences_feature", "2");
    check(start + "  [singular, plural] a = b\n", "error.sentences_features_exclude", "2");
    check(start + "  {noun.fly} = {noun}\n", "error.sentences_form", "2");
    check(start + "  {a b} = b\n", "error.sentences_slot", "2");
    check(start + "  {o|a:x} = b\n", "error.sentences_agrees", "2");
    check(start + "  {sentence} a = {sentence} b\n", "error.sentences_endless", "1");
    check("leave out\n  fly to the sun\n" + start + "  a = b\n", "error.sentences_verb", "2");
    check("nouns\n  x : nonsense\n" + start + "  a = b\n", "error.sentences_word", "2");
    check("nouns\n  x\n" + start + "  a = b\n", "error.sentences_group", "2");
    check(start, "error.sentences_empty_rule", "1");
    CHECK(SentenceGrammar::parse(needed, "own.txt", *lexicon()).error().key == "error.sentences_no_sentence");
    CHECK(SentenceGrammar::parse("rule sentence\n  a = b\n", "own.txt", *lexicon()).error().key
          == "error.sentences_needs_rule");
}

TEST_CASE("drawn pairs are the same for the same seed, and whole") {
    for (const Direction direction : {Direction::english_to_portuguese, Direction::portuguese_to_english}) {
        const auto pairs = DrawnPairs::open(assets, direction);
        REQUIRE_MESSAGE(pairs, (pairs ? "" : pairs.error().key + " " + pairs.error().arguments.at(1)));
        Random one(7), two(7);
        std::set<std::string> different;
        std::size_t words = 0;
        for (int i = 0; i < 2000; ++i) {
            const SentencePair pair = (*pairs)->draw(one);
            CHECK(pair == (*pairs)->draw(two));
            CAPTURE(pair.source);
            CAPTURE(pair.target);
            for (const std::string& side : {pair.source, pair.target}) {
                const std::vector<std::string> all = words_of(side);
                CHECK(all.size() <= most_words);
                CHECK((side.ends_with('.') || side.ends_with('?') || side.ends_with('!')));
                CHECK(side.find_first_of("{}[]|/~*<>=\x02\x03\x04\x05") == std::string::npos);
                CHECK(side.find("  ") == std::string::npos);
                for (std::size_t word = 1; word < all.size();
                     ++word) // “de o”, “em as” would be written together
                    CHECK_FALSE((
                        (all[word - 1] == "de" || all[word - 1] == "em" || all[word - 1] == "por")
                        && (all[word] == "o" || all[word] == "a" || all[word] == "os" || all[word] == "as")));
            }
            CHECK(pair.source.back() == pair.target.back());
            const std::string& portuguese =
                direction == Direction::english_to_portuguese ? pair.target : pair.source;
            for (const std::string& word : words_of(portuguese))
                CHECK_FALSE(
                    (word == "the" || word == "of" || word == "is" || word == "and" || word == "you"));
            words += words_of(pair.source).size();
            different.insert(pair.source);
        }
        CHECK(different.size() > 1800);
        CHECK(words > 2000 * 5);
        CHECK(words < 2000 * 9);
    }
}

TEST_CASE("what is drawn knows nearly every word of the lexicon") {
    const auto pairs = DrawnPairs::open(assets, Direction::english_to_portuguese);
    REQUIRE(pairs);
    Random random(7);
    std::set<std::string, std::less<>> phrases; // of one to three words, as they stand beside each other
    for (int i = 0; i < 100'000; ++i) {
        std::string text = (*pairs)->draw(random).source;
        for (char& letter : text)
            if (std::string_view(".,?!").find(letter) != std::string_view::npos) letter = ' ';
        const std::vector<std::string> words = words_of(text);
        for (std::size_t begin = 0; begin < words.size(); ++begin) {
            std::string phrase;
            for (std::size_t end = begin; end < std::min(begin + 3, words.size()); ++end) {
                phrase += (phrase.empty() ? "" : " ") + words[end];
                phrases.insert(phrase);
            }
        }
    }
    std::size_t all = 0, found = 0;
    const auto count = [&](std::initializer_list<std::string> forms) {
        ++all;
        found += std::any_of(forms.begin(), forms.end(),
                             [&](const std::string& form) { return phrases.contains(form); });
    };
    for (const Noun& noun : lexicon()->nouns())
        if (serves(lexicon()->entries()[noun.entry].arrow, Direction::english_to_portuguese))
            count({noun.singular, noun.plural});
    for (const Adjective& adjective : lexicon()->adjectives())
        if (serves(lexicon()->entries()[adjective.entry].arrow, Direction::english_to_portuguese))
            count({adjective.english});
    for (const Verb& verb : lexicon()->verbs())
        if (serves(lexicon()->entries()[verb.entry].arrow, Direction::english_to_portuguese))
            count({verb.english.base, verb.english.past, verb.english.ing, verb.english.s,
                   verb.english.participle});
    MESSAGE("nouns, adjectives and verbs drawn in 100,000 sentences: ", found, " of ", all);
    CHECK(double(found) > 0.93 * double(all));
}
