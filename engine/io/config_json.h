// config.json of a model folder: sizes and choices of a Transformer.
#pragma once

#include "engine/base/result.h"
#include "engine/model/config.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace headlight {

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

} // namespace headlight
