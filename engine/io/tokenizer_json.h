// Hugging Face `tokenizers` files (tokenizer.json).
#pragma once

#include "engine/base/result.h"
#include "engine/text/tokenizer.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace headlight {

// Understood: normalizers NFC, NFD, NFKC, NFKD, Lowercase, StripAccents, Strip, Replace, Prepend,
// Precompiled, BertNormalizer; pre-tokenizers Whitespace, WhitespaceSplit, BertPreTokenizer, Punctuation,
// Digits, Split, ByteLevel, Metaspace; models WordLevel, BPE, WordPiece, Unigram; post-processors
// TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel; decoders ByteLevel, WordPiece, Metaspace,
// Replace, ByteFallback, Fuse, Strip, BPEDecoder; and Sequences of them. Anything else is an Error that names
// the part. Truncation and padding are passed over. Special tokens are those of the usual names (<pad>, <s>,
// [CLS], </s>, …), where there are any, and the model's unknown token.
Result<Tokenizer> read_tokenizer(const std::filesystem::path& path);
Result<Tokenizer> tokenizer_from_json(std::string_view text, const std::string& file);

// The file that the `tokenizers` library of Python loads and that cuts and numbers text as this tokenizer
// does. Only of a WordLevel model, or of byte pairs with merges: others are never made here, and keep the
// files that they came in.
std::string tokenizer_to_json(const Tokenizer& tokenizer);
Result<Done> write_tokenizer(const std::filesystem::path& path, const Tokenizer& tokenizer);

} // namespace headlight
