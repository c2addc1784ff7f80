#include "app/session/translation.h"
#include "engine/tensor/random.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace headlight;

namespace {

using Ids = std::vector<TokenId>;

Index same_words(const std::vector<WordPair>& pairs) {
    return std::count_if(pairs.begin(), pairs.end(), [](const WordPair& p) { return p.same; });
}

// By trying everything: the longest common subsequence of what begins at i and j.
Index longest(const Ids& first, const Ids& second, std::size_t i = 0, std::size_t j = 0) {
    if (i == first.size() || j == second.size()) return 0;
    if (first[i] == second[j]) return 1 + longest(first, second, i + 1, j + 1);
    return std::max(longest(first, second, i + 1, j), longest(first, second, i, j + 1));
}

} // namespace

TEST_CASE("words that stand in the same place between shared words are partners, though not the same") {
    CHECK(align(Ids{1, 2, 3, 9}, Ids{1, 2, 4, 9})
          == std::vector<WordPair>{{0, 0, true}, {1, 1, true}, {2, 2, false}, {3, 3, true}});
}

TEST_CASE("words that the other sentence has no place for stay alone") {
    CHECK(
        align(Ids{5, 6, 7, 9}, Ids{8, 7, 9})
        == std::vector<WordPair>{{0, -1, false}, {1, -1, false}, {-1, 0, false}, {2, 1, true}, {3, 2, true}});
    CHECK(align(Ids{}, Ids{3}) == std::vector<WordPair>{{-1, 0, false}});
    CHECK(align(Ids{}, Ids{}).empty());
}

TEST_CASE("an alignment has every word of both once and in order, and shares as many as can be shared") {
    Random random(5);
    for (int trial = 0; trial < 200; ++trial) {
        const auto some = [&] {
            Ids ids(std::size_t(random.below(9)));
            for (TokenId& id : ids) id = TokenId(random.below(4));
            return ids;
        };
        const Ids first = some(), second = some();
        const std::vector<WordPair> pairs = align(first, second);
        Index next_first = 0, next_second = 0;
        for (const WordPair& pair : pairs) {
            CHECK((pair.first >= 0 || pair.second >= 0));
            if (pair.first >= 0) CHECK(pair.first == next_first++);
            if (pair.second >= 0) CHECK(pair.second == next_second++);
            if (pair.both())
                CHECK(pair.same == (first[std::size_t(pair.first)] == second[std::size_t(pair.second)]));
        }
        CHECK(next_first == Index(first.size()));
        CHECK(next_second == Index(second.size()));
        CHECK(same_words(pairs) >= longest(first, second));
    }
}

TEST_CASE("words that have only moved on have their partners, and are not taken for changed") {
    const std::vector<WordPair> pairs =
        align_words({"O", "gato", "porque", "ele", "estava", "cansado"},
                    {"O", "cão", "preto", "porque", "ele", "estava", "cansado"});
    Index kept = 0;
    for (const WordPair& pair : pairs)
        if (pair.same) {
            ++kept;
            CHECK(pair.second - pair.first == (pair.first == 0 ? 0 : 1));
        }
    CHECK(kept == 5);
}

TEST_CASE("sentences of one length are aligned place by place, as patching takes them") {
    const std::vector<WordPair> pairs = align_places(Ids{1, 2, 3, 2}, Ids{1, 3, 2, 2});
    REQUIRE(pairs.size() == 4);
    for (Index i = 0; i < 4; ++i)
        CHECK((pairs[std::size_t(i)].first == i && pairs[std::size_t(i)].second == i));
    CHECK(pairs[0].same);
    CHECK_FALSE(pairs[1].same);
    CHECK(align_places(Ids{1, 2, 3}, Ids{1, 3}) == align(Ids{1, 2, 3}, Ids{1, 3}));
}
