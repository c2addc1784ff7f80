#include "engine/io/model_folder.h"

#include "engine/base/lasting.h"
#include "engine/io/json_reader.h"
#include "engine/model/families/families.h"
#include "engine/ops/pointwise.h"

#include <algorithm>

namespace headlight {

namespace {

using nlohmann::json;
using FamilyResult = Result<std::shared_ptr<const Family>>;

// Larger than any published model, and small enough that no product overflows.
constexpr Index most_layers = 1024, most_heads = 4096, widest = 262'144, most_words = 4'000'000,
                most_positions = 16'777'216, widest_head = 8192;

// The names of transformers' activations.
const std::vector<std::pair<const char*, Activate>>& activations_by_name() {
    static const std::vector<std::pair<const char*, Activate>>& all =
        lasting<std::vector<std::pair<const char*, Activate>>>({
            {"gelu", gelu},
            {"gelu_new", gelu_tanh},
            {"gelu_pytorch_tanh", gelu_tanh},
            {"quick_gelu", quick_gelu},
            {"relu", relu},
            {"silu", silu},
            {"swish", silu},
            {"tanh", headlight::tanh},
        });
    return all;
}

// What was asked of the files beside, with the reader of config.json and of generation_config.json.
struct Reading {
    JsonReader config;
    JsonReader generation;
    const FamilySurroundings& around;

    // What generation_config.json says counts before what config.json does.
    void ids(const char* key, std::vector<TokenId>& to) {
        config.ids(key, to);
        generation.ids(key, to);
    }
    // Whatever stands before the family's names in a file, or nothing.
    bool has_weight(const std::string& prefix, const std::string& name) const {
        return around.has_weight(name) || around.has_weight(prefix + name);
    }
    Index longest(const char* key) {
        Index most = 0;
        config.size(key, most, most_positions);
        generation.size(key, most, most_positions);
        return most;
    }
};

// architectures[0], one of those named; "" where there is none.
std::string head_of(JsonReader& reader, const std::vector<std::string>& heads) {
    const json* list = reader.find("architectures");
    if (!list || !list->is_array() || list->empty() || !list->front().is_string()) return {};
    const std::string head = list->front().get<std::string>();
    if (std::find(heads.begin(), heads.end(), head) != heads.end()) return head;
    std::string names;
    for (const std::string& name : heads) names += (names.empty() ? "" : ", ") + name;
    reader.refuse({"error.family_head", {reader.file(), head, names}});
    return {};
}

void check_heads(JsonReader& reader, const char* width_key, Index width, const char* heads_key, Index heads) {
    if (width % heads != 0)
        reader.refuse({"error.config_heads",
                       {reader.file(), width_key, std::to_string(width), heads_key, std::to_string(heads)}});
}

void check_ids(JsonReader& reader, const char* key, const std::vector<TokenId>& ids, Index words) {
    for (const TokenId id : ids)
        if (id < 0 || id >= words)
            reader.refuse(
                {"error.config_id", {reader.file(), key, std::to_string(id), std::to_string(words - 1)}});
}

// Ids that no word has say that there is none (−1, or a config made smaller by hand).
void keep_known(std::vector<TokenId>& ids, Index words) {
    std::erase_if(ids, [&](TokenId id) { return id < 0 || id >= words; });
}

Index words_said(Reading& r, Index otherwise) {
    if (const Index most = r.longest("max_new_tokens"); most > 0) return most;
    const Index in_all = r.longest("max_length");
    return in_all > 0 ? in_all : otherwise;
}

FamilyResult ended(Reading& r, const std::function<std::shared_ptr<const Family>()>& make) {
    if (r.config.error()) return *r.config.error();
    if (r.generation.error()) return *r.generation.error();
    return make();
}

FamilyResult read_gpt2(Reading& r) {
    Gpt2Config c;
    JsonReader& in = r.config;
    head_of(in, {"GPT2LMHeadModel", "GPT2Model"});
    in.size("n_layer", c.layers, most_layers);
    in.size("n_head", c.heads, most_heads);
    in.size("n_embd", c.d_model, widest);
    in.size("n_inner", c.d_ff, widest);
    in.size("n_positions", c.positions, most_positions);
    in.size("vocab_size", c.vocabulary, most_words);
    in.choice("activation_function", activations_by_name(), c.activation);
    in.positive("layer_norm_epsilon", c.layer_norm_eps);
    in.flag("scale_attn_weights", c.scales_scores);
    in.flag("scale_attn_by_inverse_layer_idx", c.scales_by_layer);
    in.flag("tie_word_embeddings", c.tied);
    in.require("add_cross_attention", false);
    r.ids("eos_token_id", c.ends);
    keep_known(c.ends, c.vocabulary);
    check_heads(in, "n_embd", c.d_model, "n_head", c.heads);
    c.words_said = words_said(r, c.words_said);
    c.before = r.around.before;
    return ended(r, [&] { return gpt2(c); });
}

std::vector<std::string> labels_of(JsonReader& in) {
    const json* names = in.find("id2label");
    Index count = 2;
    in.size("num_labels", count, widest);
    if (names && names->is_object() && !names->empty()) count = Index(names->size());
    std::vector<std::string> labels;
    for (Index i = 0; i < count; ++i) {
        labels.push_back("LABEL_" + std::to_string(i));
        if (!names || !names->is_object()) continue;
        const auto found = names->find(std::to_string(i));
        if (found == names->end() || !found->is_string())
            in.refuse("error.config_id2label", "id2label", *names);
        else
            labels.back() = found->get<std::string>();
    }
    return labels;
}

// `classes`, `words` and `plain`: the endings of what the family calls its heads.
FamilyResult read_bert(Reading& r, BertConfig c, const std::string& name,
                       const std::vector<std::string>& of_words) {
    using Says = BertConfig::Says;
    JsonReader& in = r.config;
    std::vector<std::string> heads{name + "ForSequenceClassification", name + "Model"};
    heads.insert(heads.end(), of_words.begin(), of_words.end());
    const std::string head = head_of(in, heads);
    const auto holds = [&](const std::string& weight) { return r.has_weight(c.names.prefix, weight); };
    if (head.empty()) // told by what the weights hold
        c.says = holds(c.names.classifier + ".weight") ? Says::classes
                 : holds(c.names.bias)                 ? Says::words
                                                       : Says::nothing;
    else
        c.says = head == heads[0] ? Says::classes : head == heads[1] ? Says::nothing : Says::words;
    in.require("position_embedding_type", std::string("absolute"));
    in.require("is_decoder", false);
    in.require("add_cross_attention", false);
    in.size("max_position_embeddings", c.positions, most_positions);
    in.size("vocab_size", c.vocabulary, most_words);
    in.id("pad_token_id", c.pad);
    in.flag("tie_word_embeddings", c.tied);
    if (c.says == Says::classes) c.labels = labels_of(in);
    check_ids(in, "pad_token_id", {c.pad}, c.vocabulary);
    c.before = r.around.before;
    c.after = r.around.after;
    return ended(r, [&] { return bert(c); });
}

FamilyResult read_plain_bert(Reading& r) {
    BertConfig c;
    r.config.size("num_hidden_layers", c.layers, most_layers);
    r.config.size("num_attention_heads", c.heads, most_heads);
    r.config.size("hidden_size", c.d_model, widest);
    r.config.size("intermediate_size", c.d_ff, widest);
    r.config.size("type_vocab_size", c.types, widest);
    r.config.choice("hidden_act", activations_by_name(), c.activation);
    r.config.positive("layer_norm_eps", c.layer_norm_eps);
    check_heads(r.config, "hidden_size", c.d_model, "num_attention_heads", c.heads);
    return read_bert(r, c, "Bert", {"BertForMaskedLM", "BertForPreTraining"});
}

FamilyResult read_distilbert(Reading& r) {
    BertConfig c = distilbert_config();
    r.config.size("n_layers", c.layers, most_layers);
    r.config.size("n_heads", c.heads, most_heads);
    r.config.size("dim", c.d_model, widest);
    r.config.size("hidden_dim", c.d_ff, widest);
    r.config.choice("activation", activations_by_name(), c.activation);
    check_heads(r.config, "dim", c.d_model, "n_heads", c.heads);
    return read_bert(r, c, "DistilBert", {"DistilBertForMaskedLM"});
}

// rope_theta and rope_scaling, or both in rope_parameters.
void read_rotation(JsonReader& in, Index positions, Rotation& rotation) {
    in.positive("rope_theta", rotation.theta);
    const json* scaling = in.find("rope_parameters");
    const char* key = scaling ? "rope_parameters" : "rope_scaling";
    if (!scaling) scaling = in.find("rope_scaling");
    if (!scaling) return;
    if (!scaling->is_object()) return in.refuse("error.config_not_choice", key, *scaling, {"{…}"});
    JsonReader of(*scaling, in.file());
    of.positive("rope_theta", rotation.theta);
    std::string type = "default";
    of.text("type", type);
    of.text("rope_type", type);
    if (type == "linear" || type == "llama3") {
        rotation.scaling = type == "linear" ? Rotation::Scaling::linear : Rotation::Scaling::llama3;
        rotation.original_length = double(positions);
        of.positive("factor", rotation.factor);
        of.positive("low_freq_factor", rotation.low);
        of.positive("high_freq_factor", rotation.high);
        of.positive("original_max_position_embeddings", rotation.original_length);
        if (!of.error() && type == "llama3" && rotation.high <= rotation.low)
            in.refuse("error.config_range", "high_freq_factor", json(rotation.high),
                      {"high_freq_factor > low_freq_factor"});
    } else if (type != "default" && type != "dynamic") { // dynamic: unscaled as far as the model reaches
        in.refuse("error.config_not_choice", "rope_type", json(type), {"default, linear, llama3, dynamic"});
    }
    if (of.error()) in.refuse(*of.error());
}

FamilyResult read_llama(Reading& r, bool is_qwen) {
    LlamaConfig c;
    JsonReader& in = r.config;
    if (is_qwen) {
        c.d_ff = 22016, c.positions = 32768, c.vocabulary = 151936;
        c.ends.clear();
        c.biased_qkv = true;
        in.require("use_sliding_window", false);
        head_of(in, {"Qwen2ForCausalLM", "Qwen2Model"});
    } else {
        bool biased = false;
        in.flag("attention_bias", biased);
        c.biased_qkv = c.biased_o = biased;
        in.flag("mlp_bias", c.biased_mlp);
        head_of(in, {"LlamaForCausalLM", "LlamaModel"});
    }
    in.size("num_hidden_layers", c.layers, most_layers);
    in.size("num_attention_heads", c.heads, most_heads);
    c.key_heads = is_qwen && !in.find("num_key_value_heads") ? std::min<Index>(32, c.heads) : c.heads;
    in.size("num_key_value_heads", c.key_heads, most_heads);
    in.size("hidden_size", c.d_model, widest);
    in.size("intermediate_size", c.d_ff, widest);
    if (!in.find("head_dim")) check_heads(in, "hidden_size", c.d_model, "num_attention_heads", c.heads);
    c.d_k = std::max<Index>(1, c.d_model / c.heads);
    in.size("head_dim", c.d_k, widest_head);
    check_heads(in, "num_attention_heads", c.heads, "num_key_value_heads", c.key_heads);
    if (c.d_k % 2 != 0) in.refuse("error.config_range", "head_dim", json(c.d_k), {"head_dim mod 2 = 0"});
    in.size("max_position_embeddings", c.positions, most_positions);
    in.size("vocab_size", c.vocabulary, most_words);
    in.choice("hidden_act", activations_by_name(), c.activation);
    in.positive("rms_norm_eps", c.rms_norm_eps);
    in.flag("tie_word_embeddings", c.tied);
    read_rotation(in, c.positions, c.rotation);
    r.ids("eos_token_id", c.ends);
    keep_known(c.ends, c.vocabulary);
    c.words_said = words_said(r, c.words_said);
    c.before = r.around.before;
    return ended(r, [&] { return llama(c); });
}

FamilyResult read_marian(Reading& r) {
    MarianConfig c;
    JsonReader& in = r.config;
    head_of(in, {"MarianMTModel"});
    in.size("encoder_layers", c.encoder_layers, most_layers);
    in.size("decoder_layers", c.decoder_layers, most_layers);
    in.size("encoder_attention_heads", c.encoder_heads, most_heads);
    in.size("decoder_attention_heads", c.decoder_heads, most_heads);
    in.size("d_model", c.d_model, widest);
    in.size("encoder_ffn_dim", c.encoder_d_ff, widest);
    in.size("decoder_ffn_dim", c.decoder_d_ff, widest);
    in.choice("activation_function", activations_by_name(), c.activation);
    in.flag("scale_embedding", c.scales_embeddings);
    in.size("max_position_embeddings", c.positions, most_positions);
    in.size("vocab_size", c.source_vocabulary, most_words);
    c.target_vocabulary = c.source_vocabulary;
    in.size("decoder_vocab_size", c.target_vocabulary, most_words);
    in.flag("share_encoder_decoder_embeddings", c.shares_embeddings);
    if (c.shares_embeddings && c.target_vocabulary != c.source_vocabulary)
        in.refuse({"error.config_range",
                   {in.file(), "decoder_vocab_size", std::to_string(c.target_vocabulary),
                    "decoder_vocab_size = vocab_size"}});
    in.flag("tie_word_embeddings", c.tied);
    in.id("pad_token_id", c.pad);
    in.id("eos_token_id", c.end);
    c.start = c.pad;
    in.id("decoder_start_token_id", c.start);
    for (const auto& [key, id] : {std::pair{"pad_token_id", c.pad}, std::pair{"eos_token_id", c.end},
                                  std::pair{"decoder_start_token_id", c.start}})
        check_ids(in, key, {id}, std::min(c.source_vocabulary, c.target_vocabulary));
    check_heads(in, "d_model", c.d_model, "encoder_attention_heads", c.encoder_heads);
    check_heads(in, "d_model", c.d_model, "decoder_attention_heads", c.decoder_heads);
    c.never = {c.pad};
    // The start and the forced end count as well; the end need not be fed.
    if (const Index longest = r.longest("max_length"); longest > 1) c.most_fed = longest - 1;
    c.stored_source_positions = r.has_weight(c.prefix, "encoder.embed_positions.weight");
    c.stored_target_positions = r.has_weight(c.prefix, "decoder.embed_positions.weight");
    return ended(r, [&] { return marian(c); });
}

using Read = FamilyResult (*)(Reading&);
const std::vector<std::pair<std::string, Read>>& readers_of_families() {
    static const std::vector<std::pair<std::string, Read>>& all =
        lasting<std::vector<std::pair<std::string, Read>>>({
            {"gpt2", read_gpt2},
            {"bert", read_plain_bert},
            {"distilbert", read_distilbert},
            {"llama", [](Reading& r) { return read_llama(r, false); }},
            {"qwen2", [](Reading& r) { return read_llama(r, true); }},
            {"marian", read_marian},
        });
    return all;
}

} // namespace

std::string family_in_config(std::string_view text) {
    const Result<json> root = parse_json(text, {});
    if (!root || !root->is_object() || root->contains("architecture")) return {};
    const auto type = root->find("model_type");
    if (type == root->end() || !type->is_string() || *type == "encoder-decoder") return {};
    return type->get<std::string>();
}

std::string families_that_open() {
    std::string names;
    for (const auto& [name, read] : readers_of_families()) names += (names.empty() ? "" : ", ") + name;
    return names;
}

FamilyResult family_from_config(std::string_view text, const std::string& file,
                                const FamilySurroundings& around) {
    const Result<json> root = parse_json(text, file);
    if (!root) return root.error();
    if (!root->is_object()) return Error{"error.config_not_object", {file}};
    Result<json> generation =
        parse_json(around.generation.empty() ? "{}" : around.generation, "generation_config.json");
    if (!generation) return generation.error();
    if (!generation->is_object()) return Error{"error.config_not_object", {"generation_config.json"}};
    if (const auto method = root->find("quantization_config"); method != root->end() && !method->is_null()) {
        const bool has_name = method->is_object() && method->contains("quant_method");
        return Error{"error.family_quantized",
                     {file, quoted(has_name ? (*method)["quant_method"] : *method)}};
    }
    const std::string type = family_in_config(text);
    Reading reading{JsonReader(*root, file), JsonReader(*generation, "generation_config.json"), around};
    for (const auto& [name, read] : readers_of_families())
        if (name == type) return read(reading);
    return Error{"error.family_unknown", {file, type, families_that_open()}};
}

} // namespace headlight
