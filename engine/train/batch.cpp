#include "engine/train/trainer.h"

#include "engine/ops/leaves.h"

#include <algorithm>

namespace headlight {

void Batch::fill(std::span<const EncodedPair* const> pairs, const ModelConfig& config) {
    const bool reads = config.has_encoder(); // else it writes the source too
    sequences = Index(pairs.size());
    source_length = target_length = goal_tokens = 0;
    for (const EncodedPair* pair : pairs) {
        const Index said = Index(pair->target.size()) + (reads ? 0 : Index(pair->source.size()));
        if (reads) source_length = std::max(source_length, Index(pair->source.size()));
        target_length = std::max(target_length, said);
        goal_tokens += pair->prefix_counts ? said : Index(pair->target.size());
    }
    source.assign(std::size_t(sequences * source_length), config.pad_id);
    target.assign(std::size_t(sequences * target_length), config.pad_id);
    goal.assign(std::size_t(sequences * target_length), config.pad_id);
    for (Index i = 0; i < sequences; ++i) {
        const EncodedPair& pair = *pairs[std::size_t(i)];
        auto end = goal.begin() + i * target_length;
        if (reads)
            std::copy(pair.source.begin(), pair.source.end(), source.begin() + i * source_length);
        else
            end = std::copy(pair.source.begin(), pair.source.end(), end);
        end = std::copy(pair.target.begin(), pair.target.end(), end);
        target[std::size_t(i * target_length)] = config.bos_id;
        std::copy(goal.begin() + i * target_length, end - 1, target.begin() + i * target_length + 1);
        if (!reads && !pair.prefix_counts)
            std::fill_n(goal.begin() + i * target_length, pair.source.size(), config.pad_id);
    }
}

void feed(Model& model, const Batch& batch) {
    for (const Stream& stream : model.map.streams)
        if (stream.is_written)
            feed(stream.tokens, batch.target, batch.sequences, batch.target_length);
        else
            feed(stream.tokens, batch.source, batch.sequences, batch.source_length);
    if (model.map.output.goal) feed(model.map.output.goal, batch.goal, batch.sequences, batch.target_length);
}

} // namespace headlight
