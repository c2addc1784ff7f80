#include "engine/task/everyday_task.h"

#include "engine/base/lasting.h"
#include "engine/task/everyday_task.h"
#include "engine/task/plain_text.h"
#include "engine/text/cutting.h"
#include "engine/text/normalization.h"
#include "engine/text/unicode.h"

#include <algorithm>

namespace headlight {

const std::vector<std::string>& everyday_task_names() {
    static const std::vector<std::string>& names = lasting(std::vector<std::string>{
        "everyday-en-pt", "everyday-pt-en", "everyday-gloss", "everyday-sentiment", "everyday-next-word"});
    return names;
}

Result<std::unique_ptr<Task>> make_everyday_task(const std::string& name, const std::string& assets,
                                                 Index vocabulary) {
    if (name == "everyday-gloss") return make_everyday_gloss(name, assets, vocabulary);
    if (name == "everyday-sentiment") return make_everyday_sentiment(name, assets, vocabulary);
    if (name == "everyday-next-word") return make_everyday_next_word(name, assets, vocabulary);
    return make_everyday_translation(name, assets, vocabulary);
}

const Tokenizer* EverydayTask::learnt_tokenizer() const {
    std::call_once(learns_, [&] { tokenizer_ = learn(sentences(), vocabulary()); });
    return &*tokenizer_;
}

std::vector<std::string> EverydayTask::sentences() const {
    std::vector<std::string> all;
    for (const SentencePair& pair : training_) {
        all.push_back(pair.source);
        if (learner().head == Head::tokens) all.push_back(pair.target);
    }
    return all;
}

Tokenizer EverydayTask::learn(const std::vector<std::string>& sentences, Index vocabulary) const {
    return train_sentence_bpe(sentences, vocabulary);
}

std::string essence_of(const std::string& sentence) {
    std::string essence;
    for (const char byte : lowercase(with_contractions_opened(sentence))) {
        const bool says = (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9')
                          || static_cast<unsigned char>(byte) >= 0x80;
        if (says)
            essence += byte;
        else if (!essence.empty() && essence.back() != ' ')
            essence += ' ';
    }
    if (essence.ends_with(' ')) essence.pop_back();
    return essence;
}

bool is_to_hold_out(const std::string& sentence, std::uint64_t parts) {
    return stable_hash(essence_of(sentence)) % parts == 0;
}

void put_in_order(std::vector<SentencePair>& held_out) {
    std::sort(held_out.begin(), held_out.end(), [](const SentencePair& a, const SentencePair& b) {
        return std::pair(stable_hash(a.source), a.target) < std::pair(stable_hash(b.source), b.target);
    });
    held_out.resize(std::min(held_out.size(), held_out_limit));
}

} // namespace headlight
