#include "app/session/training/training_view.h"

#include "engine/base/check.h"
#include "engine/model/transformer_parameters.h"
#include "engine/ops/leaves.h"

#include <algorithm>

namespace headlight {

namespace {

void feed_like(const Node* from, Node* to) {
    if (!from || !to) return;
    std::vector<TokenId> ids;
    for (Index i = 0; i < from->value.size(); ++i) ids.push_back(TokenId(from->value.data()[i]));
    feed(to, ids, 1, Index(ids.size()));
}

} // namespace

std::unique_ptr<LoadedModel> model_of_run(const RunModel& model, const std::string& name) {
    std::unique_ptr<LoadedModel> loaded =
        assemble_model({model.config, declare_parameters(model.config), model.source, model.target});
    loaded->name = name;
    return loaded;
}

void put_weights(LoadedModel& model, const Numbers& weights) {
    Parameters& parameters = model.files.parameters;
    HEADLIGHT_CHECK(Index(weights.size()) == parameters.count(),
                    std::to_string(weights.size()) + " weights for " + std::to_string(parameters.count()));
    std::copy(weights.begin(), weights.end(), parameters.data());
}

void compute_like(const LoadedModel& from, LoadedModel& to) {
    feed_like(from.transformer->source_tokens, to.transformer->source_tokens);
    feed_like(from.transformer->target_tokens, to.transformer->target_tokens);
    feed_like(from.transformer->goal_tokens, to.transformer->goal_tokens);
    to.graph().forward();
}

} // namespace headlight
