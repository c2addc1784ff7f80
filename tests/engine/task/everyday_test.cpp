#include "engine/task/everyday_task.h"

#include "engine/task/everyday_task.h"
#include "engine/task/plain_text.h"
#include "engine/task/story_grammar.h"
#include "engine/train/evaluate.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

using namespace headlight;
using grammar::Language;
namespace fs = std::filesystem;

namespace {

const std::string assets = HEADLIGHT_SOURCE_DIR "/assets";

std::unique_ptr<Task> task_of(const std::string& name, const std::string& folder = assets) {
    auto task = make_everyday_task(name, folder, 600);
    REQUIRE_MESSAGE(task, name << ": " << (task ? "" : task.error().key));
    return *std::move(task);
}

std::set<std::string> essences(const std::vector<SentencePair>& pairs) {
    std::set<std::string> all;
    for (const SentencePair& pair : pairs) all.insert(essence_of(pair.source));
    return all;
}

// assets/ with a phrasebook of its own.
std::string with_phrasebook(const TemporaryFolder& folder, const std::string& lines) {
    fs::create_directories(folder / "phrasebook");
    fs::create_directories(folder / "lexicon");
    fs::copy_file(assets + "/lexicon/names.txt", folder / "lexicon/names.txt",
                  fs::copy_options::overwrite_existing);
    folder.write("phrasebook/own.tsv", lines);
    return folder.path().string();
}

std::string numbered_lines(int count) {
    std::string lines;
    for (int i = 0; i < count; ++i)
        lines += "Sentence number " + std::to_string(1000 + i) + ".\tFrase número " + std::to_string(1000 + i)
                 + ".\n";
    return lines;
}

} // namespace

TEST_CASE("everyday tasks hold out what they never train on, in whatever way it is typed") {
    for (const std::string& name : everyday_task_names()) {
        CAPTURE(name);
        const auto task = task_of(name);
        REQUIRE_FALSE(task->held_out().empty());
        CHECK(task->held_out().size() <= held_out_limit);
        const std::set<std::string> asked = essences(task->held_out());
        for (const SentencePair& pair : task->all_training())
            CHECK_FALSE(asked.contains(essence_of(pair.source)));
        for (int i = 0; i < 300; ++i) {
            Random random({7, std::uint64_t(i)}), again({7, std::uint64_t(i)});
            const SentencePair pair = task->sample(random);
            CHECK(pair == task->sample(again));
            CHECK_FALSE(pair.target.empty());
            if (name != "everyday-next-word") CHECK_FALSE(asked.contains(essence_of(pair.source)));
        }
    }
}

TEST_CASE("everyday samples are read by the model that their task begins with, and nothing is unknown") {
    for (const std::string& name : everyday_task_names()) {
        CAPTURE(name);
        const auto task = task_of(name);
        ModelConfig config;
        config.architecture = task->learner().architecture;
        config.head = task->learner().head;
        config.labels = task->learner().labels;
        config.max_length = Index(std::max(task->longest_source(), task->longest_target())) + 101;
        const Tokenizers tokenizers = make_tokenizers(*task);
        CHECK(tokenizers.source.vocabulary().size() == 600);
        for (int i = 0; i < 200; ++i) {
            Random random({8, std::uint64_t(i)});
            const auto encoded = encode_pair(task->sample(random), tokenizers, config);
            REQUIRE(encoded);
            CHECK(std::count(encoded->source.begin(), encoded->source.end(), config.unk_id) == 0);
        }
    }
}

TEST_CASE("both directions hold out the same lines of the phrasebook, and lines that are added move none") {
    TemporaryFolder folder;
    const std::string few = with_phrasebook(folder, numbered_lines(800));
    const auto there = task_of("everyday-en-pt", few), back = task_of("everyday-pt-en", few);
    std::set<std::pair<std::string, std::string>> out, reversed;
    for (const SentencePair& pair : there->held_out()) out.emplace(pair.source, pair.target);
    for (const SentencePair& pair : back->held_out()) reversed.emplace(pair.target, pair.source);
    CHECK(out == reversed);
    CHECK(out.size() > 5);
    CHECK(out.size() < 50);
    const auto more =
        task_of("everyday-en-pt", with_phrasebook(folder, "New.\tNovo.\n" + numbered_lines(900)));
    std::set<std::pair<std::string, std::string>> then;
    for (const SentencePair& pair : more->held_out()) then.emplace(pair.source, pair.target);
    CHECK(std::includes(then.begin(), then.end(), out.begin(), out.end()));
}

TEST_CASE("lines that are good in one direction are learnt in that one") {
    TemporaryFolder folder;
    const std::string own = with_phrasebook(
        folder, numbered_lines(60) + "I am well.\tEstou bem.\t>\nAll good.\tTudo certo.\t<\n");
    const auto has = [](const Task& task, const SentencePair& pair) {
        for (const auto* pairs : {&task.all_training(), &task.held_out()})
            if (std::find(pairs->begin(), pairs->end(), pair) != pairs->end()) return true;
        return false;
    };
    const auto there = task_of("everyday-en-pt", own), back = task_of("everyday-pt-en", own);
    CHECK(has(*there, {"I am well.", "Estou bem."}));
    CHECK_FALSE(has(*there, {"All good.", "Tudo certo."}));
    CHECK(has(*back, {"Tudo certo.", "All good."}));
    CHECK_FALSE(has(*back, {"Estou bem.", "I am well."}));
}

TEST_CASE("an everyday task whose files are missing or wrong says which") {
    TemporaryFolder folder;
    CHECK(make_everyday_task("everyday-en-pt", folder.path().string()).error().key == "error.file_missing");
    const std::string own = with_phrasebook(folder, "one\tum\ntwo dois\n");
    const Error error = make_everyday_task("everyday-pt-en", own).error();
    CHECK(error.key == "error.pairs_no_tab");
    CHECK(error.arguments.at(0).ends_with("own.tsv"));
    CHECK(error.arguments.at(1) == "2");
    CHECK(make_everyday_task("everyday-sentiment", own).error().key == "error.pairs_no_files");
    folder.write("lexicon/names.txt", "names femalename\n  Ana, Rosa\n");
    folder.write("phrasebook/own.tsv", "one\tum\n");
    CHECK(make_everyday_task("everyday-en-pt", own).error().key == "error.names_none");
}

TEST_CASE("a name that both sides say becomes another of the same gender on both, and nothing else changes") {
    const auto names = FirstNames::read(assets + "/lexicon/names.txt");
    REQUIRE(names);
    const SentencePair plain{"The dog is tired.", "O cachorro está cansado."},
        uneven{"Rose likes the rose.", "A rosa, ela gosta."};
    std::set<std::string> seen;
    for (int i = 0; i < 200; ++i) {
        Random random({9, std::uint64_t(i)});
        CHECK(names->renamed(plain, random) == plain);
        CHECK(names->renamed(uneven, random) == uneven);
        const SentencePair pair =
            names->renamed({"Ana's brother is João.", "O irmão de Ana é João."}, random);
        const std::string woman = pair.source.substr(0, pair.source.find('\''));
        const std::string man = pair.source.substr(pair.source.find(" is ") + 4);
        CHECK(pair.target == "O irmão de " + woman + " é " + man);
        CHECK(woman + "." != man);
        CHECK(woman != "Pedro");
        seen.insert(woman);
    }
    CHECK(seen.size() > 40);
}

TEST_CASE("a number that both sides say becomes another of its kind on both, and one remains one") {
    std::set<std::string> years, days;
    for (int i = 0; i < 300; ++i) {
        Random random({10, std::uint64_t(i)});
        for (const SentencePair& kept :
             {SentencePair{"I have 1 dog and 2 cats.", "Tenho 1 cachorro e 2 gatos."},
              SentencePair{"It's 3 p.m.", "São 15 horas."}, SentencePair{"the 21st", "o 21º"}})
            CHECK(renumbered(kept, random) == kept);
        const SentencePair pair = renumbered({"In 1999 it was 25.", "Em 1999 era 25."}, random);
        const std::string year = pair.source.substr(3, 4), day = pair.source.substr(15, 2);
        CHECK(pair.target == "Em " + year + " era " + day + ".");
        CHECK((std::stoi(year) >= 1950 && std::stoi(year) < 2050));
        CHECK((std::stoi(day) >= 13 && std::stoi(day) <= 31));
        years.insert(year), days.insert(day);
    }
    CHECK(years.size() > 50);
    CHECK(days.size() > 10);
}

TEST_CASE("contractions are opened and closed where it is certain what they mean") {
    const std::map<std::string, std::string> opened = {
        {"I'm late.", "I am late."},
        {"It isn't mine, but I don't care.", "It is not mine, but I do not care."},
        {"She can't swim and won't learn.", "She cannot swim and will not learn."},
        {"We're here and they've won.", "We are here and they have won."},
        {"What's your name?", "What is your name?"},
        {"That's nice!", "That is nice!"},
        {"I'll go.", "I will go."},
        {"He's gone home.", "He's gone home."},
        {"Don't you know?", "Don't you know?"},
        {"I'd like that.", "I'd like that."},
        {"Ana's dog is old.", "Ana's dog is old."},
        {"Don't run!", "Do not run!"},
    };
    for (const auto& [from, to] : opened) CHECK(with_contractions_opened(from) == to);
    const std::map<std::string, std::string> closed = {
        {"I am late.", "I'm late."},
        {"I do not know.", "I don't know."},
        {"Yes, I am.", "Yes, I am."},
        {"It is not mine.", "It's not mine."},
        {"We do not.", "We don't."},
        {"Yes, we will.", "Yes, we will."},
        {"We will see you.", "We'll see you."},
        {"Do not run!", "Don't run!"},
        {"They are here.", "They're here."},
    };
    for (const auto& [from, to] : closed)
        CHECK_MESSAGE(with_contractions_closed(from) == to, with_contractions_closed(from));
}

TEST_CASE(
    "what is typed is mostly what was written, and what is asked keeps its mark where nothing else asks") {
    int same = 0, without_mark = 0;
    for (int i = 0; i < 1000; ++i) {
        Random random({11, std::uint64_t(i)});
        same += as_typed("You like dogs?", Language::english, random) == "You like dogs?";
        const std::string question = as_typed("Você gosta de cachorros?", Language::portuguese, random);
        CHECK(question.ends_with('?'));
        without_mark += !as_typed("Where is the school?", Language::english, random).ends_with('?');
    }
    CHECK(same > 600);
    CHECK(same < 950);
    CHECK(without_mark > 100);
    CHECK(without_mark < 350);
}

TEST_CASE("opinions that stand side by side in nearly the same words are held out together") {
    const auto task = task_of("everyday-sentiment");
    CHECK(task->learner().labels == std::vector<std::string>{"negative", "positive"});
    const std::string good = "The film is long, but I didn't look at my phone once.",
                      bad = "The film is long, and I looked at my phone all the time.";
    const std::set<std::string> asked = essences(task->held_out());
    CHECK(asked.contains(essence_of(good)) == asked.contains(essence_of(bad)));
    CHECK(essence_of("I'm NOT amused!") == essence_of("i am not amused"));
}

TEST_CASE("stories recombine: slots are drawn once, and spoken of by their pronouns") {
    const TemporaryFolder folder;
    const std::string file =
        folder.write("s.txt", "# head\n\n"
                              "list child (he)\n  Tom\n  Anna (she)\n"
                              "list thing | where\n  a ball | under the bed\n"
                              "list any\n  + thing\n\n"
                              "story lost\n"
                              "  The {bare.lost}\n"
                              "  {he} looked for {lost=any}, [{himself} alone|{himself} alone].\n"
                              "  \"{The.lost} was {lost.where}!\" said {him=child}. {His.him} dog ran.\n");
    const auto grammar = StoryGrammar::read(file);
    REQUIRE_MESSAGE(grammar, (grammar ? "" : grammar.error().arguments.at(1)));
    std::set<std::vector<std::string>> told;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Random random(seed);
        told.insert(grammar->draw(random));
    }
    CHECK(told
          == std::set<std::vector<std::string>>{{"He looked for a ball, himself alone.",
                                                 "\"The ball was under the bed!\" said Tom. His dog ran."},
                                                {"She looked for a ball, herself alone.",
                                                 "\"The ball was under the bed!\" said Anna. Her dog ran."}});
    const auto shipped = StoryGrammar::read(assets + "/stories/recombined.txt");
    REQUIRE_MESSAGE(shipped, (shipped ? "" : shipped.error().arguments.at(1)));
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Random random(seed);
        for (const std::string& paragraph : shipped->draw(random))
            CHECK_MESSAGE(paragraph.find_first_of("{}[]|=") == std::string::npos, paragraph);
    }
}

TEST_CASE("a story that cannot be told is an error that names file and line") {
    const TemporaryFolder folder;
    const auto line_of = [&](const std::string& text) {
        const auto grammar = StoryGrammar::read(folder.write("s.txt", text).string());
        return grammar ? std::string("none") : grammar.error().arguments.at(1);
    };
    CHECK(line_of("list a\n  x\nstory s\n  t\n  {y=a}.\n") == "none");
    CHECK(line_of("list a\n  x\nstory s\n  t\n  {y=b}.\n") == "5");
    CHECK(line_of("list a\n  x\nstory s\n  t\n  {y}.\n") == "5");
    CHECK(line_of("list a\n  x\nstory s\n  t\n  {y=a} {z=a}.\n") == "5");
    CHECK(line_of("list a | b\n  x\n") == "2");
    CHECK(line_of("list a\n  + c\n") == "2");
    CHECK(line_of("list a\nlist a\n") == "2");
    CHECK(line_of("  x\n") == "1");
    CHECK(line_of("tale\n") == "1");
    CHECK(line_of("list a\n  {y=a}\nstory s\n  t\n  {y=a}\n") == "5"); // for ever
}
