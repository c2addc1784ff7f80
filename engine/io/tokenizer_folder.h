// The tokenizers of a model folder, whichever files they are in.
#pragma once

#include "engine/base/result.h"
#include "engine/text/tokenizer.h"

#include <filesystem>
#include <string>

namespace headlight {

// The first of these that the folder has: tokenizer.json; tokenizer_source.json, tokenizer_target.json or
// both; source.spm, target.spm and vocab.json (Marian); vocab.json and merges.txt (GPT-2); vocab.txt (BERT);
// tokenizer.model (SentencePiece). Where there is one tokenizer, it is source and target both.
//
// Tokenizer::model_input puts round a sentence what the model is fed: what the post-processor of the file
// says; of our own models, `tokens </s>` for an encoder and `<s> tokens` for a decoder; of Marian, `tokens
// </s>` for both sides. Special ids are those that tokenizer_config.json, else config.json, name.
//
// `model_type` is that of config.json; the second form reads it there. No weights are read. Errors: none of
// the files, or what is wrong with them.
Result<Tokenizers> read_tokenizers(const std::filesystem::path& folder, const std::string& model_type);
Result<Tokenizers> read_tokenizers(const std::filesystem::path& folder);

} // namespace headlight
