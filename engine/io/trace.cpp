#include "engine/io/trace.h"

#include "engine/io/safetensors.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace headlight {

namespace {

std::vector<TokenId> ids_in(const Node& ids) {
    std::vector<TokenId> all;
    for (Index t = 0; t < ids.value.rows(); ++t) all.push_back(TokenId(ids.value(0, t, 0)));
    return all;
}

// A model may know more ids than its vocabulary has words: those are said by their number.
std::string words_of(const std::vector<TokenId>& ids, const Vocabulary& vocabulary) {
    nlohmann::json words = nlohmann::json::array();
    for (const TokenId id : ids)
        words.push_back(Index(id) < vocabulary.size() ? vocabulary.token(id)
                                                      : "<" + std::to_string(id) + ">");
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
    for (const auto& [name, node] : model.graph.aliases())
        if (!node->is(ValueKind::parameter)) add(name, *node);
    // Step by step too, as recurrent networks are told: "rnn.0.3.hidden".
    for (const RecurrentLayer& layer : model.map.recurrent_layers) {
        std::vector<const Node*> states = layer.gates;
        if (layer.cell) states.push_back(layer.cell);
        states.push_back(layer.hidden);
        for (const Node* state : states)
            for (Index t = 0; t < state->value.rows(); ++t)
                values.push_back({layer.path + "." + std::to_string(t) + "." + state->name,
                                  {state->value.columns()},
                                  state->value.row(0, t)});
    }
    std::map<std::string, std::string> metadata{{"source_tokens", "[]"}, {"target_tokens", "[]"}};
    bool has_source = false;
    for (const Stream& stream : model.map.streams) {
        const std::string side = stream.is_written ? "target" : has_source ? stream.name : "source";
        has_source = has_source || !stream.is_written;
        const std::vector<TokenId> ids = ids_in(*stream.tokens);
        metadata[side + "_tokens"] = words_of(ids, stream.vocabulary == 0 ? source : target);
        metadata[side + "_ids"] = nlohmann::json(ids).dump();
        if (stream.types) metadata["token_type_ids"] = nlohmann::json(ids_in(*stream.types)).dump();
    }
    return write_safetensors(path, values, metadata);
}

} // namespace headlight
