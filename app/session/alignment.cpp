#include "app/session/alignment.h"

#include <algorithm>
#include <map>

namespace headlight {

namespace {

// Length of the longest common subsequence of what begins at each pair of places.
class CommonLengths {
public:
    CommonLengths(std::span<const TokenId> first, std::span<const TokenId> second)
        : columns_(second.size() + 1), lengths_((first.size() + 1) * columns_, 0) {
        for (std::size_t i = first.size(); i-- > 0;)
            for (std::size_t j = second.size(); j-- > 0;)
                lengths_[i * columns_ + j] =
                    first[i] == second[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    }
    int at(std::size_t i, std::size_t j) const { return lengths_[i * columns_ + j]; }

private:
    std::size_t columns_;
    std::vector<int> lengths_;
};

// The words between two partners: one by one where there are as many, else each alone.
void add_between(std::vector<WordPair>& pairs, Index first, Index first_end, Index second, Index second_end) {
    const bool as_many = first_end - first == second_end - second;
    if (as_many) {
        while (first < first_end) pairs.push_back({first++, second++, false});
        return;
    }
    while (first < first_end) pairs.push_back({first++, -1, false});
    while (second < second_end) pairs.push_back({-1, second++, false});
}

} // namespace

std::vector<WordPair> align(std::span<const TokenId> first, std::span<const TokenId> second) {
    const CommonLengths common(first, second);
    std::vector<WordPair> pairs;
    std::size_t i = 0, j = 0, first_begin = 0, second_begin = 0;
    while (i < first.size() && j < second.size()) {
        if (first[i] == second[j]) {
            add_between(pairs, Index(first_begin), Index(i), Index(second_begin), Index(j));
            pairs.push_back({Index(i++), Index(j++), true});
            first_begin = i;
            second_begin = j;
        } else if (common.at(i + 1, j) >= common.at(i, j + 1)) {
            ++i;
        } else {
            ++j;
        }
    }
    add_between(pairs, Index(first_begin), Index(first.size()), Index(second_begin), Index(second.size()));
    return pairs;
}

std::vector<WordPair> align_words(const std::vector<std::string>& first,
                                  const std::vector<std::string>& second) {
    std::map<std::string, TokenId> known;
    const auto numbered = [&](const std::vector<std::string>& words) {
        std::vector<TokenId> numbers;
        for (const std::string& word : words)
            numbers.push_back(known.emplace(word, TokenId(known.size())).first->second);
        return numbers;
    };
    const std::vector<TokenId> ones = numbered(first), others = numbered(second);
    return align(ones, others);
}

std::vector<WordPair> align_places(std::span<const TokenId> first, std::span<const TokenId> second) {
    if (first.size() != second.size()) return align(first, second);
    std::vector<WordPair> pairs;
    for (std::size_t i = 0; i < first.size(); ++i)
        pairs.push_back({Index(i), Index(i), first[i] == second[i]});
    return pairs;
}

} // namespace headlight
