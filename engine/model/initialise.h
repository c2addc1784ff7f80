// Weights before training.
#pragma once

#include "engine/model/config.h"
#include "engine/model/parameters.h"

#include <cstdint>

namespace headlight {

// Xavier uniform (Glorot & Bengio 2010) for every linear weight, W_Q, W_K and W_V each on its own; embeddings
// normal with deviation 1/√d_model, so that × √d_model gives 1; biases and β 0, γ 1; running means 0, running
// variances 1. Batch norm beside layer norm thus begins with the same weights. Of recurrent networks as
// PyTorch does: weights and biases uniform within 1/√H, embeddings of deviation 1; but the LSTM's forget
// gates begin open, with a bias of 1 (Gers et al. 2000; Józefowicz et al. 2015), without which its race
// against others would be unfair. The same seed gives the same weights everywhere.
void initialise(Parameters& parameters, const ModelConfig& config, std::uint64_t seed);

} // namespace headlight
