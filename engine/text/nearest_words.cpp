#include "engine/text/nearest_words.h"

#include "engine/text/unicode.h"

#include <algorithm>
#include <numeric>

namespace headlight {

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

    // Half of its letters and no more than a slip of the hand makes: what is farther is another word, not this one.
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

} // namespace headlight
