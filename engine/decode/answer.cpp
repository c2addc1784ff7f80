#include "engine/decode/answer.h"

namespace headlight {

namespace {

// Behind an end, and back.
TokenId begin_another(TokenId word, const Stream& target) {
    return target.is_end(word) && !target.before.empty() ? target.before.front() : word;
}

TokenId end_before(TokenId fed, const Stream& target) {
    const bool begins = !target.before.empty() && fed == target.before.front();
    return begins && !target.ends.empty() ? target.ends.front() : fed;
}

} // namespace

std::vector<TokenId> fed_of_texts(std::span<const TokenId> words, const Stream& target) {
    std::vector<TokenId> fed;
    for (const TokenId word : words) fed.push_back(begin_another(word, target));
    return fed;
}

std::vector<TokenId> Answer::words() const {
    std::vector<TokenId> words;
    for (const SaidWord& word : said) words.push_back(word.word);
    if (has_ended) words.pop_back();
    return words;
}

double Answer::log_probability() const {
    double sum = 0;
    for (const SaidWord& word : said) sum += word.log_probability;
    return sum;
}

AnswerWriter::AnswerWriter(Writing& writing, const AnswerSettings& settings)
    : writing_(writing), settings_(settings), most_(writing.most_words(settings.most_words)) {
    answer_.costs.push_back(writing.cost());
    // What it begins with was fed at once: each of its words is judged where it was to be said.
    std::vector<TokenId> begun = writing.words(0);
    if (settings.goes_on)
        for (TokenId& word : begun) word = end_before(word, writing.target());
    for (std::size_t i = 0; i < begun.size(); ++i)
        answer_.said.push_back(
            {begun[i], log_probability_of(writing.logits_before(Index(begun.size() - i)), begun[i])});
    is_over_ = Index(answer_.said.size()) >= most_;
}

void AnswerWriter::say_next() {
    const Stream& target = writing_.target();
    const std::span<const Real> logits = writing_.logits(0);
    const TokenId next = settings_.sampling ? draw(drawn_from(logits, *settings_.sampling, target.never),
                                                   chance(settings_.seed, Index(answer_.said.size())))
                                            : most_probable(logits, target.never);
    answer_.said.push_back({next, log_probability_of(logits, next)});
    const bool is_full = Index(answer_.said.size()) == most_;
    answer_.has_ended = target.is_end(next) && (is_full || !settings_.goes_on);
    is_over_ = answer_.has_ended || is_full;
    if (is_over_) return;
    const Continuation on[] = {{0, settings_.goes_on ? begin_another(next, target) : next}};
    writing_.go_on(on);
    answer_.costs.push_back(writing_.cost());
}

Answer write_answer(Writing& writing, const AnswerSettings& settings) {
    AnswerWriter writer(writing, settings);
    Index multiplications = 0; // of what it says: whatever it is given has been read
    const auto is_stopped = [&] {
        return (settings.stop && *settings.stop)
               || (settings.most_multiplications > 0 && multiplications >= settings.most_multiplications);
    };
    while (!writer.is_over() && !is_stopped()) {
        writer.say_next();
        if (!writer.is_over()) multiplications += writing.cost().multiplications;
    }
    Answer answer = writer.answer();
    answer.is_cut = !writer.is_over();
    return answer;
}

} // namespace headlight
