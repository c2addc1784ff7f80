#include "engine/decode/answer.h"

namespace headlight {

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

Answer write_answer(Writing& writing, const AnswerSettings& settings) {
    const Stream& target = writing.target();
    const Index most = writing.most_words(settings.most_words);
    Answer answer;
    answer.costs.push_back(writing.cost());
    // What it begins with was fed at once: each of its words is judged where it was to be said.
    const std::vector<TokenId> begun = writing.words(0);
    for (std::size_t i = 0; i < begun.size(); ++i)
        answer.said.push_back(
            {begun[i], log_probability_of(writing.logits_before(Index(begun.size() - i)), begun[i])});
    while (Index(answer.said.size()) < most) {
        const std::span<const Real> logits = writing.logits(0);
        const TokenId next = settings.sampling ? draw(drawn_from(logits, *settings.sampling, target.never),
                                                      chance(settings.seed, Index(answer.said.size())))
                                               : most_probable(logits, target.never);
        answer.said.push_back({next, log_probability_of(logits, next)});
        answer.has_ended = target.is_end(next);
        if (answer.has_ended || Index(answer.said.size()) == most) break;
        const Continuation on[] = {{0, next}};
        writing.go_on(on);
        answer.costs.push_back(writing.cost());
    }
    return answer;
}

} // namespace headlight
