#include "engine/task/tasks.h"

#include "engine/text/words.h"
#include "engine/train/evaluate.h"
#include "engine/train/training_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace headlight;

namespace {

std::size_t words_in(const std::string& text) { return words_of(text).size(); }

} // namespace

TEST_CASE("a task of memory has as many words between fact and question as it is asked for") {
    for (const std::string& name : memory_task_names())
        for (const Index distance : {1, 5, 40}) {
            CAPTURE(name);
            CAPTURE(distance);
            const auto near = make_memory_task(name, 0), far = make_memory_task(name, distance);
            REQUIRE(far);
            std::set<std::size_t> lengths;
            for (const SentencePair& pair : near->all_training()) lengths.insert(words_in(pair.source));
            for (const SentencePair& pair : far->all_training()) {
                CHECK(lengths.contains(words_in(pair.source) - std::size_t(distance)));
                CHECK(words_in(pair.source) <= far->longest_source());
                CHECK(words_in(pair.target) <= far->longest_target());
            }
        }
    CHECK(make_memory_task("recollect", 3) == nullptr);
}

TEST_CASE("the answer follows from the fact, and from nothing that comes after it") {
    const auto task = make_memory_task("recall", 12);
    for (const SentencePair& pair : task->all_training()) {
        const bool grew_up = pair.source.starts_with("i grew up in ");
        CHECK(pair.source.ends_with(grew_up ? "i speak fluent" : "are in the"));
        if (pair.source.starts_with("the clouds ")) CHECK(pair.target == "sky");
        if (pair.source.starts_with("i grew up in germany ")) CHECK(pair.target == "german");
    }
    const auto pairs = make_memory_task("recall-pairs", 3), lists = make_memory_task("recall-list", 3);
    for (const SentencePair& pair : pairs->held_out()) {
        const std::vector<std::string> words = words_of(pair.source);
        const auto told = std::find(words.begin(), words.begin() + 6, words.back());
        REQUIRE(told != words.begin() + 6);
        CHECK(*(told + 1) == pair.target);
    }
    for (const SentencePair& pair : lists->held_out()) CHECK(pair.source.starts_with(pair.target + " "));
}

TEST_CASE("what is held out is not trained on, and is the same every time") {
    const auto task = make_memory_task("recall", 10), again = make_memory_task("recall", 10);
    CHECK(task->held_out() == again->held_out());
    CHECK(task->held_out().size() == held_out_limit);
    CHECK_FALSE(task->held_out_is_training());
    std::set<std::string> held_out;
    for (const SentencePair& pair : task->held_out()) held_out.insert(pair.source);
    for (const SentencePair& pair : task->all_training()) CHECK_FALSE(held_out.contains(pair.source));
}

TEST_CASE("of what a memory is given as a beginning nothing counts for the loss") {
    ModelConfig config;
    config.architecture = Architecture::lstm;
    EncodedPair pair{{5, 6, 7}, {8, 2}};
    pair.prefix_counts = false;
    const EncodedPair* pairs[] = {&pair};
    Batch batch;
    batch.fill(pairs, config);
    CHECK(batch.target == std::vector<TokenId>{1, 5, 6, 7, 8});
    CHECK(batch.goal == std::vector<TokenId>{0, 0, 0, 8, 2});
    CHECK(batch.goal_tokens == 2);
}

TEST_CASE("another fact in the same sentence has another answer, and every other word stays") {
    for (const std::string& name : memory_task_names()) {
        CAPTURE(name);
        const auto task = make_memory_task(name, 6);
        for (std::size_t i = 0; i < 50; ++i) {
            const SentencePair& pair = task->held_out()[i];
            for (const Index number : {0, 1, 5}) {
                const std::optional<SentencePair> other = with_other_fact(name, pair, number);
                REQUIRE(other);
                CHECK(other->target != pair.target);
                const std::vector<std::string> words = words_of(pair.source),
                                               others = words_of(other->source);
                REQUIRE(words.size() == others.size());
                std::size_t differ = 0;
                for (std::size_t w = 0; w < words.size(); ++w) differ += words[w] != others[w];
                CHECK(differ >= 1);
                CHECK(differ <= (name == "recall-pt" ? 2u : 1u)); // "na alemanha", "no brasil"
            }
        }
    }
    CHECK(with_other_fact("recall", {"i grew up in germany and i speak fluent", "german"})->source
          == "i grew up in france and i speak fluent");
    CHECK_FALSE(with_other_fact("recall", {"i grew up in germany and i speak fluent", "sky"}));
    CHECK_FALSE(with_other_fact("copy", {"a", "a"}));
}
