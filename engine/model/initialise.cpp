#include "engine/model/initialise.h"

#include "engine/model/running_statistics.h"
#include "engine/tensor/random.h"

#include <cmath>
#include <string_view>

namespace headlight {

namespace {

void fill_uniform(Real* values, Index count, double bound, Random& random) {
    for (Index i = 0; i < count; ++i) values[i] = Real(random.uniform(-bound, bound));
}

void fill_normal(Real* values, Index count, double deviation, Random& random) {
    for (Index i = 0; i < count; ++i) values[i] = Real(deviation * random.normal());
}

// Of torch.nn.RNN, LSTM and GRU: "rnn.weight_hh_l0".
bool is_recurrent_weight(std::string_view name) {
    for (const char* part : {".weight_ih_l", ".weight_hh_l", ".bias_ih_l", ".bias_hh_l"})
        if (name.find(part) != name.npos) return true;
    return false;
}

} // namespace

void initialise(Parameters& parameters, const ModelConfig& config, std::uint64_t seed) {
    std::uint64_t number = 0;
    for (const Parameter& p : parameters.list()) {
        if (!p.is_learned) { // takes no stream, so that what is learned begins alike without it
            const bool is_variance = p.name.ends_with(running_variance);
            std::fill_n(parameters.data() + p.offset, p.size(), is_variance ? Real(1) : Real(0));
            continue;
        }
        Random random({seed, number++}); // one stream each: a size changed here changes nothing there
        Real* values = parameters.data() + p.offset;
        const std::string_view name = p.name;
        if (name.ends_with("_embedding.weight")) {
            fill_normal(values, p.size(), config.is_recurrent() ? 1 : 1 / std::sqrt(double(config.d_model)),
                        random);
        } else if (is_recurrent_weight(name)) {
            fill_uniform(values, p.size(), 1 / std::sqrt(double(config.d_model)), random);
            const bool is_lstm = config.architecture == Architecture::lstm;
            if (is_lstm && name.find(".bias_ih_") != name.npos) // at first nothing is forgotten
                std::fill_n(values + config.d_model, config.d_model, Real(1));
        } else if (name.ends_with("_positions.weight")) {
            fill_normal(values, p.size(), 0.02, random);
        } else if (p.is_vector) {
            const bool is_gamma = name.find(".norm") != name.npos && name.ends_with(".weight");
            std::fill_n(values, p.size(), is_gamma ? Real(1) : Real(0));
        } else {
            const Index fan_out = name.ends_with(".in_proj_weight") ? p.rows / 3 : p.rows;
            fill_uniform(values, p.size(), std::sqrt(6.0 / double(fan_out + p.columns)), random);
        }
    }
}

} // namespace headlight
