#include "app/session/training/training_view.h"

#include "engine/model/transformer_parameters.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr std::size_t examples_offered = 12;

} // namespace

std::unique_ptr<LoadedModel> model_of_run(const RunModel& model, const std::string& name) {
    std::unique_ptr<LoadedModel> loaded =
        assemble_model({model.config, declare_parameters(model.config), model.source, model.target});
    loaded->name = name;
    for (std::size_t i = 0; i < std::min(model.held_out.size(), examples_offered); ++i)
        loaded->examples.push_back(model.held_out[i].source);
    return loaded;
}

} // namespace headlight
