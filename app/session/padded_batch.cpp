#include "app/session/padded_batch.h"

#include "app/session/version.h"
#include "engine/inspect/region_cells.h"
#include "engine/ops/softmax.h"
#include "engine/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headlight {

namespace {

// What is compared of a sentence that was computed alone.
struct Alone {
    KeptTensor read, probabilities;
};

const Stream& first_read(const Model& pass) { return pass.map.streams.front(); }

// The padding is forgotten, the look-ahead stays.
std::vector<Edit> without_padding_masks(const Model& pass) {
    std::vector<Edit> edits;
    for (const Node& mask : pass.graph.nodes()) {
        if (!mask.is(ValueKind::mask)) continue;
        Edit& edit = edits.emplace_back(Edit{mask.path, {}});
        edit.values = KeptTensor(mask.shape());
        for_each_cell({}, mask.shape(), [&](Cell cell) {
            if (mask_rule(mask, cell) == MaskRule::look_ahead)
                edit.values(cell.batch, cell.row, cell.column) = -std::numeric_limits<Real>::infinity();
        });
    }
    return edits;
}

std::vector<double> probabilities_in_batch(const std::vector<TokenId>& goal, const Tensor& probabilities,
                                           Index sample) {
    std::vector<double> all;
    for (std::size_t i = 0; i < goal.size(); ++i)
        all.push_back(double(probabilities(sample, Index(i), goal[i])));
    return all;
}

Deviation deviation(const PaddedSample& sample, const Alone& alone, const Model& pass, Index n,
                    const ModelFiles& files) {
    Deviation result;
    const Tensor &read = first_read(pass).output->value,
                 &probabilities = pass.map.output.probabilities->value;
    double squares = 0;
    for (Index r = 0; r < alone.read.shape.rows; ++r)
        for (Index c = 0; c < read.columns(); ++c) {
            const double difference = double(read(n, r, c)) - double(alone.read(0, r, c));
            squares += difference * difference;
            result.largest = std::max(result.largest, std::abs(difference));
        }
    result.read = std::sqrt(squares);
    for (Index r = 0; r < alone.probabilities.shape.rows; ++r) {
        const Real* row = probabilities.row(n, r);
        for (Index c = 0; c < probabilities.columns(); ++c)
            result.largest =
                std::max(result.largest, std::abs(double(row[c]) - double(alone.probabilities(0, r, c))));
        const TokenId best = TokenId(std::max_element(row, row + probabilities.columns()) - row);
        if (result.first_wrong < 0 && best != sample.alone.chosen_ids[std::size_t(r)]) {
            result.first_wrong = r;
            result.instead = said_label(files, pass.map, best);
        }
    }
    return result;
}

void pad(std::vector<std::string>& labels, Index length, const std::string& with) {
    labels.resize(std::size_t(length), with);
}

} // namespace

PaddedBatch compute_padded_batch(LoadedModel& model, const std::vector<BatchSentence>& sentences) {
    const ModelConfig& config = model.config();
    Model &masked = model.pass(LoadedModel::Pass::padded),
          &unmasked = model.pass(LoadedModel::Pass::padded_unmasked);
    PaddedBatch batch;
    std::vector<EncodedPair> pairs;
    std::vector<Alone> alone;
    for (const BatchSentence& sentence : sentences) {
        PaddedSample& sample = batch.samples.emplace_back();
        sample.alone = run_sentence(model.files, masked, sentence.source, sentence.target);
        sample.source_labels = sample.alone.source_labels;
        sample.target_labels = sample.alone.target_labels;
        sample.source_length = Index(sample.alone.source_ids.size());
        sample.target_length = Index(sample.alone.target_ids.size());
        alone.push_back({KeptTensor(first_read(masked).output->value),
                         KeptTensor(masked.map.output.probabilities->value)});
        sample.probability_alone =
            probabilities_in_batch(sample.alone.goal_ids, masked.map.output.probabilities->value, 0);
        pairs.push_back({sample.alone.source_ids, sample.alone.goal_ids});
    }
    std::vector<const EncodedPair*> all;
    for (const EncodedPair& pair : pairs) all.push_back(&pair);
    Batch fed;
    fed.fill(all, config);
    feed(masked, fed);
    masked.graph.forward();
    unmasked.graph.set_edits(without_padding_masks(masked));
    feed(unmasked, fed);
    unmasked.graph.forward();

    batch.source_length = fed.source_length;
    batch.target_length = fed.target_length;
    batch.version = next_version();
    batch.map = &masked.map;
    batch.masked = &masked.graph;
    batch.unmasked = &unmasked.graph;
    for (std::size_t i = 0; i < batch.samples.size(); ++i) {
        PaddedSample& sample = batch.samples[i];
        const Index n = Index(i);
        const auto padding = [&](const Stream* stream) {
            return tokenizer_of(model.files, stream).vocabulary().token(config.pad_id);
        };
        pad(sample.source_labels, batch.source_length, padding(masked.map.source()));
        pad(sample.target_labels, batch.target_length, padding(masked.map.target()));
        const std::vector<TokenId>& goal = sample.alone.goal_ids;
        sample.probability_masked = probabilities_in_batch(goal, masked.map.output.probabilities->value, n);
        sample.probability_unmasked =
            probabilities_in_batch(goal, unmasked.map.output.probabilities->value, n);
        sample.masked = deviation(sample, alone[i], masked, n, model.files);
        sample.unmasked = deviation(sample, alone[i], unmasked, n, model.files);
    }
    return batch;
}

Index PaddedBatch::heads_of(const std::string& attention) const { return map->attention(attention)->heads; }

namespace {

bool asks_target(const ModelMap& map, const std::string& attention, bool queries) {
    const Attention& of = *map.attention(attention);
    return is_target(map, queries ? *of.query_tokens() : *of.key_tokens());
}

} // namespace

const std::vector<std::string>& PaddedBatch::labels(const std::string& attention, Index sample,
                                                    bool queries) const {
    const PaddedSample& of = samples[std::size_t(sample)];
    return asks_target(*map, attention, queries) ? of.target_labels : of.source_labels;
}

Index PaddedBatch::length(const std::string& attention, Index sample, bool queries) const {
    const PaddedSample& of = samples[std::size_t(sample)];
    return asks_target(*map, attention, queries) ? of.target_length : of.source_length;
}

const Real* PaddedBatch::weights(const Graph& graph, const std::string& attention, Index sample,
                                 Index head) const {
    const Node& weights = *graph.find(map->attention(attention)->weights->path);
    return weights.value.row(sample * heads_of(attention) + head, 0);
}

double PaddedBatch::on_padding(const Graph& graph, const std::string& attention, Index sample, Index head,
                               std::optional<Index> query) const {
    const Real* w = weights(graph, attention, sample, head);
    const Index own_keys = length(attention, sample, false),
                keys = Index(labels(attention, sample, false).size());
    const Index first = query.value_or(0), last = query ? *query + 1 : length(attention, sample, true);
    double sum = 0;
    for (Index r = first; r < last; ++r)
        for (Index c = own_keys; c < keys; ++c) sum += double(w[r * keys + c]);
    return sum / double(last - first);
}

bool pads(const ModelMap& map) {
    return !attentions_with_padding(map).empty() && map.output.probabilities && map.streams.front().output;
}

std::vector<std::string> attentions_with_padding(const ModelMap& map) {
    std::vector<std::string> paths;
    for (const Attention& attention : map.attentions) {
        const Stream* keys = map.stream_of(attention.key_tokens());
        const bool looks_back_only = attention.is_self() && keys && keys->is_causal;
        if (attention.mask && !looks_back_only) paths.push_back(attention.path);
    }
    return paths;
}

} // namespace headlight
