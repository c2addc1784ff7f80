#include "engine/inspect/patterns.h"

#include <cmath>

namespace headlight {

namespace {

// Corners are joined: the first query looks at the first key, the last at the last.
bool is_near_diagonal(Index query, Index key, const PatternWords& words) {
    const double queries = double(words.queries.size()), keys = double(words.keys.size());
    if (queries < 2 || keys < 2) return false;
    return std::abs(double(key) - double(query) * (keys - 1) / (queries - 1)) <= 1;
}

} // namespace

std::string name_of(HeadMeasure measure) {
    static const char* const names[head_measures] = {"self",      "previous",  "next",      "first",
                                                     "duplicate", "same_word", "induction", "diagonal"};
    return names[std::size_t(measure)];
}

bool is_in_pattern(HeadMeasure measure, Index query, Index key, const PatternWords& words) {
    const Index word = words.queries[std::size_t(query)];
    const auto holds = [&](Index place) { return words.keys[std::size_t(place)] == word; };
    switch (measure) {
    case HeadMeasure::self:
        return words.one_sentence && key == query;
    case HeadMeasure::previous:
        return words.one_sentence && key == query - 1;
    case HeadMeasure::next:
        return words.one_sentence && key == query + 1;
    case HeadMeasure::first:
        return key == 0;
    case HeadMeasure::duplicate:
        return words.one_sentence && key < query && holds(key);
    case HeadMeasure::same_word:
        return holds(key) && !(words.one_sentence && key == query);
    case HeadMeasure::induction:
        return words.one_sentence && key >= 1 && key <= query && holds(key - 1);
    case HeadMeasure::diagonal: // within a sentence it is self, previous and next
        return !words.one_sentence && is_near_diagonal(query, key, words);
    case HeadMeasure::count:
        break;
    }
    return false;
}

} // namespace headlight
