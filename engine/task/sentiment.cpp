#include "engine/task/tasks.h"

#include "engine/task/tasks.h"

#include <set>

namespace headlight {

namespace {

// "positive, in full" → "positive".
std::string label_of(const std::string& block) { return block.substr(0, block.find_first_of(", ")); }

std::vector<SentencePair> labelled(const std::vector<SentencePair>& pairs, const std::string& label) {
    std::vector<SentencePair> lines;
    for (const SentencePair& pair : pairs) {
        lines.push_back({pair.source, label});
        lines.push_back({pair.target, label});
    }
    return lines;
}

} // namespace

Result<std::unique_ptr<Task>> make_sentiment_task(const std::string& grammars) {
    const std::string file = grammars + "/sentiment.txt";
    const Result<grammar::Grammar> rules = grammar::read(file);
    if (!rules) return rules.error();
    auto blocks = grammar::speak(*rules, grammar::Direction::english_to_portuguese);
    if (!blocks) return blocks.error();
    std::set<std::string> labels;
    for (grammar::SpokenBlock& block : *blocks) {
        const std::string label = label_of(block.name);
        labels.insert(label);
        for (grammar::SpokenPhrase& phrase : block.phrases) {
            phrase.training = labelled(phrase.training, label);
            phrase.held_out = labelled(phrase.held_out, label);
        }
    }
    if (labels.size() < 2) return Error{"error.labels_one", {file, *labels.begin()}};
    Learner learner{Architecture::encoder_only, Head::classes, {labels.begin(), labels.end()}};
    return make_phrase_task("sentiment", *blocks, std::move(learner), Periods::source);
}

} // namespace headlight
