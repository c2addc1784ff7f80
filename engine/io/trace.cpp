#include "engine/io/trace.h"

#include "engine/io/safetensors.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace headlight {

namespace {

std::string fed_tokens(const Node& tokens, const Vocabulary& vocabulary) {
    nlohmann::json words = nlohmann::json::array();
    for (Index t = 0; t < tokens.value.rows(); ++t)
        words.push_back(vocabulary.token(TokenId(tokens.value(0, t, 0))));
    return words.dump();
}

} // namespace

Result<Done> write_trace(const std::filesystem::path& path, const Model& model, const Vocabulary& source,
                         const Vocabulary& target) {
    std::vector<TensorToWrite> values;
    const auto add = [&](const std::string& name, const Node& node) {
        const Shape& shape = node.shape();
        std::vector<Index> dimensions{shape.all_rows(), shape.columns};
        if (node.axes.per_head) dimensions = {shape.batch, shape.rows, shape.columns};
        values.push_back({name, std::move(dimensions), node.value.data()});
    };
    for (const Node& node : model.graph.nodes())
        if (node.named && !node.is(ValueKind::parameter)) add(node.path, node);
    for (const auto& [name, node] : model.graph.aliases()) add(name, *node);
    std::map<std::string, std::string> metadata{{"source_tokens", "[]"}, {"target_tokens", "[]"}};
    bool has_source = false;
    for (const Stream& stream : model.map.streams) {
        const std::string key = stream.is_written ? "target_tokens"
                                : has_source      ? stream.name + "_tokens"
                                                  : "source_tokens";
        has_source = has_source || !stream.is_written;
        metadata[key] = fed_tokens(*stream.tokens, stream.vocabulary == 0 ? source : target);
    }
    return write_safetensors(path, values, metadata);
}

} // namespace headlight
