// The tasks that one stack alone learns: gloss, sentiment, next word.
#include "engine/task/pairs.h"
#include "engine/task/plain_text.h"
#include "engine/task/task.h"
#include "engine/task/tasks.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

using namespace headlight;

namespace {

const std::string assets = HEADLIGHT_SOURCE_DIR "/assets";

std::unique_ptr<Task> task_named(const std::string& name) {
    auto task = make_task(name, assets);
    REQUIRE_MESSAGE(task, name, ": ", task ? "" : task.error().key);
    return *std::move(task);
}

bool trains_on(const Task& task, const SentencePair& pair) {
    const auto& all = task.all_training();
    return std::find(all.begin(), all.end(), pair) != all.end();
}

std::set<std::string> sources_of(const std::vector<SentencePair>& pairs) {
    std::set<std::string> sources;
    for (const SentencePair& pair : pairs) sources.insert(pair.source);
    return sources;
}

void check_held_out(const Task& task) {
    const std::set<std::string> trained = sources_of(task.all_training());
    for (const SentencePair& pair : task.held_out())
        CHECK_MESSAGE(!trained.contains(pair.source), pair.source);
}

std::string error_of(const Result<std::unique_ptr<Task>>& task) { return task ? "" : task.error().key; }

std::string repeated(const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

} // namespace

TEST_CASE("these tasks draw the same pairs for the same seed, and never a held-out one") {
    for (const char* name : {"gloss", "sentiment", "next-word"}) {
        CAPTURE(name);
        const auto task = task_named(name), again = task_named(name);
        CHECK(task->held_out() == again->held_out());
        CHECK(task->held_out().size() <= held_out_limit);
        CHECK(task->held_out().size() >= 30);
        for (std::uint64_t i = 0; i < 50; ++i) {
            Random a({3, i}), b({3, i});
            CHECK(task->sample(a) == again->sample(b));
        }
    }
}

TEST_CASE("every gloss has a word for each word, and it is ele or ela by the noun that is meant") {
    const auto task = task_named("gloss");
    CHECK(task->learner() == Learner{Architecture::encoder_only, Head::tokens, {}});
    std::size_t uneven = 0;
    for (const auto* pairs : {&task->all_training(), &task->held_out()})
        for (const SentencePair& pair : *pairs)
            uneven += count_words(pair.source) != count_words(pair.target);
    CHECK(uneven == 0);
    CHECK(trains_on(*task, {"The animal didn't cross the street because it was too tired",
                            "O animal não atravessou a rua porque ele estava demais cansado"}));
    CHECK(trains_on(*task, {"The animal didn't cross the street because it was too wide",
                            "O animal não atravessou a rua porque ela era demais larga"}));
    CHECK(trains_on(*task, {"The man slept on the bench", "O homem dormiu no – banco"}));
    check_held_out(*task);
}

TEST_CASE("a gloss of another length than its sentence is refused by its line") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "grammars");
    folder.write("grammars/english-portuguese.txt", "words animal\n dog = o cachorro\n"
                                                    "phrases a\n the {animal} = {o|a:animal} {animal}\n");
    folder.write("grammars/gloss.txt", "phrases b\n\n the {animal} slept = {animal} dormiu\n");
    const auto task = make_task("gloss", folder.path().string());
    REQUIRE(error_of(task) == "error.gloss_uneven");
    CHECK(task.error().arguments[1] == "3");
    CHECK(task.error().arguments[2] == "The dog slept");
}

TEST_CASE("sentiment is of either language, half of it positive, and no sentence has two labels") {
    const auto task = task_named("sentiment");
    CHECK(task->learner() == Learner{Architecture::encoder_only, Head::classes, {"negative", "positive"}});
    std::map<std::string, std::string> labels;
    for (const SentencePair& pair : task->all_training())
        CHECK_MESSAGE(labels.emplace(pair.source, pair.target).first->second == pair.target, pair.source);
    CHECK(trains_on(*task, {"I could not stop smiling", "positive"}));
    CHECK(trains_on(*task, {"Nada funcionou.", "negative"}));
    Index positive = 0;
    for (std::uint64_t i = 0; i < 2000; ++i) {
        Random random({5, i});
        positive += task->sample(random).target == "positive";
    }
    CHECK(positive > 900);
    CHECK(positive < 1100);
    check_held_out(*task);
}

TEST_CASE("the next word: a beginning and how it ends; held out are only those that end in one way") {
    const auto task = task_named("next-word");
    CHECK(task->learner() == Learner{Architecture::decoder_only, Head::tokens, {}});
    CHECK(trains_on(*task, {"The clouds are in the", "sky."}));
    CHECK(trains_on(*task, {"I grew up in Germany, so I speak fluent", "German."}));
    CHECK(trains_on(*task, {"How are", "you?"}));
    std::map<std::string, std::set<std::string>> endings;
    for (const auto* pairs : {&task->all_training(), &task->held_out()})
        for (const SentencePair& pair : *pairs) endings[pair.source].insert(pair.target);
    for (const SentencePair& pair : task->held_out()) CHECK(endings[pair.source].size() == 1);
    CHECK(endings["The animal didn't cross the street because it was too"].size() > 1);
}

TEST_CASE("a text is cut into windows, whose last token is to be found; its end is held out") {
    const std::string text = repeated("the cat sat on the mat .\n", 30);
    for (const TokenizerKind unit : {TokenizerKind::words, TokenizerKind::characters}) {
        const auto task = make_text_task("cat.txt", text, unit);
        REQUIRE(task);
        CHECK((*task)->tokenizer_kind() == unit);
        CHECK_FALSE((*task)->target_ends());
        CHECK_FALSE((*task)->held_out_is_training());
        CHECK_FALSE((*task)->held_out().empty());
        for (const auto* pairs : {&(*task)->all_training(), &(*task)->held_out()})
            for (const SentencePair& pair : *pairs) {
                CHECK(text.find(pair.source) != text.npos);
                const std::string target = pair.target;
                CHECK(text.find(target) != text.npos);
            }
    }
    const auto words = make_text_task("cat.txt", text, TokenizerKind::words);
    CHECK((*words)->longest_source() + (*words)->longest_target() == text_window_words);
    CHECK(count_words((*words)->all_training().front().source) == text_window_words - 1);
    const auto characters =
        make_text_task("cat.txt", "a\r\nb" + repeated("ab", 50), TokenizerKind::characters);
    CHECK((*characters)->alphabet() == std::vector<std::string>{"\n", "a", "b"});
}

TEST_CASE("a text that is too short or no text is refused") {
    CHECK(error_of(make_text_task("a", "the cat", TokenizerKind::words)) == "error.text_too_short");
    CHECK(error_of(make_text_task("a", "", TokenizerKind::characters)) == "error.text_too_short");
    CHECK(error_of(make_text_task("a", "\xFF\xFE", TokenizerKind::characters)) == "error.text_not_utf8");
    CHECK(error_of(make_text_task("a", repeated("x ", 20), TokenizerKind::words)) == "");
}

TEST_CASE("labelled lines make classes of their labels, in order of the alphabet") {
    std::vector<SentencePair> lines;
    for (int i = 0; i < 20; ++i) lines.push_back({"line " + std::to_string(i), i % 2 ? "sad" : "glad"});
    const auto task = make_labels_task("mine.tsv", lines);
    REQUIRE(task);
    CHECK((*task)->learner().labels == std::vector<std::string>{"glad", "sad"});
    check_held_out(**task);
    CHECK(error_of(make_labels_task("mine.tsv", {})) == "error.pairs_none");
    CHECK(error_of(make_labels_task("mine.tsv", {{"a", "sad"}, {"b", "sad"}})) == "error.labels_one");
    lines.clear();
    for (int i = 0; i < 101; ++i) lines.push_back({"line", std::to_string(i)});
    CHECK(error_of(make_labels_task("mine.tsv", lines)) == "error.labels_many");
}

TEST_CASE("a file of one's own is learnt as its task says, and a line that is none is named") {
    const TemporaryFolder folder;
    folder.write("good.tsv", "fine\tglad\nbad\tsad\n");
    folder.write("bad.tsv", "fine\tglad\nbad\n");
    const std::string good = (folder / "good.tsv").string(), bad = (folder / "bad.tsv").string();
    const auto labelled = make_own_task("sentiment", good, TokenizerKind::words);
    REQUIRE(labelled);
    CHECK((*labelled)->learner().head == Head::classes);
    const auto pairs = make_own_task("pairs", good, TokenizerKind::words);
    REQUIRE(pairs);
    CHECK((*pairs)->learner() == Learner{});
    const auto refused = make_own_task("sentiment", bad, TokenizerKind::words);
    REQUIRE(error_of(refused) == "error.pairs_no_tab");
    CHECK(refused.error().arguments == std::vector<std::string>{bad, "2"});
    CHECK_FALSE(make_own_task("next-word", (folder / "none.txt").string(), TokenizerKind::words));
}
