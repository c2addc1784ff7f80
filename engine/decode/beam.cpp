#include "engine/decode/beam.h"

#include "engine/base/check.h"
#include "engine/decode/greedy.h"
#include "engine/ops/leaves.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

namespace {

struct Hypothesis {
    std::vector<TokenId> fed; // <s> and the words so far
    double log_probability = 0;
};

struct Candidate {
    Index hypothesis;
    TokenId word;
    double log_probability; // of the whole beginning
};

// log Σ exp(logits) of one row.
double log_sum_exp(const Real* row, Index columns) {
    const double greatest = *std::max_element(row, row + columns);
    double sum = 0;
    for (Index c = 0; c < columns; ++c) sum += std::exp(double(row[c]) - greatest);
    return greatest + std::log(sum);
}

// The `width` most probable continuations of all; of equals, the first hypothesis and the first word.
std::vector<Candidate> best_candidates(const Tensor& logits, const std::vector<Hypothesis>& live, Index width,
                                       const std::vector<TokenId>& never) {
    std::vector<Candidate> candidates;
    for (Index h = 0; h < Index(live.size()); ++h) {
        const Hypothesis& hypothesis = live[std::size_t(h)];
        const Real* row = logits.row(h, Index(hypothesis.fed.size()) - 1);
        const double total = log_sum_exp(row, logits.columns());
        for (Index c = 0; c < logits.columns(); ++c)
            if (std::find(never.begin(), never.end(), TokenId(c)) == never.end())
                candidates.push_back({h, TokenId(c), hypothesis.log_probability + double(row[c]) - total});
    }
    const auto count = std::min(candidates.size(), std::size_t(width));
    std::partial_sort(candidates.begin(), candidates.begin() + std::ptrdiff_t(count), candidates.end(),
                      [](const Candidate& a, const Candidate& b) {
                          if (a.log_probability != b.log_probability)
                              return a.log_probability > b.log_probability;
                          return a.hypothesis != b.hypothesis ? a.hypothesis < b.hypothesis : a.word < b.word;
                      });
    candidates.resize(count);
    return candidates;
}

// One row of the batch for each hypothesis; rows to spare repeat the first, so that the encoder's values, of
// `width` equal rows, serve every pass.
void feed_hypotheses(Model& model, const std::vector<Hypothesis>& live, Index width) {
    const Index length = Index(live.front().fed.size());
    std::vector<TokenId> ids;
    for (Index h = 0; h < width; ++h) {
        const auto& fed = live[h < Index(live.size()) ? std::size_t(h) : 0].fed;
        ids.insert(ids.end(), fed.begin(), fed.end());
    }
    feed(model.map.target()->tokens, ids, width, length);
}

} // namespace

std::vector<TokenId> beam_search(Model& model, std::span<const TokenId> source, Index width) {
    HEADLIGHT_CHECK(width >= 1, "a beam of " + std::to_string(width));
    if (const Stream* read = model.map.source()) {
        std::vector<TokenId> sources;
        for (Index h = 0; h < width; ++h) sources.insert(sources.end(), source.begin(), source.end());
        feed(read->tokens, sources, width, Index(source.size()));
    }
    const Stream& target = *model.map.target();
    std::vector<Hypothesis> live{{beginning(model.map, source), 0}};
    const std::size_t begun = live.front().fed.size();
    // A continuation may say one word more than it feeds.
    const Index room = model.map.source() ? target.max_words() : target.max_length - Index(begun) + 1;
    const Index most = target.usual_words > 0 ? std::min(room, target.usual_words) : room;
    Hypothesis best = live.front(); // of those that have ended
    double best_score = -std::numeric_limits<double>::infinity();
    Index ended = 0;
    const auto end = [&](const Hypothesis& hypothesis, Index words) {
        ++ended;
        const double score = hypothesis.log_probability / double(words);
        if (score > best_score) best = hypothesis, best_score = score;
    };
    for (Index words = 1, first = 0; words <= most && !live.empty() && ended < width; ++words) {
        feed_hypotheses(model, live, width);
        model.graph.forward(first, model.end_of_output());
        first = target.tokens->index;
        std::vector<Hypothesis> next;
        for (const Candidate& candidate :
             best_candidates(model.map.output.values->value, live, width, target.never)) {
            Hypothesis hypothesis{live[std::size_t(candidate.hypothesis)].fed, candidate.log_probability};
            if (!target.is_end(candidate.word)) hypothesis.fed.push_back(candidate.word);
            if (target.is_end(candidate.word) || words == most)
                end(hypothesis, words); // words said, the one just chosen included
            else
                next.push_back(std::move(hypothesis));
        }
        live = std::move(next);
    }
    return {best.fed.begin() + std::ptrdiff_t(begun), best.fed.end()};
}

} // namespace headlight
