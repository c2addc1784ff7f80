#include "engine/task/task.h"

#include "engine/base/check.h"
#include "engine/task/characters.h"
#include "engine/task/phrase_task.h"

namespace headlight {

namespace {

Result<std::unique_ptr<Task>> make_translation(const std::string& name, const std::string& assets,
                                               grammar::Direction direction) {
    const Result<grammar::Grammar> rules = grammar::read(assets + "/grammars/english-portuguese.txt");
    if (!rules) return rules.error();
    const Result<std::vector<grammar::SpokenBlock>> blocks = grammar::speak(*rules, direction);
    if (!blocks) return blocks.error();
    return make_phrase_task(name, *blocks);
}

} // namespace

std::size_t Task::sample_index(Random&) const {
    broken_promise(__FILE__, __LINE__, "is_finite()", "sample_index of " + std::string(name()));
}

const std::vector<std::string>& task_names() {
    static const std::vector<std::string> names{"copy", "reverse", "en-pt", "pt-en"};
    return names;
}

Result<std::unique_ptr<Task>> make_task(const std::string& name, const std::string& assets) {
    if (name == "copy") return make_copy_task();
    if (name == "reverse") return make_reverse_task();
    if (name == "en-pt") return make_translation(name, assets, grammar::Direction::english_to_portuguese);
    if (name == "pt-en") return make_translation(name, assets, grammar::Direction::portuguese_to_english);
    std::string known;
    for (const std::string& task : task_names()) known += (known.empty() ? "" : ", ") + task;
    return Error{"error.task_unknown", {name, known}};
}

} // namespace headlight
