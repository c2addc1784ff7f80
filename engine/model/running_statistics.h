// What batch norm keeps for the time after training (Ioffe & Szegedy 2015, §3.1): of each column a mean and a
// variance, by which it norms whatever else is in the batch.
#pragma once

#include "engine/model/model.h"
#include "engine/model/parameters.h"

namespace headlight {

// Behind the norm's name, as torch.nn.BatchNorm1d calls them.
inline constexpr const char *running_mean = ".running_mean", *running_variance = ".running_var";

// Takes the statistics of the last forward pass into the parameters' running ones, with PyTorch's momentum of
// 0.1. The pass was built with TransformerOptions::batch_statistics; of layer norm nothing happens.
void keep_running_statistics(const Model& pass, Parameters& parameters);

} // namespace headlight
