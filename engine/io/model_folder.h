// A model on disk: a folder with config.json, model.safetensors and its tokenizers, which PyTorch and the
// `tokenizers` library open too.
#pragma once

#include "engine/base/result.h"
#include "engine/io/folder_transaction.h"
#include "engine/io/safetensors.h"
#include "engine/model/family.h"
#include "engine/text/tokenizer.h"

#include <filesystem>

namespace headlight {

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

} // namespace headlight
