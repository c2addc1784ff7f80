#include "engine/io/trace.h"

#include "engine/io/safetensors.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace headlight {

namespace {

std::string fed_tokens(const Node& tokens, const Vocabulary& vocabulary) {
    nlohmann::json words = nlohmann::json::array();
    for (Index t = 0; t < tokens.value.rows(); ++t)
        words.push_back(vocabulary.token(TokenId(tokens.value(0, t, 0))));
    return words.dump();
}

// What has a head of its own, by node index: from split_heads on until merge_heads, also when the heads are
// one.
std::vector<bool> per_head_values(const Graph& graph) {
    std::vector<bool> per_head;
    for (const Node& node : graph.nodes()) {
        const bool from_heads = std::any_of(node.inputs.begin(), node.inputs.end(), [&](const Node* input) {
            return per_head[std::size_t(input->index)];
        });
        per_head.push_back(node.op->name() == "split_heads"
                           || (from_heads && node.op->name() != "merge_heads"));
    }
    return per_head;
}

} // namespace

Result<Done> write_trace(const std::filesystem::path& path, const Transformer& model,
                         const Vocabulary& source, const Vocabulary& target) {
    const std::vector<bool> per_head = per_head_values(model.graph);
    std::vector<TensorToWrite> values;
    const auto add = [&](const std::string& name, const Node& node) {
        const Shape& shape = node.shape();
        std::vector<Index> dimensions{shape.all_rows(), shape.columns};
        if (per_head[std::size_t(node.index)]) dimensions = {shape.batch, shape.rows, shape.columns};
        values.push_back({name, std::move(dimensions), node.value.data()});
    };
    for (const Node& node : model.graph.nodes())
        if (node.named && node.op->name() != "parameter") add(node.path, node);
    for (const auto& [name, node] : model.graph.aliases()) add(name, *node);
    return write_safetensors(path, values,
                             {{"source_tokens", fed_tokens(*model.source_tokens, source)},
                              {"target_tokens", fed_tokens(*model.target_tokens, target)}});
}

} // namespace headlight
