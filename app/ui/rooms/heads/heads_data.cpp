#include "app/ui/rooms/heads/heads_data.h"

#include <algorithm>

namespace headlight {

namespace {

// The attentions of the same stream to itself up to this one, first layer first.
std::vector<Tensor> stack_until(const ModelMap& map, const Attention& last, const Graph& graph) {
    std::vector<Tensor> weights;
    if (!last.is_self()) return weights;
    for (const Attention& attention : map.attentions) {
        if (!attention.is_self() || attention.query_tokens() != last.query_tokens()) continue;
        weights.push_back(graph.find(attention.weights->path)->value);
        if (&attention == &last) break;
    }
    return weights;
}

} // namespace

std::vector<MeasuredAttention> measure_attention(const ModelMap& map, const Graph& graph,
                                                 const Sentence& sentence) {
    std::vector<MeasuredAttention> all;
    for (const Attention& of_map : map.attentions) {
        const Attention attention = in_graph(of_map, graph);
        MeasuredAttention measured{attention.path, attention.weights};
        measured.of = map.stream_of(of_map.query_tokens());
        measured.to = map.stream_of(of_map.key_tokens());
        measured.says = of_map.query_tokens() == map.output.tokens;
        measured.queries = labels_of(sentence, map, *of_map.query_tokens());
        measured.keys = labels_of(sentence, map, *of_map.key_tokens());
        measured.heads = measure_heads(attention, measured.queries, measured.keys);
        measured.mean = mean_of_heads(attention.weights->value);
        measured.maximum = maximum_of_heads(attention.weights->value);
        if (const std::vector<Tensor> stack = stack_until(map, of_map, graph); !stack.empty())
            measured.rollout = attention_rollout(stack);
        all.push_back(std::move(measured));
    }
    return all;
}

const std::vector<MeasuredAttention>& HeadsData::of(const Session& session) {
    if (version_ == session.version()) return all_;
    version_ = session.version();
    all_ = measure_attention(session.model().map(), session.model().graph(), session.sentence());
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
        if (name_of(HeadMeasure(i)) == name) { // of one word alone it is no score
            const bool is_of_one = is_of_repeated_words(HeadMeasure(i)) && head.queries[i] < fewest_queries;
            return is_of_one ? std::nullopt : head.value[i];
        }
    return std::nullopt;
}

} // namespace headlight
