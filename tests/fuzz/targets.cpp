#include "tests/fuzz/targets.h"

#include <algorithm>

namespace headlight::fuzz {

const std::vector<Target>& targets() {
    static const std::vector<Target> all = {
        weights_target(), config_target(),  model_target(),   tokenizer_target(), tokenizers_target(),
        pairs_target(),   labels_target(),  text_target(),    grammar_target(),   session_target(),
        command_target(), random_target(),  lesson_target(),  settings_target(),  run_target(),
        race_target(),    formula_target(), lexicon_target(), sentences_target(), confidence_target(),
        link_target()};
    return all;
}

const Target* find_target(std::string_view name) {
    const auto found =
        std::find_if(targets().begin(), targets().end(), [&](const Target& t) { return t.name == name; });
    return found == targets().end() ? nullptr : &*found;
}

} // namespace headlight::fuzz
