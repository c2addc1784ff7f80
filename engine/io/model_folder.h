#pragma once

#include "engine/base/result.h"
#include "engine/io/folder_transaction.h"
#include "engine/io/safetensors.h"
#include "engine/model/config.h"
#include "engine/model/family.h"
#include "engine/text/tokenizer.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace headlight {

// A model on disk: a folder with config.json, model.safetensors and its tokenizers, which PyTorch and the
// `tokenizers` library open too.

struct ModelFiles {
    ModelConfig config;       // of another family: the sizes that it shares with ours
    Parameters parameters;    // of its family, or those of list_parameters(config)
    Tokenizer source, target; // with the special ids of the config; the same where there is one vocabulary
    std::shared_ptr<const Family> family = {}; // null: our own, all said by the config

    // A pass of these weights, or of others laid out as they are.
    std::unique_ptr<Model> build(Parameters& weights, const TransformerOptions& options = {}) const;
};

// Strict: every weight present, of its shape and finite, and no other; sizes that agree with each other. Tied
// embeddings may be there under their other names too, as PyTorch's state_dict() has them, with the same
// numbers. Each Error names the file and the key, the part or the weight.
Result<ModelFiles> read_model_folder(const std::filesystem::path& folder);

// Writes the folder, made if it is missing: all of it, or, after an Error, nothing. Weights that are not
// finite, or not when they are `stored`, are an Error. The vocabulary sizes of the config are those of the
// tokenizers.
Result<Done> write_model_folder(const std::filesystem::path& folder, const ModelConfig& config,
                                const Parameters& parameters, const Tokenizer& source,
                                const Tokenizer& target);
// The same as a part of a change, for those who write more into the folder.
Result<Done> write_model(FolderTransaction& to, const ModelConfig& config, const Parameters& parameters,
                         const Tokenizer& source, const Tokenizer& target, StoredAs stored = StoredAs::f32);

// A folder of one of the families that others made, as it was downloaded.

// What a folder is that is no model: an adapter, or without a config.json a file of another program.
std::optional<Error> why_no_model(const std::filesystem::path& folder);

// config.json, which is `config`, the weights and the tokenizer, each checked; see weight_files.h.
Result<ModelFiles> read_family_folder(const std::filesystem::path& folder, const std::string& config);

// config.json of a model folder: sizes and choices of a Transformer.

constexpr Index longest_config = 16'000'000; // bytes of config.json, whoever wrote it

// Unknown keys are passed over, missing ones keep their defaults (vocabulary sizes: 0). A value of the wrong
// type, or an architecture that is not of ModelConfig, is an Error that names file and key. Whether the
// values make a model is check_config's question. Of one stack alone the keys of the other are passed over,
// and a model of classes has a list "labels" of their names in place of "target_vocab_size".
Result<ModelConfig> config_from_json(std::string_view text, const std::string& file);
Result<ModelConfig> read_config(const std::filesystem::path& path);
// Whether it is such a file at all, whatever else is in it.
bool names_architecture(std::string_view text);
std::string config_to_json(const ModelConfig& config);

// Whether a model of these sizes can be made at all: sizes positive and not absurd, heads that share d_model
// evenly, classes with names of their own, special ids inside both vocabularies, no more than 2³⁰ weights.
// `where` is named in the Error: a file, or what the person typed the sizes into. A config that passes never
// fails to declare its parameters.
Result<Done> check_config(const ModelConfig& config, const std::string& where);

// "rnn-attention", as config.json says it.
std::string architecture_name(Architecture architecture);

// config.json of the families that others made: GPT-2, BERT, DistilBERT, Llama, Qwen2, Marian, as Hugging
// Face writes it.

// What of a family's model other files than config.json say.
struct FamilySurroundings {
    std::string generation = {}; // text of generation_config.json; empty: there is none
    // Whether the weights hold one of this very name.
    std::function<bool(const std::string&)> has_weight = [](const std::string&) { return false; };
    std::vector<TokenId> before = {}, after = {}; // what the tokenizer puts around a text
};

// "gpt2" of a config that says so under "model_type" and names no "architecture" of ours; "" of any other,
// also of one that cannot be read.
std::string family_in_config(std::string_view text);

// "gpt2, bert, …": those that open.
std::string families_that_open();

// Missing keys are as in transformers, unknown ones are passed over; both spellings of what was renamed are
// read. Errors name file and key: a family, a head or a choice that is not computed here, a value of the
// wrong type, sizes that make no model, weights that are quantized.
Result<std::shared_ptr<const Family>> family_from_config(std::string_view text, const std::string& file,
                                                         const FamilySurroundings& around);

} // namespace headlight
