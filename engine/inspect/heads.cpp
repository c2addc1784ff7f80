#include "engine/inspect/heads.h"

#include "engine/base/check.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// One row of a pattern: the weights of a query over the keys.
using Shares = std::span<const double>;

double entropy_of(Shares row) {
    double bits = 0;
    for (const double p : row)
        if (p > 0) bits -= p * std::log2(p);
    return bits;
}

struct Place {
    Index query, queries;
    std::span<const std::string> query_words, key_words;
    bool one_sentence; // queries and keys are positions of the same sentence
};

using Share = std::optional<double>;

Share on(Shares row, Index key) {
    return key >= 0 && key < Index(row.size()) ? Share(row[std::size_t(key)]) : std::nullopt;
}

Share on_same_word(Shares row, const Place& place) {
    Share total;
    for (std::size_t key = 0; key < row.size(); ++key) {
        const bool itself = place.one_sentence && Index(key) == place.query;
        if (itself || place.key_words[key] != place.query_words[std::size_t(place.query)]) continue;
        total = total.value_or(0) + row[key];
    }
    return total;
}

// Corners are joined: the first query looks at the first key, the last at the last.
Share near_diagonal(Shares row, const Place& place) {
    if (place.queries < 2 || row.size() < 2) return std::nullopt;
    const double line = double(place.query) * double(row.size() - 1) / double(place.queries - 1);
    double total = 0;
    for (std::size_t key = 0; key < row.size(); ++key)
        if (std::abs(double(key) - line) <= 1) total += row[key];
    return total;
}

Share measured(HeadMeasure measure, Shares row, const Place& place) {
    switch (measure) {
    case HeadMeasure::self:
        return place.one_sentence ? on(row, place.query) : std::nullopt;
    case HeadMeasure::previous:
        return place.one_sentence ? on(row, place.query - 1) : std::nullopt;
    case HeadMeasure::next:
        return place.one_sentence ? on(row, place.query + 1) : std::nullopt;
    case HeadMeasure::first:
        return on(row, 0);
    case HeadMeasure::same_word:
        return on_same_word(row, place);
    case HeadMeasure::diagonal: // within a sentence it is the three above
        return place.one_sentence ? std::nullopt : near_diagonal(row, place);
    case HeadMeasure::count:
        break;
    }
    return std::nullopt;
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

MeasuredHead measure(const Tensor& weights, const Tensor& masked, Index head, Place place) {
    MeasuredHead result;
    Mean values[head_measures], uniforms[head_measures];
    for (place.query = 0; place.query < place.queries; ++place.query) {
        const std::vector<double> row = row_of(weights, head, place.query),
                                  uniform = uniform_row(masked, head, place.query);
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
            values[m].add(measured(HeadMeasure(m), row, place));
            uniforms[m].add(measured(HeadMeasure(m), uniform, place));
        }
    }
    if (result.rows > 0) {
        result.entropy /= double(result.rows);
        result.uniform_entropy /= double(result.rows);
    }
    for (std::size_t m = 0; m < head_measures; ++m) {
        result.value[m] = values[m].value();
        result.uniform[m] = uniforms[m].value();
    }
    return result;
}

} // namespace

std::string name_of(HeadMeasure measure) {
    static const char* const names[head_measures] = {"self",  "previous",  "next",
                                                     "first", "same_word", "diagonal"};
    return names[std::size_t(measure)];
}

std::optional<HeadMeasure> MeasuredHead::strongest(double threshold) const {
    std::optional<HeadMeasure> best;
    double highest = threshold;
    for (std::size_t m = 0; m < head_measures; ++m) {
        if (!value[m] || !uniform[m] || *uniform[m] >= 1) continue;
        const double above = (*value[m] - *uniform[m]) / (1 - *uniform[m]);
        if (above < highest) continue;
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
    std::vector<MeasuredHead> heads;
    for (Index head = 0; head < shape.batch; ++head)
        heads.push_back(measure(weights, scores, head, {0, shape.rows, queries, keys, attention.is_self()}));
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

} // namespace headlight
