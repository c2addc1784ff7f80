// tokenizer_config.json and added_tokens.json, which stand beside the files of a tokenizer and say how it was
// meant.
#pragma once

#include "engine/base/result.h"
#include "engine/io/vocabulary_builder.h"

#include <filesystem>
#include <map>

namespace headlight {

struct TokenizerSettings {
    std::map<std::string, std::string> names; // “unk_token” → “<unk>”, …
    std::map<std::string, bool> flags;        // “do_lower_case”, “add_bos_token”, …
    struct Added {
        std::string text;
        std::int64_t id;
        AddedToken how; // all but the id
    };
    std::vector<Added> added;

    std::string name(const char* key, const char* otherwise) const;
    bool flag(const char* key, bool otherwise) const;
    std::optional<bool> flag(const char* key) const;
    // Adds `added` and, as special tokens, those of these names that are in the vocabulary.
    std::optional<Error> add_to(VocabularyBuilder& builder, const std::vector<std::string>& specials) const;
};

// Neither file need be there. Errors: one that is there and cannot be understood.
Result<TokenizerSettings> read_tokenizer_settings(const std::filesystem::path& folder);

} // namespace headlight
