#pragma once

#include "engine/base/result.h"
#include "engine/io/json_reader.h"
#include "engine/text/bpe.h"
#include "engine/text/tokenizer.h"
#include "engine/text/vocabulary.h"

#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// The two regular expressions of our tokenizer files, in the dialect of Oniguruma that the `tokenizers`
// library compiles them with. (Its dot matches no newline, and it does not know (?s).)

constexpr const char* word_pattern = R"(\w+(?:['\-]\w+)*|[^\w\s])"; // Splitting::words
constexpr const char* character_pattern = R"([\s\S])";              // Splitting::characters

// The merges of byte-pair encoding as files have them: two tokens each, in the order of their ranks.

class BpeMerges {
public:
    BpeMerges(const Vocabulary& vocabulary, std::string file)
        : vocabulary_(vocabulary), file_(std::move(file)) {}

    void reserve(std::size_t merges) { pairs_.reserve(merges); }
    // “a b”: a space between the two, and no other. False: it is not that, or one of the two, or both joined,
    // is no token of the model; `error` then says which merge.
    bool add(std::string_view merge);
    bool add(std::string_view left, std::string_view right);
    const Error& error() const { return error_; }
    std::vector<Bpe::Pair> take() { return std::move(pairs_); }

private:
    bool refuse(std::string_view left, std::string_view right);
    const Vocabulary& vocabulary_;
    std::string file_;
    std::vector<Bpe::Pair> pairs_;
    std::string joined_;
    Error error_;
};

// A vocabulary in the making, from files whose ids may be anything.

class VocabularyBuilder {
public:
    // About as many tokens as will come. An id more than twice as large (and a thousand) is refused: a file
    // must not ask for more memory than it is worth.
    VocabularyBuilder(std::string file, std::size_t expected);

    // Errors: a token that is there already, an id that is taken or makes no sense. `shown` is how the Error
    // quotes an id that is no number.
    std::optional<Error> add(std::string token, std::int64_t id, const std::string& shown = {});
    // A token of its own may be one of the model's, under the same id, or a new one.
    std::optional<Error> add_whole(const std::string& token, std::int64_t id, AddedToken how,
                                   const std::string& shown = {});
    // The first id below the largest that has no token, as an Error; nothing: there is none.
    std::optional<Error> hole() const;

    static constexpr std::int64_t no_number = std::numeric_limits<std::int64_t>::min(); // an id that is none
    TokenId find(std::string_view token) const;                        // no_token: it is not there
    TokenId find_any(std::initializer_list<const char*> tokens) const; // the first that is there
    std::size_t size() const { return tokens_.size(); }
    Vocabulary finish(const SpecialTokens& specials); // what is left of the builder is not used again

private:
    Error wrong_id(const std::string& token, std::int64_t id, const std::string& shown) const;
    std::string file_;
    std::size_t limit_;
    std::vector<std::string> tokens_;
    std::vector<bool> taken_;
    TokenIndex index_;
    std::vector<AddedToken> added_;
};

// tokenizer_config.json and added_tokens.json, which stand beside the files of a tokenizer and say how it was
// meant.

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

// What the readers of the parts of a tokenizer.json share. For sources only: it shows the JSON library.

// Keeps the first thing that is wrong with a file; reading goes on to no effect.
class TokenizerFaults {
public:
    explicit TokenizerFaults(std::string file) : file_(std::move(file)) {}

    const std::string& file() const { return file_; }
    const std::optional<Error>& first() const { return first_; }
    void refuse(Error error) {
        if (!first_) first_ = std::move(error);
    }
    // `part` is called as a person finds it: “pre_tokenizer.pretokenizers[1].behavior”.
    void refuse(const std::string& part, const nlohmann::json& value) {
        refuse(Error{"error.tokenizer_unsupported", {file_, part, quoted(value)}});
    }

private:
    std::string file_;
    std::optional<Error> first_;
};

// A value of the file, and what it is called. What is missing is null.
class TokenizerPart {
public:
    TokenizerPart(const nlohmann::json& value, std::string name, TokenizerFaults& faults)
        : value_(value), name_(std::move(name)), faults_(faults) {}

    const nlohmann::json& value() const { return value_; }
    const std::string& name() const { return name_; }
    TokenizerFaults& faults() const { return faults_; }
    bool is_missing() const { return value_.is_null(); }
    void refuse() const { faults_.refuse(name_, value_); }

    TokenizerPart operator[](const char* key) const;
    TokenizerPart operator[](std::size_t place) const; // of a list
    std::size_t size() const { return value_.is_array() ? value_.size() : 0; }

    // Missing: `otherwise`; of another type: refused, and `otherwise`.
    bool flag(bool otherwise) const;
    std::string text(const std::string& otherwise = {}) const;
    std::size_t count(std::size_t otherwise, std::size_t most) const;
    // The “type” of a step. One that is no object, or has none, is refused.
    std::string type() const;
    void refuse_type() const { faults_.refuse(name_, value_["type"]); }
    // {"String": …} or {"Regex": …}.
    std::optional<Pattern> pattern() const;
    // Calls read(step) for each of a Sequence's steps under `key`; most of them are a few.
    template <class Read>
    void for_each_step(const char* key, Read read) const {
        constexpr std::size_t most_steps = 32;
        const TokenizerPart list = (*this)[key];
        if (!list.value().is_array() || list.size() > most_steps) return list.refuse();
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (list[i].is_missing()) list[i].refuse();
            if (!faults_.first()) read(list[i]);
        }
    }

private:
    const nlohmann::json& value_;
    std::string name_;
    TokenizerFaults& faults_;
};

void read_normalizer(const TokenizerPart& step, std::vector<Normalization>& steps);
// How much longer a chain of steps may make a text: ten replacements of “a” by a hundred “a” would make 10²⁰
// characters out of one, and so would bytes that are written as bytes again and again.
void check_growth(const std::vector<Normalization>& steps, TokenizerFaults& faults);
void check_growth(const std::vector<PreTokenization>& steps, TokenizerFaults& faults);
void check_growth(const std::vector<Decoding>& steps, TokenizerFaults& faults);
void read_pre_tokenizer(const TokenizerPart& step, std::vector<PreTokenization>& steps);
void read_decoder(const TokenizerPart& step, std::vector<Decoding>& steps);
void read_post_processor(const TokenizerPart& step, const Vocabulary& vocabulary, PostProcessing& processing);

// The long lists of a file: /model/vocab and /model/merges.
using TokenizerRows = std::map<std::string, JsonRows>;
// Vocabulary and model together: tokens are numbered by the one and used by the other.
void read_token_model(const TokenizerPart& root, TokenizerRows& rows, TokenizerParts& parts);

// Hugging Face `tokenizers` files (tokenizer.json).

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
