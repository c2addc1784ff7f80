#include "engine/language/lexicon.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace headlight;
using namespace headlight::language;

namespace {

const Lexicon& lexicon() {
    static const Result<Lexicon> read = Lexicon::read(std::string(HEADLIGHT_SOURCE_DIR) + "/assets/lexicon");
    REQUIRE_MESSAGE(read, (read ? "" : read.error().key + ", " + read.error().arguments.back()));
    return *read;
}

const Noun& noun(const std::string& english, const std::string& portuguese) {
    for (const Noun& each : lexicon().nouns())
        if ((each.singular == english || each.plural == english)
            && std::find(each.portuguese.begin(), each.portuguese.end(), portuguese) != each.portuguese.end())
            return each;
    FAIL("no noun " << english);
    return lexicon().nouns().front();
}

const Verb& verb(const std::string& english) {
    for (const Verb& each : lexicon().verbs())
        if (each.english.base == english) return each;
    FAIL("no verb " << english);
    return lexicon().verbs().front();
}

const Adjective& adjective(const std::string& english) {
    for (const Adjective& each : lexicon().adjectives())
        if (each.english == english && each.takes.empty()) return each;
    FAIL("no adjective " << english);
    return lexicon().adjectives().front();
}

std::string conjugated(const std::string& infinitive, Tense tense) {
    const std::optional<Conjugation> forms = lexicon().conjugations().conjugate(infinitive);
    REQUIRE_MESSAGE(forms, infinitive);
    std::string text;
    for (std::size_t person = 0; person < 4; ++person) text += (person > 0 ? " " : "") + forms->in(tense, person);
    return text;
}

// The error of these lines as a file of their own, beside conjugations that know -ar.
Error error_of(const std::string& lines) {
    LexiconReader reader;
    reader.set_conjugations(*Conjugations::parse("pattern -ar\n  present -o -a -amos -am\n  preterite -ei -ou -amos "
                                                 "-aram\n  imperfect -ava -ava -ávamos -avam\n  gerund -ando\n  "
                                                 "participle -ado\n",
                                                 "conjugations.txt"));
    if (const Result<Done> done = reader.read_entries(lines, "own.txt"); !done) return done.error();
    const Result<Lexicon> read = reader.finish();
    return read ? Error{"none", {}} : read.error();
}

} // namespace

TEST_CASE("the lexicon is read whole, and every entry of a noun, a verb and an adjective has its forms") {
    CHECK(lexicon().entries().size() > 6500);
    CHECK(lexicon().nouns().size() > 3000);
    CHECK(lexicon().verbs().size() > 1000);
    CHECK(lexicon().adjectives().size() > 600);
    for (const Noun& each : lexicon().nouns()) {
        CAPTURE(lexicon().entries()[each.entry].english);
        CHECK_FALSE((each.singular.empty() && each.plural.empty()));
        CHECK((each.has_gender(false) || each.has_gender(true)));
    }
}

TEST_CASE("nouns are inflected in both languages") {
    CHECK(noun("child", "criança").plural == "children");
    CHECK(noun("bus stop", "ponto de ônibus").plural == "bus stops");
    CHECK(noun("bus stop", "ponto de ônibus").portuguese[2] == "pontos de ônibus");
    CHECK(noun("bread", "pão").portuguese[2] == "pães");
    CHECK(noun("bread", "pão").is_uncountable);
    CHECK(noun("teacher", "professora").portuguese
          == std::array<std::string, 4>{"professor", "professora", "professores", "professoras"});
    CHECK(noun("dentist", "dentista").portuguese
          == std::array<std::string, 4>{"dentista", "dentista", "dentistas", "dentistas"});
    CHECK(noun("animal", "animal").portuguese[2] == "animais");
    CHECK(noun("pants", "calça").singular.empty());
    CHECK(noun("glasses", "óculos").portuguese == std::array<std::string, 4>{"", "", "óculos", ""});
    CHECK(noun("crush", "crush").portuguese[2] == "crushes");
    CHECK(noun("reality show", "reality show").portuguese[2] == "reality shows");
    CHECK(noun("skate park", "pista de skate").portuguese[3] == "pistas de skate");
    CHECK(noun("home", "casa").portuguese_article == false);
    CHECK(noun("home", "casa").english_article == false);
    CHECK(noun("police", "polícia").has_the);
    CHECK(noun("Brazil", "Brasil").portuguese_article);
    CHECK_FALSE(noun("Brazil", "Brasil").english_article);
    CHECK_FALSE(noun("Paris", "Paris").portuguese_article);
    CHECK(noun("Paris", "Paris").has_gender(true));
}

TEST_CASE("adjectives have their degrees and four forms") {
    CHECK(adjective("big").comparative == "bigger");
    CHECK(adjective("big").portuguese_comparative == "maior");
    CHECK(adjective("happy").superlative == "happiest");
    CHECK(adjective("good").comparative == "better");
    CHECK(adjective("good").stands_before);
    CHECK(adjective("good").portuguese == std::array<std::string, 4>{"bom", "boa", "bons", "boas"});
    CHECK(adjective("expensive").comparative == "more expensive");
    CHECK(adjective("simple").comparative == "more simple");
    CHECK(adjective("hardworking").comparative.empty());
    CHECK(adjective("pink").portuguese[3] == "rosa");
    CHECK(adjective("wooden").portuguese[3] == "de madeira");
    CHECK(adjective("tired").is_estar);
    CHECK_FALSE(adjective("tall").is_estar);
    CHECK(adjective("polite").portuguese[3] == "educadas");
}

TEST_CASE("English verbs have their forms, also where they are written at another entry") {
    CHECK(verb("eat").english.past == "ate");
    CHECK(verb("eat").english.ing == "eating");
    CHECK(verb("stop").english.past == "stopped");
    CHECK(verb("study").english.s == "studies");
    CHECK(verb("visit").english.ing == "visiting");
    CHECK(verb("die").english.ing == "dying");
    CHECK(verb("watch").english.s == "watches");
    CHECK(verb("do").english.s == "does");
    CHECK(verb("agree").english.ing == "agreeing");
    CHECK(verb("program").english.past == "programmed");
    for (const Verb& each : lexicon().verbs())
        if (each.english.base == "go") CHECK(each.english.past == "went");
}

TEST_CASE("Portuguese verbs are conjugated") {
    CHECK(conjugated("ser", Tense::present) == "sou é somos são");
    CHECK(conjugated("fazer", Tense::preterite) == "fiz fez fizemos fizeram");
    CHECK(conjugated("fazer", Tense::subjunctive) == "faça faça façamos façam");
    CHECK(conjugated("ficar", Tense::subjunctive) == "fique fique fiquemos fiquem");
    CHECK(conjugated("dormir", Tense::present) == "durmo dorme dormimos dormem");
    CHECK(conjugated("pedir", Tense::subjunctive) == "peça peça peçamos peçam");
    CHECK(conjugated("sair", Tense::future_subjunctive) == "sair sair sairmos saírem");
    CHECK(conjugated("cair", Tense::past_subjunctive) == "caísse caísse caíssemos caíssem");
    CHECK(conjugated("comer", Tense::past_subjunctive) == "comesse comesse comêssemos comessem");
    CHECK(conjugated("dar", Tense::past_subjunctive) == "desse desse déssemos dessem");
    CHECK(conjugated("trazer", Tense::conditional) == "traria traria traríamos trariam");
    CHECK(conjugated("ver", Tense::future_subjunctive) == "vir vir virmos virem");
    CHECK(conjugated("pôr", Tense::future) == "porei porá poremos porão");
    CHECK(conjugated("construir", Tense::present) == "construo constrói construímos constroem");
    CHECK(lexicon().conjugations().conjugate("pagar")->imperative == "pague");
    CHECK(lexicon().conjugations().conjugate("aceitar")->participles
          == std::vector<std::string>{"aceitado", "aceito"});
    CHECK_FALSE(lexicon().conjugations().conjugate("xyz"));
}

TEST_CASE("verbs say what they take, and slots of both sides correspond") {
    const auto& verbs = lexicon().verbs();
    const auto give = std::find_if(verbs.begin(), verbs.end(), [](const Verb& each) {
        return each.english.base == "give" && each.slots.size() == 2 && each.english_rest.front().slot
               && lexicon().entries()[each.entry].english.find("[person] [thing]") != std::string::npos;
    });
    REQUIRE(give != verbs.end()); // give [person] [thing] => dar [thing] para [person]
    CHECK(give->slots[0].classes == std::vector<std::string>{"person"});
    CHECK(give->portuguese_rest.front().slot == 1);
    CHECK(verb("bark").subject == std::vector<std::string>{"animal"});
    CHECK(verb("rain").is_impersonal);
}

TEST_CASE("what is wrong in a lexicon is named with file and line") {
    const auto check = [](const std::string& lines, const std::string& key, const std::string& line) {
        const Error error = error_of(lines);
        CAPTURE(lines);
        CHECK(error.key == key);
        REQUIRE(error.arguments.size() > 1);
        CHECK(error.arguments[0] == "own.txt");
        CHECK(error.arguments[1] == line);
    };
    check("nuns food\n", "error.lexicon_heading", "1");
    check("nouns\n", "error.lexicon_no_class", "1");
    check("  bread = o pão\n", "error.lexicon_outside", "1");
    check("nouns food\n  bread o pão\n", "error.lexicon_no_arrow", "2");
    check("nouns food (nice)\n", "error.lexicon_feature", "1");
    check("nouns food\n\n  bread (nice) = o pão\n", "error.lexicon_feature", "3");
    check("nouns food\n  bread = pão\n", "error.lexicon_article", "2");
    check("nouns food\n  a/b/c = o pão\n", "error.lexicon_noun", "2");
    check("verbs x\n  eat [food] = jantar [food]\n", "error.lexicon_class", "2");
    check("nouns food\n  bread = o pão\nverbs x\n  eat [food] = jantar\n", "error.lexicon_slots", "4");
    check("verbs x\n  eat = comer\n", "error.lexicon_conjugation", "2");
    check("adjectives x [thing]\n  a = b\n", "error.lexicon_class", "2");
    check("adjectives x\n  good/better = bom|boa\n", "error.lexicon_degrees", "2");
    check("adjectives x\n  good = a|b|c\n", "error.lexicon_adjective", "2");
    const Result<Conjugations> wrong = Conjugations::parse("pattern -ar\n  present -o -a\n", "own.txt");
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().key == "error.lexicon_tense_forms");
    CHECK(Lexicon::read("no such folder").error().key == "error.lexicon_missing");
}
