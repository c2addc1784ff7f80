#include "engine/decode/beam.h"

#include "engine/base/check.h"
#include "engine/decode/writing.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace headlight {

namespace {

struct Candidate {
    Index prefix;
    TokenId word;
    double log_probability, sum;
};

// The most probable continuations of all, the best first; of equals the first beginning and the first word.
std::vector<Candidate> best_candidates(const Writing& writing, std::span<const double> sums, Index count) {
    const std::vector<TokenId>& never = writing.target().never;
    std::vector<Candidate> candidates;
    for (Index b = 0; b < writing.prefixes(); ++b) {
        const std::span<const Real> row = writing.logits(b);
        const double total = log_sum_exp(row);
        for (TokenId word = 0; word < TokenId(row.size()); ++word) {
            if (std::find(never.begin(), never.end(), word) != never.end()) continue;
            const double p = double(row[std::size_t(word)]) - total;
            candidates.push_back({b, word, p, sums[std::size_t(b)] + p});
        }
    }
    const auto best = std::min(candidates.size(), std::size_t(count));
    std::partial_sort(candidates.begin(), candidates.begin() + std::ptrdiff_t(best), candidates.end(),
                      [](const Candidate& a, const Candidate& b) {
                          if (a.sum != b.sum) return a.sum > b.sum;
                          return a.prefix != b.prefix ? a.prefix < b.prefix : a.word < b.word;
                      });
    candidates.resize(best);
    return candidates;
}

} // namespace

double BeamTree::score(Index branch, double length_penalty) const {
    const Branch& b = branches[std::size_t(branch)];
    return b.sum / std::pow(double(b.words), length_penalty);
}

std::vector<Index> BeamTree::answers(double length_penalty) const {
    std::vector<Index> answers;
    for (Index b = 0; b < Index(branches.size()); ++b)
        if (branches[std::size_t(b)].fate == Fate::ended) answers.push_back(b);
    std::stable_sort(answers.begin(), answers.end(),
                     [&](Index a, Index b) { return score(a, length_penalty) > score(b, length_penalty); });
    return answers;
}

std::vector<Index> BeamTree::path(Index branch) const {
    std::vector<Index> path;
    for (; branch >= 0; branch = branches[std::size_t(branch)].parent) path.push_back(branch);
    std::reverse(path.begin(), path.end());
    return path;
}

BeamSearch::BeamSearch(Writing& writing, const Beam& beam)
    : writing_(writing), beam_(beam), most_(writing.most_words(beam.most_words)) {
    HEADLIGHT_CHECK(beam.width >= 1, "a beam of " + std::to_string(beam.width));
    tree_.begun = Index(writing.words(0).size());
    is_over_ = tree_.begun >= most_;
}

void BeamSearch::end(double score) {
    ended_.insert(std::upper_bound(ended_.begin(), ended_.end(), score, std::greater<>()), score);
    ended_.resize(std::min(ended_.size(), std::size_t(beam_.width)));
}

// As far as can be told: dividing by more words may still raise what goes on.
bool BeamSearch::may_win(double score) const {
    return Index(ended_.size()) < beam_.width || (!beam_.is_hasty && score > ended_.back());
}

void BeamSearch::look(bool is_last) {
    const Stream& target = writing_.target();
    const Index words = tree_.begun + tree_.steps + 1;
    const bool is_full = words == most_;
    const auto score = [&](double sum) { return sum / std::pow(double(words), beam_.length_penalty); };
    const std::vector<Candidate> candidates = best_candidates(writing_, sums_, 2 * beam_.width);
    std::vector<Continuation> nexts;
    std::vector<Index> going_on;
    std::vector<double> their_sums;
    for (Index i = 0; i < Index(candidates.size()); ++i) {
        const Candidate& c = candidates[std::size_t(i)];
        const bool is_end = target.is_end(c.word), ends = is_end || is_full || is_last;
        tree_.is_cut = tree_.is_cut || (i < beam_.width && !is_full && !is_end && is_last);
        const auto fate = i >= beam_.width ? BeamTree::Fate::pruned
                          : ends           ? BeamTree::Fate::ended
                                           : BeamTree::Fate::kept;
        tree_.branches.push_back(
            {live_[std::size_t(c.prefix)], c.word, c.log_probability, c.sum, words, fate});
        if (fate == BeamTree::Fate::ended) end(score(c.sum));
        if (fate != BeamTree::Fate::kept) continue;
        nexts.push_back({c.prefix, c.word});
        going_on.push_back(Index(tree_.branches.size()) - 1);
        their_sums.push_back(c.sum);
    }
    ++tree_.steps;
    live_ = std::move(going_on);
    sums_ = std::move(their_sums);
    is_over_ = is_full || live_.empty() || !may_win(score(sums_.front()));
    if (is_over_) return;
    writing_.go_on(nexts);
    multiplications_ += writing_.cost().multiplications;
}

BeamTree grow_beams(Model& model, std::span<const TokenId> source, const Beam& beam, Caching caching) {
    Writing writing(model, source, beam.begun, caching);
    BeamSearch search(writing, beam);
    while (!search.is_over()) {
        const bool is_enough =
            beam.most_multiplications > 0 && search.multiplications() >= beam.most_multiplications;
        if (is_enough || (beam.stop && *beam.stop))
            search.stop();
        else
            search.look_further();
    }
    return search.tree();
}

std::vector<TokenId> words_of(const BeamTree& tree, Index branch, const Stream& target) {
    std::vector<TokenId> words;
    for (const Index b : tree.path(branch)) words.push_back(tree.branches[std::size_t(b)].word);
    if (!words.empty() && target.is_end(words.back())) words.pop_back();
    return words;
}

std::vector<TokenId> beam_search(Model& model, std::span<const TokenId> source, const Beam& beam) {
    const BeamTree tree = grow_beams(model, source, beam);
    std::vector<TokenId> words(beam.begun.begin(), beam.begun.begin() + tree.begun);
    const std::vector<Index> answers = tree.answers(beam.length_penalty);
    if (answers.empty()) return words; // it began with all that has room
    const std::vector<TokenId> more = words_of(tree, answers.front(), *model.map.target());
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

std::vector<TokenId> beam_search(Model& model, std::span<const TokenId> source, Index width) {
    return beam_search(model, source, {.width = width});
}

} // namespace headlight
