#include "engine/text/words.h"
#include "engine/base/check.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

namespace headlight {

std::string_view trim(std::string_view text) {
    const std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string take_word(std::string_view& text) {
    const bool quoted = text.front() == '"';
    if (quoted) text.remove_prefix(1);
    const std::size_t end = std::min(quoted ? text.find('"') : text.find_first_of(" \t"), text.size());
    std::string word(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + (quoted ? 1 : 0)));
    text = trim(text);
    return word;
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    for (text = trim(text); !text.empty();) words.push_back(take_word(text));
    return words;
}

namespace {

std::optional<double> finite_number(const std::string& word) {
    double number = 0;
    const char* first = word.data() + (word.starts_with('+') ? 1 : 0);
    const auto [end, fault] = std::from_chars(first, word.data() + word.size(), number);
    if (fault != std::errc() || end != word.data() + word.size() || !std::isfinite(number)) return {};
    return number;
}

} // namespace

Result<double> number_of(const std::string& word) {
    if (const std::optional<double> number = finite_number(word)) return *number;
    return not_a_number(word);
}

Error not_a_number(const std::string& word) {
    std::string with_point = word;
    if (const std::size_t comma = word.find(','); comma != word.npos) with_point[comma] = '.';
    if (with_point != word && finite_number(with_point)) return {"error.decimal_comma", {word, with_point}};
    return {"error.not_a_number", {word}};
}

Result<long> whole_number_of(const std::string& word) {
    long number = 0;
    const char* first = word.data() + (word.starts_with('+') ? 1 : 0);
    const auto [end, fault] = std::from_chars(first, word.data() + word.size(), number);
    if (fault != std::errc() || end != word.data() + word.size())
        return Error{"error.not_a_whole_number", {word}};
    return number;
}

std::string exactly(double number) {
    char text[32];
    return {text, std::to_chars(std::begin(text), std::end(text), number).ptr};
}

namespace {

// How many bytes of a word's end are contracted: “'s”, “'ll”; 0: none.
std::size_t contracted_end(std::string_view word) {
    const std::string small = lowercase(word);
    for (const std::string_view end :
         {"'s", "'m", "'re", "'ve", "'ll", "'d", "’s", "’m", "’re", "’ve", "’ll", "’d"})
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
    const auto is_letter = [&](std::size_t i) {
        return i < signs.size() && is_joined_word_character(signs[i].value);
    };
    const auto joins = [&](std::size_t i) {
        return i < signs.size()
               && (signs[i].value == U'\'' || signs[i].value == U'’' || signs[i].value == U'-');
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
    const Result<Pattern> words = Pattern::regex("[^ .,!?;:]+|[.,!?;:]", "words.cpp");
    HEADLIGHT_CHECK(words, "the pattern of glosses");
    parts.pre_tokenizer = {PatternSplit{*words, SplitBehavior::removed, true}};
    std::vector<std::string> all{std::string(gloss_goes_on)};
    for (const std::string& gloss : glosses)
        if (gloss != gloss_goes_on) all.push_back(gloss);
    const Vocabulary named = Vocabulary::with_specials(all);
    std::vector<AddedToken> added = named.added();
    for (AddedToken& token : added)
        if (token.id == named.specials().unk)
            token.special = false; // said where a gloss is not known: it shows
    AddedToken goes_on;
    goes_on.id = *named.find(gloss_goes_on);
    added.push_back(goes_on);
    parts.vocabulary = Vocabulary(named.tokens(), named.specials(), std::move(added));
    return Tokenizer(std::move(parts));
}

std::optional<std::vector<TokenId>> glosses_of_pieces(std::string_view source,
                                                      const std::vector<Piece>& pieces,
                                                      const std::vector<TokenId>& glosses,
                                                      const Tokenizer& target) {
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
        while (next < words.size() && words[next].begin < piece.typed.end)
            ++next; // signs that one piece joins
    }
    return said;
}

namespace {
constexpr std::size_t longest_word = 64;
constexpr std::size_t most_slips = 3; // in a name
} // namespace

std::size_t edit_distance(std::u32string_view a, std::u32string_view b, std::size_t limit) {
    const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
    if (difference >= limit) return limit;
    std::vector<std::size_t> row(b.size() + 1); // distances of the first i of a to the first j of b
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
        if (*std::min_element(row.begin(), row.end()) >= limit) return limit;
    }
    return std::min(row.back(), limit);
}

std::vector<std::string> nearest_words(const std::vector<FoldedWord>& words, std::string_view word,
                                       std::size_t n) {
    struct Near {
        std::size_t distance; // twice the edits of the folded forms, and one when case or accents differ
        std::size_t place;
        bool operator<(const Near& other) const {
            return distance != other.distance ? distance < other.distance : place < other.place;
        }
    };
    const std::string typed = nfc(word);
    const std::u32string form = folded(typed);
    if (n == 0 || form.empty() || form.size() > longest_word) return {};

    // Half of its letters and no more than a slip of the hand makes: what is farther is another word, not
    // this one.
    const std::size_t limit = std::clamp<std::size_t>(form.size() / 2, 1, most_slips);
    std::vector<Near> nearest; // the best so far, in order
    for (std::size_t i = 0; i < words.size(); ++i) {
        const FoldedWord& candidate = words[i];
        if (candidate.folded.empty() || candidate.folded.size() > longest_word) continue;
        if (is_word_character(candidate.folded.front()) != is_word_character(form.front())) continue;
        // Once there are n, a candidate as far as the last of them is too far: it comes later in the
        // vocabulary.
        const std::size_t enough = nearest.size() < n ? 2 * limit + 2 : nearest.back().distance;
        const std::size_t edits = edit_distance(form, candidate.folded, enough / 2 + 1);
        const Near near = {2 * edits + (candidate.word == typed ? 0 : 1), i};
        if (near.distance >= enough) continue;
        nearest.insert(std::upper_bound(nearest.begin(), nearest.end(), near), near);
        if (nearest.size() > n) nearest.pop_back();
    }
    std::vector<std::string> result;
    for (const Near& near : nearest) result.push_back(words[near.place].word);
    return result;
}

std::optional<std::string> meant(std::string_view typed, const std::vector<std::string>& names) {
    const std::u32string form = code_points(typed);
    std::size_t limit = std::clamp<std::size_t>(form.size() / 2, 1, most_slips) + 1;
    std::optional<std::string> nearest;
    for (const std::string& name : names) {
        const std::size_t edits = edit_distance(form, code_points(name), limit);
        if (edits >= limit) continue;
        limit = edits;
        nearest = name;
    }
    return nearest;
}

namespace {

constexpr std::size_t longest = 6;
constexpr double beta_squared = 4;

std::map<std::u32string_view, int> counted(std::u32string_view text, std::size_t length) {
    std::map<std::u32string_view, int> pieces;
    for (std::size_t i = 0; i + length <= text.size(); ++i) ++pieces[text.substr(i, length)];
    return pieces;
}

std::u32string without_blanks(std::string_view text) {
    std::u32string characters = code_points(text);
    std::erase_if(characters, is_space);
    return characters;
}

std::string words_alone(std::string_view text) {
    std::u32string kept;
    for (const char32_t character : code_points(text))
        if (is_word_character(character)) append_lowercase(kept, character);
    return utf8(kept);
}

} // namespace

double chrf(std::string_view said, std::string_view wanted) {
    const std::u32string a = without_blanks(said), b = without_blanks(wanted);
    if (a.empty() || b.empty()) return 0;
    double precision = 0, recall = 0;
    int lengths = 0;
    for (std::size_t length = 1; length <= longest && length <= std::max(a.size(), b.size());
         ++length, ++lengths) {
        const auto ours = counted(a, length), theirs = counted(b, length);
        double common = 0;
        for (const auto& [piece, count] : ours)
            if (const auto other = theirs.find(piece); other != theirs.end())
                common += std::min(count, other->second);
        if (a.size() >= length) precision += common / double(a.size() - length + 1);
        if (b.size() >= length) recall += common / double(b.size() - length + 1);
    }
    precision /= lengths, recall /= lengths;
    if (precision + recall == 0) return 0;
    return (1 + beta_squared) * precision * recall / (beta_squared * precision + recall);
}

double chrf_of_words(std::string_view said, std::string_view wanted) {
    return chrf(words_alone(said), words_alone(wanted));
}

} // namespace headlight
