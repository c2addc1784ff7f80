#include "engine/decode/forced.h"

#include "engine/decode/next_word.h"

#include <algorithm>
#include <cmath>

namespace headlight {

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
