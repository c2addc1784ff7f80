#include "engine/task/task.h"

#include "engine/base/check.h"
#include "engine/base/lasting.h"
#include "engine/io/file.h"
#include "engine/task/everyday_task.h"
#include "engine/task/pairs.h"
#include "engine/task/tasks.h"

namespace headlight {

namespace {

Result<std::unique_ptr<Task>> make_translation(const std::string& name, const std::string& grammars,
                                               grammar::Direction direction) {
    const Result<grammar::Grammar> rules = grammar::read(grammars + "/english-portuguese.txt");
    if (!rules) return rules.error();
    const Result<std::vector<grammar::SpokenBlock>> blocks = grammar::speak(*rules, direction);
    if (!blocks) return blocks.error();
    return make_phrase_task(name, *blocks);
}

} // namespace

std::optional<std::string> Task::target_of(std::string_view source) const {
    for (const std::vector<SentencePair>* pairs : {&all_training(), &held_out()})
        for (const SentencePair& pair : *pairs)
            if (pair.source == source) return pair.target;
    return {};
}

std::size_t Task::sample_index(Random&) const {
    broken_promise(__FILE__, __LINE__, "is_finite()", "sample_index of " + std::string(name()));
}

std::optional<TokenizerKind> tokenizer_kind_of(std::string_view name) {
    for (const TokenizerKind kind : {TokenizerKind::characters, TokenizerKind::words, TokenizerKind::bpe})
        if (name == name_of(kind)) return kind;
    return {};
}

const std::vector<std::string>& task_names() {
    static const std::vector<std::string>& names = lasting(
        std::vector<std::string>{"copy", "reverse", "en-pt", "pt-en", "gloss", "sentiment", "next-word"});
    return names;
}

Result<std::unique_ptr<Task>> make_task(const std::string& name, const std::string& assets, Index distance,
                                        Index vocabulary) {
    if (std::unique_ptr<Task> memory = make_memory_task(name, distance)) return memory;
    if (name == "copy") return make_copy_task();
    if (name == "reverse") return make_reverse_task();
    const std::string grammars = assets + "/grammars";
    if (name == "en-pt") return make_translation(name, grammars, grammar::Direction::english_to_portuguese);
    if (name == "pt-en") return make_translation(name, grammars, grammar::Direction::portuguese_to_english);
    if (name == "gloss") return make_gloss_task(grammars);
    if (name == "sentiment") return make_sentiment_task(grammars);
    if (name == "next-word") return make_next_word_task(grammars);
    for (const std::string& task : everyday_task_names())
        if (name == task) return make_everyday_task(name, assets, vocabulary);
    std::string known;
    for (const auto* names : {&task_names(), &everyday_task_names(), &memory_task_names()})
        for (const std::string& task : *names) known += (known.empty() ? "" : ", ") + task;
    return Error{"error.task_unknown", {name, known}};
}

Result<std::unique_ptr<Task>> make_own_task(const std::string& name, const std::string& file,
                                            TokenizerKind unit, Index vocabulary, bool reversed) {
    if (name == "next-word") {
        constexpr Index most_bytes = 16 << 20;
        const Result<std::string> text = read_file(file, most_bytes);
        return text ? make_text_task(file, *text, unit, vocabulary) : text.error();
    }
    Result<std::vector<SentencePair>> pairs = read_all_pairs(file, reversed);
    if (!pairs) return pairs.error();
    return name == "sentiment" ? make_labels_task(file, *std::move(pairs))
                               : make_pairs_task(file, *std::move(pairs), unit, vocabulary);
}

} // namespace headlight
