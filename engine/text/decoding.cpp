#include "engine/text/decoding.h"

#include "engine/text/byte_level.h"
#include "engine/text/unicode.h"

#include <algorithm>

namespace headlight {

namespace {

using Texts = std::vector<std::string>;

std::string joined_texts(const Texts& texts) {
    std::string all;
    for (const std::string& text : texts) all += text;
    return all;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    if (from.empty()) return;
    std::string result;
    std::size_t done = 0;
    for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, done)) {
        result.append(text, done, at - done).append(to);
        done = at + from.size();
    }
    text = result.append(text, done, text.npos);
}

void clean_up(std::string& text) {
    constexpr std::pair<const char*, const char*> replacements[] = {
        {" .", "."},   {" ?", "?"},           {" !", "!"},   {" ,", ","},     {" ' ", "'"},   {" n't", "n't"},
        {" 'm", "'m"}, {" do not", " don't"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
    for (const auto& [from, to] : replacements) replace_all(text, from, to);
}

void join_word_pieces(Texts& tokens, const Decoding& step) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (i > 0) {
            if (tokens[i].starts_with(step.text))
                tokens[i].erase(0, step.text.size());
            else
                tokens[i].insert(0, " ");
        }
        if (step.cleanup) clean_up(tokens[i]);
    }
}

void replace_found(std::string& token, const Decoding& step) {
    const std::u32string characters = code_points(token);
    bool gave_up = false;
    std::string result;
    std::size_t done = 0;
    const std::u32string_view all = characters;
    for (const CharacterRange& match : step.pattern->find(all, gave_up)) {
        result += utf8(all.substr(done, match.begin - done)) + step.text;
        done = match.end;
    }
    token = result + utf8(all.substr(done));
}

Texts with_bytes(const Texts& tokens) {
    Texts result;
    std::string bytes;
    const auto end_bytes = [&] {
        if (bytes.empty()) return;
        if (is_valid_utf8(bytes))
            result.push_back(bytes);
        else
            for (std::size_t i = 0; i < bytes.size(); ++i) result.push_back("\uFFFD");
        bytes.clear();
    };
    for (const std::string& token : tokens) {
        if (const auto byte = fallback_byte(token)) {
            bytes += static_cast<char>(*byte);
            continue;
        }
        end_bytes();
        result.push_back(token);
    }
    end_bytes();
    return result;
}

void strip(std::string& token, const Decoding& step) {
    const std::size_t unit = step.text.size();
    if (unit == 0) return;
    std::string_view rest = token;
    for (std::size_t i = 0; i < step.start && rest.starts_with(step.text); ++i) rest.remove_prefix(unit);
    for (std::size_t i = 0; i < step.stop && rest.ends_with(step.text); ++i) rest.remove_suffix(unit);
    token = std::string(rest);
}

void apply(const Decoding& step, Texts& tokens) {
    switch (step.kind) {
    case Decoding::Kind::byte_level: {
        std::string bytes;
        for (const std::string& token : tokens) bytes += bytes_of_token(token);
        tokens = {valid_utf8(bytes)};
        break;
    }
    case Decoding::Kind::word_piece:
        join_word_pieces(tokens, step);
        break;
    case Decoding::Kind::metaspace:
        for (std::size_t i = 0; i < tokens.size(); ++i)
            replace_all(tokens[i], step.text, i == 0 && step.drops_first ? "" : " ");
        break;
    case Decoding::Kind::replace:
        for (std::string& token : tokens) replace_found(token, step);
        break;
    case Decoding::Kind::byte_fallback:
        tokens = with_bytes(tokens);
        break;
    case Decoding::Kind::fuse:
        tokens = {joined_texts(tokens)};
        break;
    case Decoding::Kind::strip:
        for (std::string& token : tokens) strip(token, step);
        break;
    case Decoding::Kind::bpe:
        for (std::size_t i = 0; i < tokens.size(); ++i)
            replace_all(tokens[i], step.text, i + 1 == tokens.size() ? "" : " ");
        break;
    }
}

} // namespace

std::string decoded(std::vector<std::string> tokens, const std::vector<Decoding>& steps) {
    for (const Decoding& step : steps) apply(step, tokens);
    return joined_texts(tokens);
}

} // namespace headlight
