#include "app/session/training/training_view.h"

#include "engine/model/transformer_parameters.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr std::size_t examples_offered = 12;

bool is_known(const Tokenizer& tokenizer, const std::string& text) {
    const std::vector<Piece> pieces = tokenizer.encode(text);
    return std::all_of(pieces.begin(), pieces.end(), [](const Piece& piece) { return piece.known; });
}

} // namespace

std::unique_ptr<LoadedModel> model_of_run(const RunModel& model, const std::string& name) {
    std::unique_ptr<LoadedModel> loaded =
        assemble_model({model.config, declare_parameters(model.config), model.source, model.target});
    loaded->name = name;
    // Those that it can read whole: a word that only a held-out pair has is unknown to it.
    const auto offer = [&](const std::vector<SentencePair>& pairs) {
        for (const SentencePair& pair : pairs)
            if (loaded->examples.size() < examples_offered && is_known(model.source, pair.source))
                loaded->examples.push_back(pair.source);
    };
    offer(model.held_out);
    if (loaded->examples.empty() && model.task) offer(model.task->all_training());
    return loaded;
}

} // namespace headlight
