#include "engine/task/gloss.h"

#include "engine/task/phrase_task.h"
#include "engine/task/plain_text.h"

namespace headlight {

namespace {

std::optional<Error> find_uneven(const std::vector<grammar::SpokenBlock>& blocks, const std::string& file) {
    for (const grammar::SpokenBlock& block : blocks)
        for (const grammar::SpokenPhrase& phrase : block.phrases)
            for (const auto* pairs : {&phrase.training, &phrase.held_out})
                for (const SentencePair& pair : *pairs) {
                    const std::size_t words = count_words(pair.source), glosses = count_words(pair.target);
                    if (words != glosses)
                        return Error{"error.gloss_uneven",
                                     {file, std::to_string(phrase.line), pair.source, std::to_string(words),
                                      pair.target, std::to_string(glosses)}};
                }
    return std::nullopt;
}

} // namespace

Result<std::unique_ptr<Task>> make_gloss_task(const std::string& grammars) {
    const Result<grammar::Grammar> words = grammar::read(grammars + "/english-portuguese.txt");
    if (!words) return words.error();
    const std::string file = grammars + "/gloss.txt";
    const Result<grammar::Grammar> rules = grammar::read(file, *words);
    if (!rules) return rules.error();
    const auto blocks = grammar::speak(*rules, grammar::Direction::english_to_portuguese);
    if (!blocks) return blocks.error();
    if (const auto error = find_uneven(*blocks, file)) return *error;
    return make_phrase_task("gloss", *blocks, {Architecture::encoder_only, Head::tokens, {}});
}

} // namespace headlight
