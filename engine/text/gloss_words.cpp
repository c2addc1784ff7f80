#include "engine/text/gloss_words.h"

#include "engine/base/check.h"
#include "engine/text/unicode.h"

#include <algorithm>

namespace headlight {

namespace {

// How many bytes of a word's end are contracted: “'s”, “'ll”; 0: none.
std::size_t contracted_end(std::string_view word) {
    const std::string small = lowercase(word);
    for (const std::string_view end : {"'s", "'m", "'re", "'ve", "'ll", "'d", "’s", "’m", "’re", "’ve", "’ll", "’d"})
        if (small.size() > end.size() && small.ends_with(end)) return end.size();
    return 0;
}

} // namespace

std::vector<TypedRange> gloss_words(std::string_view text) {
    struct Sign {
        char32_t value;
        std::size_t at;
    };
    std::vector<Sign> signs;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint next = first_code_point(text.substr(at));
        signs.push_back({next.value, at});
        at += next.bytes;
    }
    const auto begin = [&](std::size_t i) { return i < signs.size() ? signs[i].at : text.size(); };
    const auto is_letter = [&](std::size_t i) { return i < signs.size() && is_joined_word_character(signs[i].value); };
    const auto joins = [&](std::size_t i) {
        return i < signs.size() && (signs[i].value == U'\'' || signs[i].value == U'’' || signs[i].value == U'-');
    };
    std::vector<TypedRange> words;
    for (std::size_t i = 0; i < signs.size();) {
        const std::size_t first = i;
        if (is_space(signs[i].value)) {
            ++i;
            continue;
        }
        if (!is_letter(i)) {
            while (i < signs.size() && !is_letter(i) && !is_space(signs[i].value)) ++i;
            words.push_back({begin(first), begin(i)});
            continue;
        }
        while (is_letter(i) || (joins(i) && is_letter(i + 1))) ++i;
        const std::size_t end = begin(i);
        const std::size_t contracted = contracted_end(text.substr(begin(first), end - begin(first)));
        words.push_back({begin(first), end - contracted});
        if (contracted > 0) words.push_back({end - contracted, end});
    }
    return words;
}

Tokenizer gloss_tokenizer(const std::vector<std::string>& glosses) {
    TokenizerParts parts;
    parts.normalizer.push_back({Normalization::Kind::nfc});
    const Result<Pattern> words = Pattern::regex("[^ .,!?;:]+|[.,!?;:]", "gloss_words.cpp");
    HEADLIGHT_CHECK(words, "the pattern of glosses");
    parts.pre_tokenizer = {PatternSplit{*words, SplitBehavior::removed, true}};
    std::vector<std::string> all{std::string(gloss_goes_on)};
    for (const std::string& gloss : glosses)
        if (gloss != gloss_goes_on) all.push_back(gloss);
    const Vocabulary named = Vocabulary::with_specials(all);
    std::vector<AddedToken> added = named.added();
    for (AddedToken& token : added)
        if (token.id == named.specials().unk) token.special = false; // said where a gloss is not known: it shows
    AddedToken goes_on;
    goes_on.id = *named.find(gloss_goes_on);
    added.push_back(goes_on);
    parts.vocabulary = Vocabulary(named.tokens(), named.specials(), std::move(added));
    return Tokenizer(std::move(parts));
}

std::optional<std::vector<TokenId>> glosses_of_pieces(std::string_view source, const std::vector<Piece>& pieces,
                                                      const std::vector<TokenId>& glosses, const Tokenizer& target) {
    const std::vector<TypedRange> words = gloss_words(source);
    if (words.size() != glosses.size()) return std::nullopt;
    const Vocabulary& vocabulary = target.vocabulary();
    const TokenId goes_on = vocabulary.find(gloss_goes_on).value_or(vocabulary.specials().unk);
    std::vector<TokenId> said;
    std::size_t next = 0;
    for (const Piece& piece : pieces) {
        const bool begins = next < words.size() && piece.typed.end > words[next].begin;
        said.push_back(begins ? glosses[next] : goes_on);
        if (begins) ++next;
        while (next < words.size() && words[next].begin < piece.typed.end) ++next; // signs that one piece joins
    }
    return said;
}

} // namespace headlight
