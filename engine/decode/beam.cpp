#include "engine/decode/beam.h"

#include "engine/base/check.h"
#include "engine/decode/next_word.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace headlight {

namespace {

struct Candidate {
    Index beginning;
    TokenId word;
    double log_probability, sum;
};

// The most probable continuations of all, the best first; of equals the first beginning and the first word.
std::vector<Candidate> best_candidates(const Writing& writing, std::span<const double> sums, Index count) {
    const std::vector<TokenId>& never = writing.target().never;
    std::vector<Candidate> candidates;
    for (Index b = 0; b < writing.beginnings(); ++b) {
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
                          return a.beginning != b.beginning ? a.beginning < b.beginning : a.word < b.word;
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

BeamTree grow_beams(Model& model, std::span<const TokenId> source, const Beam& beam, Caching caching) {
    HEADLIGHT_CHECK(beam.width >= 1, "a beam of " + std::to_string(beam.width));
    Writing writing(model, source, beam.begun, caching);
    const Stream& target = writing.target();
    const Index most = writing.most_words(beam.most_words);
    BeamTree tree;
    tree.begun = Index(writing.words(0).size());
    std::vector<double> sums{0};
    std::vector<Index> live{-1}; // the branch that each beginning ends in
    const auto score = [&](double sum, Index words) {
        return sum / std::pow(double(words), beam.length_penalty);
    };
    std::vector<double> ended; // scores of answers, the best first, no more than the beam is wide
    // As far as can be told: dividing by more words may still raise what goes on.
    const auto may_win = [&](double sum, Index words) {
        return Index(ended.size()) < beam.width || (!beam.is_hasty && score(sum, words) > ended.back());
    };
    Index multiplications = 0; // of what it says: whatever it is given has been read
    const auto is_stopped = [&] {
        return (beam.stop && *beam.stop)
               || (beam.most_multiplications > 0 && multiplications >= beam.most_multiplications);
    };
    for (Index words = tree.begun + 1; words <= most && !live.empty(); ++words) {
        const bool is_full = words == most, is_last = is_full || is_stopped();
        const std::vector<Candidate> candidates = best_candidates(writing, sums, 2 * beam.width);
        std::vector<Continuation> nexts;
        std::vector<Index> going_on;
        std::vector<double> their_sums;
        for (Index i = 0; i < Index(candidates.size()); ++i) {
            const Candidate& c = candidates[std::size_t(i)];
            const bool ends = target.is_end(c.word) || is_last;
            tree.is_cut = tree.is_cut || (i < beam.width && !is_full && !target.is_end(c.word) && is_last);
            const auto fate = i >= beam.width ? BeamTree::Fate::pruned
                              : ends          ? BeamTree::Fate::ended
                                              : BeamTree::Fate::kept;
            tree.branches.push_back(
                {live[std::size_t(c.beginning)], c.word, c.log_probability, c.sum, words, fate});
            if (fate == BeamTree::Fate::ended) {
                ended.insert(
                    std::upper_bound(ended.begin(), ended.end(), score(c.sum, words), std::greater<>()),
                    score(c.sum, words));
                ended.resize(std::min(ended.size(), std::size_t(beam.width)));
            }
            if (fate != BeamTree::Fate::kept) continue;
            nexts.push_back({c.beginning, c.word});
            going_on.push_back(Index(tree.branches.size()) - 1);
            their_sums.push_back(c.sum);
        }
        tree.steps = words - tree.begun;
        live = std::move(going_on);
        sums = std::move(their_sums);
        if (live.empty() || !may_win(sums.front(), words)) break;
        if (is_full) break;
        writing.go_on(nexts);
        multiplications += writing.cost().multiplications;
    }
    return tree;
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
