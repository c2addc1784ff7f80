#include "engine/inspect/heads.h"
#include "engine/base/check.h"
#include "engine/ops/leaves.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace headlight {

namespace {

// Corners are joined: the first query looks at the first key, the last at the last.
bool is_near_diagonal(Index query, Index key, const PatternWords& words) {
    const double queries = double(words.queries.size()), keys = double(words.keys.size());
    if (queries < 2 || keys < 2) return false;
    return std::abs(double(key) - double(query) * (keys - 1) / (queries - 1)) <= 1;
}

} // namespace

std::string name_of(HeadMeasure measure) {
    static const char* const names[head_measures] = {"self",      "previous",  "next",      "first",
                                                     "duplicate", "same_word", "induction", "diagonal"};
    return names[std::size_t(measure)];
}

bool is_in_pattern(HeadMeasure measure, Index query, Index key, const PatternWords& words) {
    const Index word = words.queries[std::size_t(query)];
    const auto holds = [&](Index place) { return words.keys[std::size_t(place)] == word; };
    switch (measure) {
    case HeadMeasure::self:
        return words.one_sentence && key == query;
    case HeadMeasure::previous:
        return words.one_sentence && key == query - 1;
    case HeadMeasure::next:
        return words.one_sentence && key == query + 1;
    case HeadMeasure::first:
        return key == 0;
    case HeadMeasure::duplicate:
        return words.one_sentence && key < query && holds(key);
    case HeadMeasure::same_word:
        return holds(key) && !(words.one_sentence && key == query);
    case HeadMeasure::induction:
        return words.one_sentence && key >= 1 && key <= query && holds(key - 1);
    case HeadMeasure::diagonal: // within a sentence it is self, previous and next
        return !words.one_sentence && is_near_diagonal(query, key, words);
    case HeadMeasure::count:
        break;
    }
    return false;
}

namespace {

// One row of a pattern: the weights of a query over the keys.
using Shares = std::span<const double>;

double entropy_of(Shares row) {
    double bits = 0;
    for (const double p : row)
        if (p > 0) bits -= p * std::log2(p);
    return bits;
}

using Share = std::optional<double>;

// What of a row lies on the pattern; none where it has no such keys.
Share measured(HeadMeasure measure, Shares row, Index query, const PatternWords& words) {
    Share total;
    for (std::size_t key = 0; key < row.size(); ++key)
        if (is_in_pattern(measure, query, Index(key), words)) total = total.value_or(0) + row[key];
    return total;
}

// Equal words have equal numbers.
std::vector<Index> numbered(std::span<const std::string> words, std::map<std::string, Index>& known) {
    std::vector<Index> numbers;
    for (const std::string& word : words)
        numbers.push_back(known.emplace(word, Index(known.size())).first->second);
    return numbers;
}

// The mean over the rows that have a share at all.
struct Mean {
    double total = 0;
    Index rows = 0;

    void add(Share share) {
        if (!share) return;
        total += *share;
        ++rows;
    }
    Share value() const { return rows > 0 ? Share(total / double(rows)) : std::nullopt; }
};

std::vector<double> row_of(const Tensor& tensor, Index head, Index query) {
    const Real* first = tensor.row(head, query);
    return {first, first + tensor.columns()};
}

// What a head would have that looks at every allowed key alike; nothing when none is.
std::vector<double> uniform_row(const Tensor& masked, Index head, Index query) {
    std::vector<double> row = row_of(masked, head, query);
    const double allowed = double(std::count_if(
        row.begin(), row.end(), [](double score) { return !(std::isinf(score) && score < 0); }));
    for (double& x : row) x = std::isinf(x) && x < 0 ? 0 : 1 / allowed;
    return row;
}

MeasuredHead measure(const Tensor& weights, const Tensor& masked, Index head, const PatternWords& words) {
    MeasuredHead result;
    Mean values[head_measures], uniforms[head_measures];
    for (Index query = 0; query < weights.rows(); ++query) {
        const std::vector<double> row = row_of(weights, head, query),
                                  uniform = uniform_row(masked, head, query);
        const double total = entropy_of(row), sum = [&] {
            double all = 0;
            for (const double p : row) all += p;
            return all;
        }();
        if (!std::isfinite(sum) || sum <= 0) continue;
        ++result.rows;
        result.entropy += total;
        result.uniform_entropy += entropy_of(uniform);
        for (std::size_t m = 0; m < head_measures; ++m) {
            values[m].add(measured(HeadMeasure(m), row, query, words));
            uniforms[m].add(measured(HeadMeasure(m), uniform, query, words));
        }
    }
    if (result.rows > 0) {
        result.entropy /= double(result.rows);
        result.uniform_entropy /= double(result.rows);
    }
    for (std::size_t m = 0; m < head_measures; ++m) {
        // What a mask forbids, as it does the word after in a causal head, is no measure of it.
        if (uniforms[m].value().value_or(0) == 0) continue;
        result.value[m] = values[m].value();
        result.uniform[m] = uniforms[m].value();
        result.queries[m] = values[m].rows;
    }
    return result;
}

} // namespace

bool is_of_repeated_words(HeadMeasure measure) {
    return measure == HeadMeasure::duplicate || measure == HeadMeasure::induction
           || measure == HeadMeasure::same_word;
}

std::optional<HeadMeasure> MeasuredHead::strongest(double threshold) const {
    std::optional<HeadMeasure> best;
    double highest = threshold;
    for (std::size_t m = 0; m < head_measures; ++m) {
        if (!value[m] || !uniform[m] || *uniform[m] >= 1) continue;
        const double above = (*value[m] - *uniform[m]) / (1 - *uniform[m]);
        // What is said of few words alone gives way to what is said of all.
        const bool of_few = is_of_repeated_words(HeadMeasure(m));
        if (of_few && queries[m] < fewest_queries) continue; // one word says nothing of a head
        if (above < highest || (of_few && best && above == highest)) continue;
        highest = above;
        best = HeadMeasure(m);
    }
    return best;
}

std::string MeasuredHead::label() const {
    if (const std::optional<HeadMeasure> best = strongest()) return "heads." + name_of(*best);
    return is_spread() ? "heads.spread" : "heads.mixed";
}

std::vector<MeasuredHead> measure_heads(const Attention& attention, std::span<const std::string> queries,
                                        std::span<const std::string> keys) {
    const Tensor &weights = attention.weights->value, &scores = attention.before_softmax().value;
    const Shape& shape = weights.shape();
    HEADLIGHT_CHECK(shape.rows == Index(queries.size()) && shape.columns == Index(keys.size()),
                    attention.path + ": words do not fit " + to_string(shape));
    std::map<std::string, Index> known;
    const PatternWords words{numbered(queries, known), numbered(keys, known), attention.is_self()};
    std::vector<MeasuredHead> heads;
    for (Index head = 0; head < shape.batch; ++head) heads.push_back(measure(weights, scores, head, words));
    return heads;
}

KeptTensor mean_of_heads(const Tensor& weights) {
    KeptTensor mean({1, weights.rows(), weights.columns()});
    for (std::size_t i = 0; i < mean.numbers.size(); ++i) {
        double total = 0;
        for (Index head = 0; head < weights.batch(); ++head) total += double(weights.matrix(head)[i]);
        mean.numbers[i] = Real(total / double(weights.batch()));
    }
    return mean;
}

KeptTensor maximum_of_heads(const Tensor& weights) {
    KeptTensor maximum({1, weights.rows(), weights.columns()});
    for (std::size_t i = 0; i < maximum.numbers.size(); ++i) {
        Real largest = weights.matrix(0)[i];
        for (Index head = 1; head < weights.batch(); ++head)
            largest = std::max(largest, weights.matrix(head)[i]);
        maximum.numbers[i] = largest;
    }
    return maximum;
}

KeptTensor attention_rollout(std::span<const Tensor> weights) {
    HEADLIGHT_CHECK(!weights.empty(), "a roll-out over no layers");
    const Index n = weights.front().rows();
    std::vector<double> rolled(std::size_t(n * n), 0); // in double: many layers multiply
    for (Index i = 0; i < n; ++i) rolled[std::size_t(i * n + i)] = 1;
    for (const Tensor& layer : weights) {
        HEADLIGHT_CHECK(layer.rows() == n && layer.columns() == n, "a roll-out needs self-attention");
        const KeptTensor mean = mean_of_heads(layer);
        std::vector<double> next(rolled.size(), 0);
        for (Index i = 0; i < n; ++i) {
            double sum = 0;
            for (Index k = 0; k < n; ++k) sum += 0.5 * double(mean(0, i, k)) + (i == k ? 0.5 : 0);
            for (Index k = 0; k < n; ++k) {
                const double share = (0.5 * double(mean(0, i, k)) + (i == k ? 0.5 : 0)) / sum;
                for (Index j = 0; j < n; ++j)
                    next[std::size_t(i * n + j)] += share * rolled[std::size_t(k * n + j)];
            }
        }
        rolled = std::move(next);
    }
    KeptTensor result({1, n, n});
    std::copy(rolled.begin(), rolled.end(), result.numbers.begin());
    return result;
}

std::vector<double> watch_silenced_words(Model& model, std::span<const TokenId> fed, TokenId pad,
                                         const SweepTarget& target, SweepMeasure measure) {
    HEADLIGHT_CHECK(model.map.streams.size() == 1, "words are silenced in a model of one stream");
    const auto watch = [&](const std::vector<TokenId>& ids) {
        feed(model.map.streams.front().tokens, ids, 1, Index(ids.size()));
        model.graph.forward(0, model.end_of_output());
        return watched(model, target.row, target.word, measure);
    };
    std::vector<TokenId> ids(fed.begin(), fed.end());
    std::vector<double> probabilities;
    for (TokenId& id : ids) {
        const TokenId spoken = std::exchange(id, pad);
        probabilities.push_back(watch(ids));
        id = spoken;
    }
    watch(ids);
    return probabilities;
}

} // namespace headlight
