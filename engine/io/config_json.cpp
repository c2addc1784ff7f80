#include "engine/io/model_folder.h"

#include "engine/io/file.h"
#include "engine/io/json_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

namespace headlight {

namespace {

using nlohmann::json;

constexpr Index largest_vocabulary = 4'000'000;

template <class Choice, std::size_t n>
using Choices = std::array<std::pair<const char*, Choice>, n>;

constexpr Choices<Architecture, 8> architectures = {{{"encoder-decoder", Architecture::encoder_decoder},
                                                     {"encoder-only", Architecture::encoder_only},
                                                     {"decoder-only", Architecture::decoder_only},
                                                     {"rnn", Architecture::rnn},
                                                     {"lstm", Architecture::lstm},
                                                     {"gru", Architecture::gru},
                                                     {"rnn-fixed", Architecture::rnn_fixed},
                                                     {"rnn-attention", Architecture::rnn_attention}}};
constexpr Choices<Head, 2> heads = {{{"tokens", Head::tokens}, {"classes", Head::classes}}};
constexpr Choices<Activation, 2> activations = {{{"relu", Activation::relu}, {"gelu", Activation::gelu}}};
constexpr Choices<NormPosition, 2> norm_positions = {
    {{"post", NormPosition::post}, {"pre", NormPosition::pre}}};
constexpr Choices<Norm, 2> norms = {{{"layer", Norm::layer}, {"batch", Norm::batch}}};
constexpr Choices<PositionalEncoding, 3> positional_encodings = {
    {{"sinusoidal", PositionalEncoding::sinusoidal},
     {"learned", PositionalEncoding::learned},
     {"none", PositionalEncoding::none}}};

template <class Choice, std::size_t n>
const char* name_of(const Choices<Choice, n>& choices, Choice chosen) {
    for (const auto& [name, choice] : choices)
        if (choice == chosen) return name;
    return "";
}

// Takes values out of the object by key; the first that is of the wrong type is kept as the error.
class ConfigReader {
public:
    ConfigReader(const json& object, const std::string& file) : object_(object), file_(file) {}

    template <class Integer>
    void integer(const char* key, Integer& to) {
        const json* value = find(key);
        if (value == nullptr) return;
        // The parser holds what is past 2⁶³ in another type; to convert it would make it negative.
        const bool fits =
            value->is_number_integer()
            && (!value->is_number_unsigned() || std::in_range<Integer>(value->get<std::uint64_t>()))
            && (value->is_number_unsigned() || std::in_range<Integer>(value->get<std::int64_t>()));
        if (!fits) return refuse("error.config_not_whole", key, *value);
        to = value->get<Integer>();
    }

    // Missing means “as many as the tokenizer has”, which is held as 0; a 0 that is written means nothing.
    void vocab_size(const char* key, Index& to) {
        integer(key, to);
        if (const json* value = find(key); value != nullptr && to < 1) {
            refuse("error.config_size", key, *value);
            error_->arguments.push_back(std::to_string(largest_vocabulary));
        }
    }

    void number(const char* key, double& to) {
        const json* value = find(key);
        if (value == nullptr) return;
        if (!value->is_number()) return refuse("error.config_not_number", key, *value);
        to = value->get<double>();
    }

    void flag(const char* key, bool& to) {
        const json* value = find(key);
        if (value == nullptr) return;
        if (!value->is_boolean()) return refuse("error.config_not_flag", key, *value);
        to = value->get<bool>();
    }

    template <class Choice, std::size_t n>
    void choice(const char* key, const Choices<Choice, n>& choices, Choice& to) {
        const json* value = find(key);
        if (value == nullptr) return;
        std::string names;
        for (const auto& [name, chosen] : choices) {
            if (*value == name) {
                to = chosen;
                return;
            }
            names += (names.empty() ? "" : ", ");
            names += name;
        }
        refuse("error.config_not_choice", key, *value);
        error_->arguments.push_back(names);
    }

    // A folder of another architecture says so under "architecture", or, made by Hugging Face, "model_type".
    void architecture(Architecture& to) {
        const char* key = object_.contains("architecture") ? "architecture" : "model_type";
        const json* value = find(key);
        if (value == nullptr) return;
        for (const auto& [name, known] : architectures)
            if (*value == name) {
                to = known;
                return;
            }
        refuse("error.config_architecture", key, *value);
    }

    void names(const char* key, std::vector<std::string>& to) {
        const json* value = find(key);
        if (value == nullptr) return;
        const bool is_list =
            value->is_array()
            && std::all_of(value->begin(), value->end(), [](const json& name) { return name.is_string(); });
        if (!is_list) return refuse("error.config_not_names", key, *value);
        to = value->get<std::vector<std::string>>();
    }

    const std::optional<Error>& error() const { return error_; }

private:
    const json* find(const char* key) const {
        const auto found = object_.find(key);
        return found == object_.end() || error_ ? nullptr : &*found;
    }
    void refuse(const char* error, const char* key, const json& value) {
        error_ = Error{error, {file_, key, quoted(value)}};
    }

    const json& object_;
    const std::string& file_;
    std::optional<Error> error_;
};

// The number of weights of a model whose sizes have each been checked: far below 2⁶³.
Index count_weights(const ModelConfig& config) {
    const Index d = config.d_model;
    const Index attention = 4 * d * d + 4 * d;
    const Index feed_forward = 2 * d * config.d_ff + config.d_ff + d;
    const Index norm = (config.norm == Norm::batch ? 4 : 2) * d, positions = config.max_length * d;
    const bool learned = config.positional_encoding == PositionalEncoding::learned, last = config.final_norm;
    const auto stack = [&](Index layers, Index attentions, Index words) {
        const Index layer = attentions * attention + feed_forward + (attentions + 1) * norm;
        return words * d + (learned ? positions : 0) + layers * layer + (last ? norm : 0);
    };
    if (config.is_recurrent()) { // at most 4 gates, in each of two stacks
        const Index layer = 8 * (d + 1) * 3 * d;
        return (config.source_vocab_size + 2 * config.target_vocab_size) * (d + 1)
               + config.decoder_layers * layer + 3 * d * d;
    }
    const Index said = config.sorts() ? Index(config.labels.size()) : config.target_vocab_size;
    Index count = said * (d + 1);
    if (config.has_encoder()) count += stack(config.encoder_layers, 1, config.source_vocab_size);
    if (config.has_decoder())
        count += stack(config.decoder_layers, config.has_encoder() ? 2 : 1, config.target_vocab_size);
    return count;
}

// Two names or more, each of them another.
bool are_labels(const std::vector<std::string>& names) {
    constexpr std::size_t most_classes = 1000;
    const std::set<std::string> different(names.begin(), names.end());
    return names.size() >= 2 && names.size() <= most_classes && different.size() == names.size()
           && !different.contains("");
}

} // namespace

Result<ModelConfig> config_from_json(std::string_view text, const std::string& file) {
    const Result<json> root = parse_json(text, file);
    if (!root) return root.error();
    if (!root->is_object()) return Error{"error.config_not_object", {file}};
    ModelConfig config;
    ConfigReader reader(*root, file);
    reader.architecture(config.architecture);
    const bool is_transformer = !config.is_recurrent();
    if (!config.has_decoder()) reader.choice("head", heads, config.head);
    if (config.sorts()) reader.names("labels", config.labels);
    reader.integer("d_model", config.d_model);
    if (is_transformer) {
        reader.integer("num_heads", config.num_heads);
        if (config.has_encoder()) reader.integer("encoder_layers", config.encoder_layers);
        if (config.has_decoder()) reader.integer("decoder_layers", config.decoder_layers);
        reader.integer("d_ff", config.d_ff);
        reader.choice("activation", activations, config.activation);
        reader.choice("norm_position", norm_positions, config.norm_position);
        reader.choice("norm", norms, config.norm);
        reader.flag("final_norm", config.final_norm);
        reader.number("layer_norm_eps", config.layer_norm_eps);
        reader.choice("positional_encoding", positional_encodings, config.positional_encoding);
        reader.flag("scale_embeddings", config.scale_embeddings);
        reader.flag("tie_embeddings", config.tie_embeddings);
    } else {
        config.decoder_layers = 1;
        reader.integer("num_layers", config.decoder_layers); // as torch.nn.RNN calls them
    }
    reader.number("dropout", config.dropout);
    reader.integer("max_length", config.max_length);
    if (config.has_encoder()) reader.vocab_size("source_vocab_size", config.source_vocab_size);
    if (!config.sorts()) reader.vocab_size("target_vocab_size", config.target_vocab_size);
    reader.integer("pad_id", config.pad_id);
    reader.integer("bos_id", config.bos_id);
    reader.integer("eos_id", config.eos_id);
    reader.integer("unk_id", config.unk_id);
    if (reader.error()) return *reader.error();
    return settled(std::move(config));
}

Result<ModelConfig> read_config(const std::filesystem::path& path) {
    const Result<std::string> text = read_file(path, longest_config);
    if (!text) return text.error();
    return config_from_json(*text, path.string());
}

bool names_architecture(std::string_view text) {
    const Result<json> root = parse_json(text, {});
    if (!root || !root->is_object()) return false;
    const auto found = root->find("architecture");
    return found != root->end()
           && std::any_of(architectures.begin(), architectures.end(),
                          [&](const auto& known) { return *found == known.first; });
}

std::string config_to_json(const ModelConfig& config) {
    JsonTree root;
    root["architecture"] = name_of(architectures, config.architecture);
    if (!config.has_decoder()) root["head"] = name_of(heads, config.head);
    if (config.sorts()) root["labels"] = config.labels;
    root["d_model"] = config.d_model;
    if (config.is_recurrent()) {
        root["num_layers"] = config.decoder_layers;
    } else {
        root["num_heads"] = config.num_heads;
        if (config.has_encoder()) root["encoder_layers"] = config.encoder_layers;
        if (config.has_decoder()) root["decoder_layers"] = config.decoder_layers;
        root["d_ff"] = config.d_ff;
        root["activation"] = name_of(activations, config.activation);
        root["norm_position"] = name_of(norm_positions, config.norm_position);
        root["norm"] = name_of(norms, config.norm);
        root["final_norm"] = config.final_norm;
        root["layer_norm_eps"] = config.layer_norm_eps;
        root["positional_encoding"] = name_of(positional_encodings, config.positional_encoding);
        root["scale_embeddings"] = config.scale_embeddings;
        if (config.tie_embeddings) root["tie_embeddings"] = true; // files of others have no such key
    }
    root["dropout"] = config.dropout;
    root["max_length"] = config.max_length;
    if (config.has_encoder()) root["source_vocab_size"] = config.source_vocab_size;
    if (!config.sorts()) root["target_vocab_size"] = config.target_vocab_size;
    root["pad_id"] = config.pad_id;
    root["bos_id"] = config.bos_id;
    root["eos_id"] = config.eos_id;
    root["unk_id"] = config.unk_id;
    return root.text(2) + "\n";
}

std::string architecture_name(Architecture architecture) { return name_of(architectures, architecture); }

Result<Done> check_config(const ModelConfig& config, const std::string& where) {
    struct Size {
        const char* key;
        Index value, largest;
        bool counts = true;
    };
    // Beyond what any published model of this architecture has, and small enough that no product overflows.
    const Size sizes[] = {
        {"d_model", config.d_model, 16'384},
        {"num_heads", config.num_heads, config.d_model},
        {"encoder_layers", config.encoder_layers, 256, config.has_encoder() && !config.is_recurrent()},
        {"decoder_layers", config.decoder_layers, 256, config.has_decoder() && !config.is_recurrent()},
        {"num_layers", config.decoder_layers, config.architecture == Architecture::rnn_attention ? 1 : 256,
         config.is_recurrent()},
        {"d_ff", config.d_ff, 131'072},
        {"max_length", config.max_length, 65'536},
        {"source_vocab_size", config.source_vocab_size, largest_vocabulary},
        {"target_vocab_size", config.target_vocab_size, largest_vocabulary}};
    for (const Size& size : sizes)
        if (size.counts && (size.value < 1 || size.value > size.largest))
            return Error{"error.config_size",
                         {where, size.key, std::to_string(size.value), std::to_string(size.largest)}};
    if (config.d_model % config.num_heads != 0)
        return Error{"error.config_heads",
                     {where, "d_model", std::to_string(config.d_model), "num_heads",
                      std::to_string(config.num_heads)}};

    if (config.sorts() && !are_labels(config.labels)) return Error{"error.config_labels", {where, "labels"}};

    if (config.tie_embeddings && config.source_vocab_size != config.target_vocab_size)
        return Error{"error.config_tied",
                     {where, "tie_embeddings", std::to_string(config.source_vocab_size),
                      std::to_string(config.target_vocab_size)}};

    const auto out_of_range = [&](const char* key, double value, const char* range) {
        return Error{"error.config_range", {where, key, json(value).dump(), range}};
    };
    if (!(config.layer_norm_eps > 0 && config.layer_norm_eps < 1))
        return out_of_range("layer_norm_eps", config.layer_norm_eps, "0 < layer_norm_eps < 1");
    if (!(config.dropout >= 0 && config.dropout < 1))
        return out_of_range("dropout", config.dropout, "0 ≤ dropout < 1");

    const Index smaller = std::min(config.source_vocab_size, config.target_vocab_size);
    const std::pair<const char*, TokenId> ids[] = {{"pad_id", config.pad_id},
                                                   {"bos_id", config.bos_id},
                                                   {"eos_id", config.eos_id},
                                                   {"unk_id", config.unk_id}};
    for (const auto& [key, id] : ids)
        if (id < 0 || id >= smaller)
            return Error{"error.config_id", {where, key, std::to_string(id), std::to_string(smaller - 1)}};
    // Padding is hidden from attention and from the loss; were it </s>, no sentence would ever end.
    if (config.pad_id == config.eos_id)
        return Error{"error.config_same_id", {where, "pad_id", "eos_id", std::to_string(config.pad_id)}};

    constexpr Index most_weights = Index(1) << 30;
    if (const Index count = count_weights(config); count > most_weights)
        return Error{"error.config_too_large", {where, std::to_string(count), std::to_string(most_weights)}};
    return Done{};
}

} // namespace headlight
