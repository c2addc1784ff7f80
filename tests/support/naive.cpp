#include "tests/support/naive.h"

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace headlight::test::naive {

Numbers add(const Numbers& a, const Numbers& b) {
    Numbers y(a.shape);
    for_each_cell(a.shape, [&](Index i, Index r, Index c) {
        y(i, r, c) = a(i, r, c) + b(b.shape.batch == 1 ? 0 : i, r, c);
    });
    return y;
}

Numbers multiply(Numbers x, double factor) {
    for (double& number : x.data) number *= factor;
    return x;
}

Numbers relu(Numbers x) {
    for (double& number : x.data) number = number > 0 ? number : 0;
    return x;
}

Numbers gelu(Numbers x) {
    for (double& number : x.data) number *= 0.5 * std::erfc(-number / std::sqrt(2.0));
    return x;
}

Numbers gelu_tanh(Numbers x) {
    for (double& number : x.data)
        number *=
            0.5
            * (1
               + std::tanh(std::sqrt(2 / std::numbers::pi) * (number + 0.044715 * number * number * number)));
    return x;
}

Numbers sigmoid_gated(Numbers x, double steepness) {
    for (double& number : x.data) number /= 1 + std::exp(-steepness * number);
    return x;
}

Numbers sigmoid(Numbers x) {
    for (double& number : x.data) number = 1 / (1 + std::exp(-number));
    return x;
}

Numbers mean_squared_error(const Numbers& said, const Numbers& wanted) {
    Numbers error({1, 1, 1});
    for (std::size_t i = 0; i < said.data.size(); ++i)
        error.data[0] +=
            (said.data[i] - wanted.data[i]) * (said.data[i] - wanted.data[i]) / double(said.data.size());
    return error;
}

Numbers tanh(Numbers x) {
    for (double& number : x.data) number = std::tanh(number);
    return x;
}

Numbers gate(Numbers a, const Numbers& b) {
    for (std::size_t i = 0; i < a.data.size(); ++i) a.data[i] *= b.data[i];
    return a;
}

Numbers gather(const Numbers& table, const Ids& ids, Index sequences) {
    Numbers y({sequences, Index(ids.size()) / sequences, table.shape.columns});
    for_each_cell(y.shape, [&](Index b, Index t, Index c) {
        y(b, t, c) = table(0, ids[std::size_t(b * y.shape.rows + t)], c);
    });
    return y;
}

Numbers first_rows(const Numbers& table, Index length) {
    Numbers y({1, length, table.shape.columns});
    for_each_cell(y.shape, [&](Index, Index t, Index c) { y(0, t, c) = table(0, t, c); });
    return y;
}

Numbers first_row(const Numbers& x) {
    Numbers y({x.shape.batch, 1, x.shape.columns});
    for_each_cell(y.shape, [&](Index b, Index, Index c) { y(b, 0, c) = x(b, 0, c); });
    return y;
}

Numbers sinusoids_in_halves(Index length, Index d_model) {
    Numbers y({1, length, d_model});
    const Index sines = (d_model + 1) / 2;
    for (Index pos = 0; pos < length; ++pos)
        for (Index j = 0; j < sines; ++j) {
            const double angle = double(pos) / std::pow(10000.0, 2 * double(j) / double(d_model));
            y(0, pos, j) = std::sin(angle);
            if (sines + j < d_model) y(0, pos, sines + j) = std::cos(angle);
        }
    return y;
}

Numbers rotate(const Numbers& x, const std::vector<double>& frequencies) {
    Numbers y(x.shape);
    const Index half = x.shape.columns / 2;
    for_each_cell({x.shape.batch, x.shape.rows, half}, [&](Index b, Index t, Index j) {
        const std::complex<double> turned = std::complex<double>(x(b, t, j), x(b, t, j + half))
                                            * std::polar(1.0, double(t) * frequencies[std::size_t(j)]);
        y(b, t, j) = turned.real();
        y(b, t, j + half) = turned.imag();
    });
    return y;
}

Numbers sinusoidal_positions(Index length, Index d_model) {
    Numbers y({1, length, d_model});
    for (Index pos = 0; pos < length; ++pos)
        for (Index i = 0; 2 * i < d_model; ++i) {
            const double angle = double(pos) / std::pow(10000.0, 2 * double(i) / double(d_model));
            y(0, pos, 2 * i) = std::sin(angle);
            if (2 * i + 1 < d_model) y(0, pos, 2 * i + 1) = std::cos(angle);
        }
    return y;
}

Numbers linear(const Numbers& x, const Numbers& weight, const Numbers& bias) {
    Numbers y({x.shape.batch, x.shape.rows, weight.shape.rows});
    for_each_cell(y.shape, [&](Index b, Index r, Index j) {
        y(b, r, j) = bias.data[std::size_t(j)];
        for (Index c = 0; c < x.shape.columns; ++c) y(b, r, j) += x(b, r, c) * weight(0, j, c);
    });
    return y;
}

Numbers matmul_nt(const Numbers& a, const Numbers& b) {
    Numbers y({a.shape.batch, a.shape.rows, b.shape.rows});
    for_each_cell(y.shape, [&](Index n, Index i, Index j) {
        for (Index c = 0; c < a.shape.columns; ++c) y(n, i, j) += a(n, i, c) * b(n, j, c);
    });
    return y;
}

Numbers matmul(const Numbers& a, const Numbers& b) {
    Numbers y({a.shape.batch, a.shape.rows, b.shape.columns});
    for_each_cell(y.shape, [&](Index n, Index i, Index j) {
        for (Index s = 0; s < a.shape.columns; ++s) y(n, i, j) += a(n, i, s) * b(n, s, j);
    });
    return y;
}

Numbers split_heads(const Numbers& x, Index heads) {
    const Index d_k = x.shape.columns / heads;
    Numbers y({x.shape.batch * heads, x.shape.rows, d_k});
    for (Index n = 0; n < x.shape.batch; ++n)
        for (Index h = 0; h < heads; ++h)
            for (Index t = 0; t < x.shape.rows; ++t)
                for (Index c = 0; c < d_k; ++c) y(n * heads + h, t, c) = x(n, t, h * d_k + c);
    return y;
}

Numbers merge_heads(const Numbers& x, Index heads) {
    const Index d_k = x.shape.columns;
    Numbers y({x.shape.batch / heads, x.shape.rows, heads * d_k});
    for (Index n = 0; n < y.shape.batch; ++n)
        for (Index h = 0; h < heads; ++h)
            for (Index t = 0; t < x.shape.rows; ++t)
                for (Index c = 0; c < d_k; ++c) y(n, t, h * d_k + c) = x(n * heads + h, t, c);
    return y;
}

Numbers attention_mask(const Ids& query_ids, const Ids& key_ids, Index sequences, std::int32_t pad_id,
                       bool look_ahead) {
    Numbers y({sequences, Index(query_ids.size()) / sequences, Index(key_ids.size()) / sequences});
    for_each_cell(y.shape, [&](Index b, Index query, Index key) {
        const bool is_padding = key_ids[std::size_t(b * y.shape.columns + key)] == pad_id;
        const bool is_later = look_ahead && key > query;
        if (is_padding || is_later) y(b, query, key) = -std::numeric_limits<double>::infinity();
    });
    return y;
}

Numbers masked(Numbers scores, const Numbers& mask) {
    const Index heads = scores.shape.batch / mask.shape.batch;
    for_each_cell(scores.shape, [&](Index i, Index r, Index c) { scores(i, r, c) += mask(i / heads, r, c); });
    return scores;
}

Numbers softmax(Numbers x) {
    for (Index b = 0; b < x.shape.batch; ++b)
        for (Index r = 0; r < x.shape.rows; ++r) {
            double total = 0;
            for (Index c = 0; c < x.shape.columns; ++c) total += std::exp(x(b, r, c));
            for (Index c = 0; c < x.shape.columns; ++c)
                x(b, r, c) = total > 0 ? std::exp(x(b, r, c)) / total : 0;
        }
    return x;
}

Numbers layer_norm(Numbers x, const Numbers& gamma, const Numbers& beta, double epsilon) {
    const double d = double(x.shape.columns);
    for (Index b = 0; b < x.shape.batch; ++b)
        for (Index r = 0; r < x.shape.rows; ++r) {
            double mean = 0, variance = 0;
            for (Index c = 0; c < x.shape.columns; ++c) mean += x(b, r, c) / d;
            for (Index c = 0; c < x.shape.columns; ++c) variance += std::pow(x(b, r, c) - mean, 2) / d;
            for (Index c = 0; c < x.shape.columns; ++c)
                x(b, r, c) =
                    (x(b, r, c) - mean) / std::sqrt(variance + epsilon) * gamma(0, 0, c) + beta(0, 0, c);
        }
    return x;
}

Numbers batch_norm(Numbers x, const Numbers& gamma, const Numbers& beta, const Numbers& mean,
                   const Numbers& variance, double epsilon) {
    for (Index b = 0; b < x.shape.batch; ++b)
        for (Index r = 0; r < x.shape.rows; ++r)
            for (Index c = 0; c < x.shape.columns; ++c)
                x(b, r, c) =
                    (x(b, r, c) - mean(0, 0, c)) / std::sqrt(variance(0, 0, c) + epsilon) * gamma(0, 0, c)
                    + beta(0, 0, c);
    return x;
}

Numbers rms_norm(Numbers x, const Numbers& gamma, double epsilon) {
    for (Index b = 0; b < x.shape.batch; ++b)
        for (Index r = 0; r < x.shape.rows; ++r) {
            double squares = 0;
            for (Index c = 0; c < x.shape.columns; ++c) squares += x(b, r, c) * x(b, r, c);
            const double root = std::sqrt(squares / double(x.shape.columns) + epsilon);
            for (Index c = 0; c < x.shape.columns; ++c) x(b, r, c) = x(b, r, c) / root * gamma(0, 0, c);
        }
    return x;
}

double cross_entropy(const Numbers& logits, const Ids& goal, std::int32_t pad_id, double label_smoothing,
                     Index token_count) {
    const Index length = logits.shape.rows, vocabulary = logits.shape.columns;
    const Numbers probabilities = softmax(logits);
    double total = 0;
    Index counted = 0;
    for (Index b = 0; b < logits.shape.batch; ++b)
        for (Index t = 0; t < length; ++t) {
            const Index wanted = goal[std::size_t(b * length + t)];
            if (wanted == pad_id) continue;
            ++counted;
            for (Index v = 0; v < vocabulary; ++v) {
                const double q =
                    (v == wanted ? 1 - label_smoothing : 0) + label_smoothing / double(vocabulary);
                if (q > 0) total -= q * std::log(probabilities(b, t, v));
            }
        }
    if (token_count == 0) token_count = counted > 0 ? counted : 1;
    return total / double(token_count);
}

Numbers edited(Numbers value, const Edit& edit, const Numbers* from) {
    const Region &region = edit.region, &there = edit.from_region;
    if (region.batch >= value.shape.batch || region.row >= value.shape.rows
        || region.column >= value.shape.columns)
        return value;
    const Numbers before = value;
    if (!edit.from.empty() && from == nullptr) from = &before; // from itself
    for_each_cell(value.shape, [&](Index b, Index r, Index c) {
        if ((region.batch >= 0 && region.batch != b) || (region.row >= 0 && region.row != r)
            || (region.column >= 0 && region.column != c))
            return;
        double by = edit.number;
        if (edit.diagonal) {
            Index column = r + *edit.diagonal;
            if (column < 0) column = 0;
            if (column >= value.shape.columns) column = value.shape.columns - 1;
            by = c == column ? 1 : 0;
        } else if (!edit.values.empty()) {
            const Index vb = region.batch >= 0 ? 0 : b, vr = region.row >= 0 ? 0 : r,
                        vc = region.column >= 0 ? 0 : c;
            const Shape& s = edit.values.shape;
            if (vb >= s.batch || vr >= s.rows || vc >= s.columns) return;
            by = edit.values.numbers[std::size_t((vb * s.rows + vr) * s.columns + vc)];
        } else if (from) {
            const Index fb = there.batch >= 0 ? there.batch : b, fr = there.row >= 0 ? there.row : r,
                        fc = there.column >= 0 ? there.column : c;
            const Shape& s = from->shape;
            if (fb >= s.batch || fr >= s.rows || fc >= s.columns) return;
            by = (*from)(fb, fr, fc);
        }
        if (edit.kind == Edit::Kind::replace) value(b, r, c) = by;
        if (edit.kind == Edit::Kind::add) value(b, r, c) += by;
        if (edit.kind == Edit::Kind::scale) value(b, r, c) = by == 0 ? 0 : value(b, r, c) * by;
    });
    return value;
}

double Adam::step(double weight, double gradient, double learning_rate) {
    ++t;
    m = beta1 * m + (1 - beta1) * gradient;
    v = beta2 * v + (1 - beta2) * gradient * gradient;
    const double m_hat = m / (1 - std::pow(beta1, t)), v_hat = v / (1 - std::pow(beta2, t));
    return weight - learning_rate * m_hat / (std::sqrt(v_hat) + epsilon);
}

} // namespace headlight::test::naive
