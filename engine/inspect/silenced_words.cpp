#include "engine/inspect/silenced_words.h"

#include "engine/base/check.h"
#include "engine/ops/leaves.h"

namespace headlight {

std::vector<double> watch_silenced_words(Model& model, std::span<const TokenId> fed, TokenId pad,
                                         const SweepTarget& target, SweepMeasure measure) {
    HEADLIGHT_CHECK(model.map.streams.size() == 1, "words are silenced in a model of one stream");
    const auto watch = [&](const std::vector<TokenId>& ids) {
        feed(model.map.streams.front().tokens, ids, 1, Index(ids.size()));
        model.graph.forward(0, model.end_of_output());
        return watched(model, target.row, target.word, measure);
    };
    std::vector<TokenId> ids(fed.begin(), fed.end());
    std::vector<double> probabilities;
    for (TokenId& id : ids) {
        const TokenId spoken = std::exchange(id, pad);
        probabilities.push_back(watch(ids));
        id = spoken;
    }
    watch(ids);
    return probabilities;
}

} // namespace headlight
