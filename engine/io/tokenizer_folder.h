#pragma once

#include "engine/base/result.h"
#include "engine/io/sentencepiece_file.h"
#include "engine/io/tokenizer_json.h"
#include "engine/text/tokenizer.h"

#include <filesystem>
#include <string>

namespace headlight {

// Tokenizers of folders that have no tokenizer.json: GPT-2's, BERT's and Marian's own files.

// vocab.json, {token: id}, and merges.txt: a first line “#version …”, then a merge a line. `model_type` qwen2
// cuts by another expression and composes letters (NFC) first.
Result<Tokenizer> read_gpt2_files(const std::filesystem::path& folder, const TokenizerSettings& settings,
                                  const std::string& model_type);

// vocab.txt: a token a line, its id the line's number from 0; of one that stands twice the later line counts.
// [CLS] and [SEP] are put round a sentence.
Result<Tokenizer> read_bert_file(const std::filesystem::path& folder, const TokenizerSettings& settings);

// The pieces of a .spm file with the ids of vocab.json (target_vocab.json: the target's own, where it is
// meant);
// </s> at the end.
Result<Tokenizers> read_marian_files(const std::filesystem::path& folder, const TokenizerSettings& settings);

// The tokenizers of a model folder, whichever files they are in.

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
