// What the readers of the parts of a tokenizer.json share. For sources only: it shows the JSON library.
#pragma once

#include "engine/io/json_rows.h"
#include "engine/text/tokenizer.h"

#include <map>
#include <optional>
#include <string>

namespace headlight {

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

} // namespace headlight
