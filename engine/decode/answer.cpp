#include "engine/decode/answer.h"
#include "engine/decode/writing.h"
#include "engine/ops/leaves.h"

#include <algorithm>
#include <cmath>

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

std::vector<TokenId> as_given(const ModelMap& map, std::vector<TokenId> words) {
    return map.source() ? map.source()->around(std::move(words)) : words;
}

std::vector<TokenId> greedy_decode(Model& model, std::span<const TokenId> source, Index most_words) {
    if (model.map.target() && !beginning(model.map, source).empty()) {
        Writing writing(model, source);
        std::vector<TokenId> words = write_answer(writing, {.most_words = most_words}).words();
        writing.leave(words);
        return words;
    }
    for (const Stream& stream : model.map.streams)
        if (!stream.is_written) feed(stream.tokens, source, 1, Index(source.size()));
    model.graph.forward(0, model.end_of_output());
    return {};
}

std::vector<TokenId> most_probable_answer(Model& model, std::span<const TokenId> source) {
    const Output& output = model.map.output;
    if (model.map.target()) return greedy_decode(model, source);
    for (const Stream& stream : model.map.streams) feed(stream.tokens, source, 1, Index(source.size()));
    model.graph.forward(0, model.end_of_output());
    const Tensor& logits = output.values->value;
    const bool ends = output.meaning == Output::Meaning::words;
    std::vector<TokenId> said;
    for (Index t = 0; t < logits.rows() - (ends ? 1 : 0); ++t) {
        const Real* row = logits.row(0, t);
        said.push_back(TokenId(std::max_element(row, row + logits.columns()) - row));
    }
    return said;
}

namespace {

constexpr std::size_t first_wrong = 1; // place: the first word is right

// What the model would say at each place of an answer if it had to say something else.
std::vector<TokenId> most_probable_mistakes(const Writing& writing, std::span<const TokenId> right) {
    std::vector<TokenId> mistakes;
    std::vector<TokenId> never = writing.target().never;
    never.insert(never.end(), writing.target().ends.begin(), writing.target().ends.end());
    never.push_back(0);
    for (std::size_t t = 0; t < right.size(); ++t) {
        never.back() = right[t];
        mistakes.push_back(most_probable(writing.logits_before(Index(right.size() - t)), never));
    }
    return mistakes;
}

std::vector<TokenId> with_end(std::span<const TokenId> words, const Stream& target) {
    std::vector<TokenId> wanted(words.begin(), words.end());
    if (!target.ends.empty()) wanted.push_back(target.ends.front());
    return wanted;
}

std::vector<ForcedWord> judge(const Writing& writing, std::span<const TokenId> wanted) {
    std::vector<ForcedWord> judged;
    for (std::size_t t = 0; t < wanted.size(); ++t) {
        const auto logits = writing.logits_before(Index(writing.words(0).size() - t));
        const TokenId said = most_probable(logits, writing.target().never);
        judged.push_back(
            {wanted[t], log_probability_of(logits, wanted[t]), said, log_probability_of(logits, said)});
    }
    return judged;
}

} // namespace

std::vector<ForcedWord> judge_words(Model& model, std::span<const TokenId> source,
                                    std::span<const TokenId> fed, std::span<const TokenId> wanted) {
    return judge(Writing(model, source, fed), wanted);
}

std::vector<ForcedWord> judge_words(Model& model, std::span<const TokenId> source,
                                    std::span<const TokenId> words) {
    const Writing writing(model, source, words);
    return judge(writing, with_end(words, writing.target()));
}

void SpreadOfErrors::add(Model& model, std::span<const TokenId> source, std::span<const TokenId> right) {
    if (right.size() < first_wrong + most_wrong + 1) return;
    std::vector<TokenId> fed(right.begin(), right.end());
    Writing writing(model, source, fed);
    const std::vector<TokenId> mistakes = most_probable_mistakes(writing, right);
    const std::vector<TokenId> wanted = with_end(right, writing.target());
    ++sentences_;
    for (Index wrong = 0; wrong <= most_wrong; ++wrong) {
        const std::size_t last = first_wrong + std::size_t(wrong); // behind the wrong ones
        if (wrong > 0) fed[last - 1] = mistakes[last - 1];
        const std::vector<ForcedWord> judged =
            wrong == 0 ? judge(writing, wanted) : judge_words(model, source, fed, wanted);
        for (std::size_t after = 0; after < most_after && last + after < judged.size(); ++after) {
            Mean& mean = means_[std::size_t(wrong)][after];
            mean.sum += std::exp(judged[last + after].log_probability);
            ++mean.count;
        }
    }
}

std::optional<double> SpreadOfErrors::probability(Index wrong, Index after) const {
    const Mean& mean = means_[std::size_t(wrong)][std::size_t(after - 1)];
    if (mean.count == 0) return {};
    return mean.sum / double(mean.count);
}

} // namespace headlight
