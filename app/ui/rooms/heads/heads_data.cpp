#include "app/ui/rooms/heads/heads_data.h"

#include <algorithm>

namespace headlight {

namespace {

// The self-attentions of the same stack up to this one, first layer first.
std::vector<Tensor> stack_until(const LoadedModel& model, const Graph& graph, const std::string& path) {
    const std::string side = path.substr(0, path.find('.'));
    std::vector<Tensor> weights;
    if (!path.ends_with(".self_attn")) return weights;
    for (const StoryBlock& block : model.blocks)
        if (block.kind == "self_attn" && block.side == side) {
            weights.push_back(graph.find(block.id + ".weights")->value);
            if (block.id == path) break;
        }
    return weights;
}

} // namespace

bool in_decoder(const std::string& attention, bool keys) {
    return attention.starts_with("decoder.") && !(keys && attention.ends_with(".cross_attn"));
}

std::vector<MeasuredAttention> measure_attention(const LoadedModel& model, const Graph& graph,
                                                 const Sentence& sentence) {
    std::vector<MeasuredAttention> all;
    for (const StoryBlock& block : model.blocks) {
        const Node* weights = graph.find(block.id + ".weights");
        if (!block.kind.ends_with("_attn") || !weights) continue;
        MeasuredAttention attention{block.id, weights};
        attention.queries = in_decoder(block.id, false) ? sentence.target_labels : sentence.source_labels;
        attention.keys = in_decoder(block.id, true) ? sentence.target_labels : sentence.source_labels;
        attention.heads = measure_heads(graph, block.id, attention.queries, attention.keys);
        attention.mean = mean_of_heads(weights->value);
        attention.maximum = maximum_of_heads(weights->value);
        if (const std::vector<Tensor> stack = stack_until(model, graph, block.id); !stack.empty())
            attention.rollout = attention_rollout(stack);
        all.push_back(std::move(attention));
    }
    return all;
}

const std::vector<MeasuredAttention>& HeadsData::of(const Session& session) {
    if (version_ == session.version()) return all_;
    version_ = session.version();
    all_ = measure_attention(session.model(), session.model().graph(), session.sentence());
    return all_;
}

const MeasuredAttention* HeadsData::find(const Session& session, const std::string& path) {
    for (const MeasuredAttention& attention : of(session))
        if (attention.path == path) return &attention;
    return nullptr;
}

std::vector<Real> map_numbers(const MeasuredAttention& attention, HeadMap map, Index head) {
    const Tensor& weights = attention.weights->value;
    switch (map) {
    case HeadMap::mean:
        return attention.mean.numbers;
    case HeadMap::maximum:
        return attention.maximum.numbers;
    case HeadMap::rollout:
        if (!attention.rollout.empty()) return attention.rollout.numbers;
        return attention.mean.numbers;
    case HeadMap::one:
        break;
    }
    const Real* first = weights.matrix(std::min(head, weights.batch() - 1));
    return {first, first + weights.rows() * weights.columns()};
}

const std::vector<std::string>& measure_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all = {"entropy"};
        for (std::size_t i = 0; i < head_measures; ++i) all.push_back(name_of(HeadMeasure(i)));
        return all;
    }();
    return names;
}

std::optional<double> measure_of(const MeasuredHead& head, const std::string& name) {
    if (name == "entropy") return head.entropy;
    for (std::size_t i = 0; i < head_measures; ++i)
        if (name_of(HeadMeasure(i)) == name) return head.value[i];
    return std::nullopt;
}

} // namespace headlight
