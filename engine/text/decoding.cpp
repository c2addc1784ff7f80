#include "engine/text/decoding.h"
#include "engine/text/bpe.h"
#include "engine/text/unicode.h"

#include <algorithm>

namespace headlight {

AddedTokens::AddedTokens(const Vocabulary& vocabulary, const std::vector<Normalization>& normalizer) {
    for (const AddedToken& token : vocabulary.added()) {
        const std::string& text = vocabulary.token(token.id);
        if (!token.normalized) {
            typed_.add(token, text);
            continue;
        }
        AlignedText changed = aligned(text);
        bool gave_up = false;
        for (const Normalization& step : normalizer) apply(step, changed, gave_up);
        normalized_.add(token, utf8(changed.characters));
    }
}

void AddedTokens::Search::add(const AddedToken& token, std::string_view text) {
    if (text.empty() || tree.longest_prefix(text).first == text.size()) return; // the first one counts
    tree.insert(text, std::uint32_t(tokens.size()));
    tokens.push_back(token);
}

std::vector<AddedTokens::Match> AddedTokens::Search::find(const AlignedText& text) const {
    std::vector<Match> found;
    if (tokens.empty()) return found;
    const std::u32string& characters = text.characters;
    std::string bytes;
    std::vector<std::size_t> starts; // byte of each character, and of the end
    starts.reserve(characters.size() + 1);
    for (char32_t c : characters) {
        starts.push_back(bytes.size());
        append_utf8(bytes, c);
    }
    starts.push_back(bytes.size());

    std::size_t done = 0;
    for (std::size_t i = 0; i < characters.size();) {
        const auto [length, place] = tree.longest_prefix(std::string_view(bytes).substr(starts[i]));
        if (length == 0) {
            ++i;
            continue;
        }
        const auto end_place = std::lower_bound(starts.begin(), starts.end(), starts[i] + length);
        std::size_t begin = i, end = std::size_t(end_place - starts.begin());
        i = end; // the next search goes on here, whatever becomes of this one
        const AddedToken& token = tokens[place];
        const bool touches = (begin > 0 && is_joined_word_character(characters[begin - 1]))
                             || (end < characters.size() && is_joined_word_character(characters[end]));
        if (token.single_word && touches) continue;
        while (token.lstrip && begin > done && is_space(characters[begin - 1])) --begin;
        while (token.rstrip && end < characters.size() && is_space(characters[end])) ++end;
        begin = std::max(begin, done); // a token of white space may have been taken along already
        end = std::max(begin, end);
        found.push_back({{begin, end}, token.id});
        done = end;
    }
    return found;
}

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

namespace {

using TemplateItem = PostProcessing::Item;

void append(ModelInput& input, std::span<const TokenId> sentence, int type) {
    for (std::size_t i = 0; i < sentence.size(); ++i) {
        input.ids.push_back(sentence[i]);
        input.types.push_back(type);
        input.pieces.push_back(std::ptrdiff_t(i));
    }
}

ModelInput filled(const std::vector<TemplateItem>& items, std::span<const TokenId> first,
                  std::span<const TokenId> second) {
    ModelInput input;
    for (const TemplateItem& item : items) {
        switch (item.what) {
        case TemplateItem::What::token:
            input.ids.push_back(item.id);
            input.types.push_back(item.type);
            input.pieces.push_back(ModelInput::added);
            break;
        case TemplateItem::What::first:
            append(input, first, item.type);
            break;
        case TemplateItem::What::second:
            append(input, second, item.type);
            break;
        }
    }
    return input;
}

const TemplateItem first_sentence = {TemplateItem::What::first, no_token, 0};

} // namespace

PostProcessing PostProcessing::with_begin(TokenId id) {
    const TemplateItem begin = {TemplateItem::What::token, id, 0};
    return {{begin, first_sentence},
            {begin, first_sentence, begin, {TemplateItem::What::second, no_token, 1}}};
}

PostProcessing PostProcessing::with_end(TokenId id) {
    const TemplateItem end = {TemplateItem::What::token, id, 0};
    return {{first_sentence, end}, {first_sentence, {TemplateItem::What::second, no_token, 0}, end}};
}

ModelInput model_input(const PostProcessing& processing, std::span<const TokenId> sentence) {
    const std::vector<TemplateItem> plain = {first_sentence};
    return filled(processing.single.empty() ? plain : processing.single, sentence, {});
}

ModelInput model_input(const PostProcessing& processing, std::span<const TokenId> first,
                       std::span<const TokenId> second) {
    const std::vector<TemplateItem> plain = {first_sentence, {TemplateItem::What::second, no_token, 0}};
    return filled(processing.pair.empty() ? plain : processing.pair, first, second);
}

} // namespace headlight
