// Tokenizers of folders that have no tokenizer.json: GPT-2's, BERT's and Marian's own files.
#pragma once

#include "engine/io/sentencepiece_file.h"
#include "engine/io/tokenizer_settings.h"

namespace headlight {

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

} // namespace headlight
