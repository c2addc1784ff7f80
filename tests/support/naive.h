// Every operation a second time, as plain loops in double: what the engine's values must be.
#pragma once

#include "engine/graph/edits.h"
#include "tests/support/numbers.h"

#include <cstdint>
#include <vector>

namespace headlight::test::naive {

using Ids = std::vector<std::int32_t>; // sequences one under another

Numbers add(const Numbers& a, const Numbers& b);
Numbers multiply(Numbers x, double factor);
Numbers relu(Numbers x);
Numbers gelu(Numbers x);
Numbers gelu_tanh(Numbers x);
Numbers sigmoid_gated(Numbers x, double steepness); // x σ(steepness · x)
Numbers tanh(Numbers x);
Numbers sigmoid(Numbers x);
Numbers mean_squared_error(const Numbers& said, const Numbers& wanted);
Numbers gate(Numbers a, const Numbers& b);

Numbers gather(const Numbers& table, const Ids& ids, Index sequences);
Numbers first_rows(const Numbers& table, Index length);
Numbers first_row(const Numbers& x);
Numbers sinusoidal_positions(Index length, Index d_model);
Numbers sinusoids_in_halves(Index length, Index d_model);
// Each pair (x_j, x_{j+d/2}) as a complex number times e^(i·t·f_j).
Numbers rotate(const Numbers& x, const std::vector<double>& frequencies);

Numbers linear(const Numbers& x, const Numbers& weight, const Numbers& bias);
Numbers matmul_nt(const Numbers& a, const Numbers& b);
Numbers matmul(const Numbers& a, const Numbers& b);

Numbers split_heads(const Numbers& x, Index heads);
Numbers merge_heads(const Numbers& x, Index heads);

Numbers attention_mask(const Ids& query_ids, const Ids& key_ids, Index sequences, std::int32_t pad_id,
                       bool look_ahead);
Numbers masked(Numbers scores, const Numbers& mask);
Numbers softmax(Numbers x);

Numbers layer_norm(Numbers x, const Numbers& gamma, const Numbers& beta, double epsilon);
// By a mean and a variance of each column that were kept.
Numbers batch_norm(Numbers x, const Numbers& gamma, const Numbers& beta, const Numbers& mean,
                   const Numbers& variance, double epsilon);
Numbers rms_norm(Numbers x, const Numbers& gamma, double epsilon);
double cross_entropy(const Numbers& logits, const Ids& goal, std::int32_t pad_id, double label_smoothing,
                     Index token_count = 0);

Numbers edited(Numbers value, const Edit& edit, const Numbers* from = nullptr);

// Kingma & Ba 2015, Algorithm 1, one weight.
struct Adam {
    double beta1, beta2, epsilon;
    double m = 0, v = 0;
    int t = 0;

    double step(double weight, double gradient, double learning_rate);
};

} // namespace headlight::test::naive
