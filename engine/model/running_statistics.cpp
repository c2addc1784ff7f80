#include "engine/model/running_statistics.h"

#include "engine/ops/batch_norm.h"

namespace headlight {

void keep_running_statistics(const Model& pass, Parameters& parameters) {
    const auto kept = [&](const std::string& name) { return parameters.tensor(*parameters.find(name)); };
    for (const auto& [norm, name] : pass.map.batch_norms) {
        Tensor mean = kept(name + running_mean), variance = kept(name + running_variance);
        keep_running(*norm, mean, variance);
    }
}

} // namespace headlight
