// config.json of the families that others made: GPT-2, BERT, DistilBERT, Llama, Qwen2, Marian, as Hugging
// Face writes it.
#pragma once

#include "engine/base/result.h"
#include "engine/model/family.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace headlight {

// What of a family's model other files than config.json say.
struct FamilySurroundings {
    std::string generation = {}; // text of generation_config.json; empty: there is none
    // Whether the weights hold this one; prefixes are the asker's business.
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
