#include "engine/task/pairs.h"

#include "engine/task/tasks.h"
#include "engine/text/tokenizer.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

using namespace headlight;

namespace {

std::vector<SentencePair> numbered(int count) {
    std::vector<SentencePair> pairs;
    for (int i = 0; i < count; ++i)
        pairs.push_back({"source " + std::to_string(i), "target " + std::to_string(i)});
    return pairs;
}

std::unique_ptr<Task> task_of(std::vector<SentencePair> pairs) {
    Result<std::unique_ptr<Task>> task = make_pairs_task("mine.tsv", std::move(pairs));
    REQUIRE(task);
    return std::move(*task);
}

std::set<std::string> sources_of(const std::vector<SentencePair>& pairs) {
    std::set<std::string> sources;
    for (const SentencePair& pair : pairs) sources.insert(pair.source);
    return sources;
}

std::string repeated(const std::string& text, std::size_t times) {
    std::string result;
    for (std::size_t i = 0; i < times; ++i) result += text;
    return result;
}

} // namespace

TEST_CASE("pairs are read with byte order mark, Windows line ends, comments and blank lines") {
    const PairFile file = parse_pairs("\xEF\xBB\xBFYou are welcome\tDe nada\r\n\r\n# a comment\r\n  \r\n"
                                      " I am fine \t Eu estou bem");
    CHECK(file.refused.empty());
    CHECK(file.pairs
          == std::vector<SentencePair>{{"You are welcome", "De nada"}, {"I am fine", "Eu estou bem"}});
}

TEST_CASE("a line that is not wholly a pair is refused and named, and the others are kept") {
    const PairFile file = parse_pairs("one\tum\n"
                                      "two dois\n"
                                      "three\ttrês\tdrei\n"
                                      "\tquatro\n"
                                      "five\t \n"
                                      "# six\n"
                                      "seven\tsete\xFF\n"
                                      "eight\x01\toito\n"
                                      "\t\n"
                                      "ten\tdez\n");
    CHECK(file.pairs == std::vector<SentencePair>{{"one", "um"}, {"ten", "dez"}});
    CHECK(file.refused
          == std::vector<RefusedLine>{{2, "error.pairs_no_tab"},
                                      {3, "error.pairs_two_tabs"},
                                      {4, "error.pairs_empty_source"},
                                      {5, "error.pairs_empty_target"},
                                      {7, "error.pairs_not_utf8"},
                                      {8, "error.pairs_control_character"},
                                      {9, "error.pairs_empty_source"}});
}

TEST_CASE("the length of a side is counted in characters, not bytes") {
    const std::string fits = repeated("ã", longest_pair_side);
    const PairFile file = parse_pairs(fits + "\tshort\nshort\t" + fits + "ã\n");
    CHECK(file.pairs == std::vector<SentencePair>{{fits, "short"}});
    CHECK(file.refused == std::vector<RefusedLine>{{2, "error.pairs_too_long"}});
}

TEST_CASE("a million lines are read, and their held-out pairs stay few enough to evaluate") {
    std::string text;
    for (int i = 0; i < 1'000'000; ++i)
        text += "source " + std::to_string(i) + "\ttarget " + std::to_string(i) + "\n";
    PairFile file = parse_pairs(text);
    CHECK(file.refused.empty());
    REQUIRE(file.pairs.size() == 1'000'000);
    CHECK(file.pairs.back() == SentencePair{"source 999999", "target 999999"});
    const auto task = task_of(std::move(file.pairs));
    CHECK(task->all_training().size() == 900'000);
    CHECK(task->held_out().size() == held_out_limit);
}

TEST_CASE("a tenth is held out, the same whatever the order, and never drawn") {
    const std::vector<SentencePair> pairs = numbered(200);
    const auto task = task_of(pairs);
    CHECK(task->held_out().size() == 20);
    CHECK(task->all_training().size() == 180);
    CHECK_FALSE(task->held_out_is_training());
    const std::set<std::string> held_out = sources_of(task->held_out());
    CHECK(held_out == sources_of(task_of({pairs.rbegin(), pairs.rend()})->held_out()));
    for (const std::string& source : sources_of(task->all_training())) CHECK_FALSE(held_out.contains(source));
    Random random(1);
    std::vector<SentencePair> drawn;
    for (int i = 0; i < 5000; ++i) drawn.push_back(task->sample(random));
    CHECK(sources_of(drawn) == sources_of(task->all_training()));
}

TEST_CASE("twenty pairs hold out two; of fewer none is, and they are judged on what they train on") {
    CHECK(task_of(numbered(20))->held_out().size() == 2);
    CHECK_FALSE(task_of(numbered(20))->held_out_is_training());
    for (const int count : {10, 19}) {
        const auto few = task_of(numbered(count));
        CHECK(few->held_out_is_training());
        CHECK(few->held_out() == few->all_training());
        CHECK(few->all_training().size() == std::size_t(count));
    }
}

TEST_CASE("a task knows what a source of its own should become, and of another nothing") {
    const auto pairs = task_of(numbered(50));
    CHECK(pairs->target_of("source 3") == "target 3");
    CHECK(pairs->target_of(pairs->held_out().front().source) == pairs->held_out().front().target);
    CHECK_FALSE(pairs->target_of("source 300"));
    CHECK(make_copy_task()->target_of("não") == "não");
    CHECK(make_reverse_task()->target_of("não") == "oãn");
}

TEST_CASE("a source with several targets is held out whole or not at all") {
    std::vector<SentencePair> pairs = numbered(50);
    for (int i = 0; i < 50; ++i)
        pairs.push_back({"source " + std::to_string(i), "another " + std::to_string(i)});
    const auto task = task_of(pairs);
    CHECK(task->held_out().size() == 10);
    const std::set<std::string> trained = sources_of(task->all_training());
    for (const SentencePair& held : task->held_out()) CHECK_FALSE(trained.contains(held.source));
    const auto same = task_of(std::vector<SentencePair>(30, {"again", "outra vez"}));
    CHECK(same->held_out_is_training());
    CHECK(same->all_training().size() == 30);
}

TEST_CASE("a task of pairs knows its longest sentences in words") {
    const auto task =
        task_of({{"The animal didn't cross.", "O animal não atravessou."}, {"Come in, please", "Entre"}});
    CHECK(task->longest_source() == 5);
    CHECK(task->longest_target() == 5);
    CHECK(task->tokenizer_kind() == TokenizerKind::words);
}

TEST_CASE("a file of pairs that is missing, a folder, or empty is an error that names it") {
    CHECK_FALSE(read_pairs("/nowhere/pairs.tsv"));
    CHECK(read_pairs("/nowhere/pairs.tsv").error().arguments.at(0) == "/nowhere/pairs.tsv");
    CHECK_FALSE(read_pairs(HEADLIGHT_SOURCE_DIR));
    const std::string path = HEADLIGHT_BINARY_DIR "/pairs_test.tsv";
    std::ofstream(path).close();
    const Result<PairFile> empty = read_pairs(path);
    REQUIRE(empty);
    CHECK(empty->pairs.empty());
    CHECK(make_pairs_task(path, empty->pairs).error().key == "error.pairs_none");
    std::ofstream(path) << "one\tum\n";
    const Result<PairFile> one = read_pairs(path);
    REQUIRE(one);
    CHECK(one->pairs == std::vector<SentencePair>{{"one", "um"}});
    std::filesystem::remove(path);
}

TEST_CASE("behind a second tab stands in which direction alone a pair is good") {
    const std::string text =
        "one\tum\ntwo\tdois\t>\nthree\ttrês\t< \nfour\tquatro\tboth\nfive\tcinco\t>\t<\n";
    const PairFile there = parse_pairs(text), back = parse_pairs(text, true);
    CHECK(there.pairs == std::vector<SentencePair>{{"one", "um"}, {"two", "dois"}});
    CHECK(back.pairs == std::vector<SentencePair>{{"um", "one"}, {"três", "three"}});
    CHECK(there.refused
          == std::vector<RefusedLine>{{4, "error.pairs_two_tabs"}, {5, "error.pairs_two_tabs"}});
    CHECK(back.refused == there.refused);
}

TEST_CASE("a folder of pairs is read file by file, and a line that is refused is named with its file") {
    TemporaryFolder folder;
    CHECK(read_all_pairs(folder.path().string()).error().key == "error.pairs_no_files");
    folder.write("b.tsv", "# theme\ntwo\tdois\n");
    folder.write("a.tsv", "one\tum\t>\n");
    folder.write("notes.txt", "no pair\n");
    const auto pairs = read_all_pairs(folder.path().string());
    REQUIRE(pairs);
    CHECK(*pairs == std::vector<SentencePair>{{"one", "um"}, {"two", "dois"}});
    const auto reversed = read_all_pairs(folder.path().string(), true);
    REQUIRE(reversed);
    CHECK(*reversed == std::vector<SentencePair>{{"dois", "two"}});
    folder.write("c.tsv", "three\ttrês\nfour quatro\n");
    const Error error = read_all_pairs(folder.path().string()).error();
    CHECK(error.key == "error.pairs_no_tab");
    CHECK(error.arguments == std::vector<std::string>{(folder / "c.tsv").string(), "2"});
}

TEST_CASE("pairs in byte pairs are one vocabulary of both sides, and know their longest sentences in it") {
    const auto made = make_pairs_task("mine.tsv", numbered(40), TokenizerKind::bpe, 300);
    REQUIRE(made);
    const Task& task = **made;
    CHECK(task.tokenizer_kind() == TokenizerKind::bpe);
    REQUIRE(task.learnt_tokenizer());
    const Tokenizer& tokenizer = *task.learnt_tokenizer();
    CHECK(tokenizer.vocabulary().find("Ġsource").has_value());
    CHECK(tokenizer.vocabulary().find("Ġtarget").has_value());
    for (const auto* pairs : {&task.all_training(), &task.held_out()})
        for (const SentencePair& pair : *pairs)
            CHECK(tokenizer.encode_ids(pair.source).size() <= task.longest_source());
    CHECK(task.held_out().size() == 4);
}
