#include "engine/inspect/counted.h"

#include <cmath>

namespace headlight {

namespace {

constexpr CountedModel models[] = {
    {.name = "transformer",
     .encoder_layers = 6,
     .decoder_layers = 6,
     .d_model = 512,
     .heads = 8,
     .d_ff = 2048,
     .key_heads = 8,
     .d_k = 64,
     .vocabulary = 37'000},
    {.name = "gpt2",
     .decoder_layers = 12,
     .d_model = 768,
     .heads = 12,
     .d_ff = 3072,
     .key_heads = 12,
     .d_k = 64,
     .vocabulary = 50'257,
     .positions = 1024,
     .longest = 1024,
     .has_final_norm = true},
    {.name = "llama",
     .decoder_layers = 16,
     .d_model = 2048,
     .heads = 32,
     .d_ff = 8192,
     .key_heads = 8,
     .d_k = 64,
     .vocabulary = 128'256,
     .longest = 131'072,
     .is_gated = true,
     .is_biased = false,
     .has_final_norm = true},
};

Index layers_of(const CountedModel& model) { return model.encoder_layers + model.decoder_layers; }

// A decoder beside an encoder attends twice in each layer.
Index attentions_of(const CountedModel& model) {
    return layers_of(model) + (model.encoder_layers > 0 ? model.decoder_layers : 0);
}

Index parameters_of(const CountedModel& m) {
    const Index d = m.d_model, queries = m.heads * m.d_k, keys = m.key_heads * m.d_k, bias = m.is_biased;
    const Index norm = d * (1 + bias);
    const Index attention = 2 * d * queries + 2 * d * keys + bias * (queries + 2 * keys + d);
    const Index gated = m.is_gated;
    const Index feed_forward = (2 + gated) * d * m.d_ff + bias * ((1 + gated) * m.d_ff + d);
    const Index stacks = (m.encoder_layers > 0) + (m.decoder_layers > 0);
    return (m.vocabulary + m.positions) * d + attentions_of(m) * (attention + norm)
           + layers_of(m) * (feed_forward + norm) + m.has_final_norm * stacks * norm;
}

// Multiplications a position, and a pair of positions.
Index projections_of(const CountedModel& m) {
    return attentions_of(m) * 2 * m.d_model * (m.heads + m.key_heads) * m.d_k;
}
Index mixing_of(const CountedModel& m) { return attentions_of(m) * 2 * m.heads * m.d_k; }
Index feed_forward_of(const CountedModel& m) {
    return layers_of(m) * (2 + Index(m.is_gated)) * m.d_model * m.d_ff;
}

} // namespace

Index counted_multiplications(CostPart part, Index n, Index d) {
    switch (part) {
    case CostPart::attention:
        return 4 * n * d * d + 2 * n * n * d;
    case CostPart::feed_forward:
    case CostPart::lstm: // four gates, of what comes and of what was
        return 8 * n * d * d;
    case CostPart::rnn:
        return 2 * n * d * d;
    case CostPart::gru:
        return 6 * n * d * d;
    }
    return 0;
}

std::span<const CountedModel> counted_models() { return models; }

ModelCost cost_of(const CountedModel& model, Index length) {
    constexpr Index bytes = 4; // of a number
    ModelCost cost;
    cost.parameters = parameters_of(model);
    cost.projections = projections_of(model) * length;
    cost.mixing = mixing_of(model) * length * length;
    cost.feed_forward = feed_forward_of(model) * length;
    cost.output = length * model.d_model * model.vocabulary;
    cost.score_bytes = attentions_of(model) * model.heads * length * length * bytes;
    return cost;
}

double even_length(const CountedModel& model) {
    return double(feed_forward_of(model) - projections_of(model)) / double(mixing_of(model));
}

std::optional<double> crossing(std::span<const double> x, std::span<const double> a,
                               std::span<const double> b) {
    std::optional<double> place;
    for (std::size_t i = 1; i < x.size(); ++i) {
        const double before = std::log(a[i - 1] / b[i - 1]), after = std::log(a[i] / b[i]);
        if (after <= 0) place.reset();
        if (before > 0 || after <= 0) continue;
        const double share = before / (before - after);
        place = std::exp(std::log(x[i - 1]) + share * std::log(x[i] / x[i - 1]));
    }
    return place;
}

} // namespace headlight
