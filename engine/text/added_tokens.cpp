#include "engine/text/added_tokens.h"

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

} // namespace headlight
