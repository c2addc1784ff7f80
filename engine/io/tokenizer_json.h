// Hugging Face `tokenizers` files (tokenizer.json) with a WordLevel model.
#pragma once

#include "engine/base/result.h"
#include "engine/text/tokenizer.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace headlight {

// Understood: normalizers NFC, NFD, NFKC, NFKD, Lowercase, StripAccents, Replace (of a String),
// BertNormalizer and Sequence of them; pre-tokenizers Whitespace, WhitespaceSplit, BertPreTokenizer,
// Punctuation, Split with the patterns that write_tokenizer writes, and Sequence of them; decoder none or
// Fuse. Anything else is an Error that names the part. post_processor, truncation and padding are passed
// over: what stands around a sentence is the model's business. The special tokens are those named <pad>, <s>
// and </s>, where there are any, and the model's unk_token.
Result<Tokenizer> read_tokenizer(const std::filesystem::path& path);
Result<Tokenizer> tokenizer_from_json(std::string_view text, const std::string& file);

// The file that the `tokenizers` library of Python loads and that cuts and numbers text as this tokenizer
// does.
std::string tokenizer_to_json(const Tokenizer& tokenizer);
Result<Done> write_tokenizer(const std::filesystem::path& path, const Tokenizer& tokenizer);

} // namespace headlight
