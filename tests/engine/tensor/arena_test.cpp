#include "engine/tensor/tensor.h"

#include <doctest/doctest.h>

#include <cstdint>

using namespace headlight;

TEST_CASE("an arena hands out the same bytes again after a release, and allocates nothing new") {
    Arena arena;
    const Arena::Mark start = arena.mark();
    Real* first = arena.allocate({1, 3, 5}).data();
    for (int i = 0; i < 50; ++i) arena.allocate({4, 100, 100});
    const std::size_t held = arena.bytes();
    arena.release(start);
    CHECK(arena.allocate({1, 3, 5}).data() == first);
    for (int i = 0; i < 50; ++i) arena.allocate({4, 100, 100});
    CHECK(arena.bytes() == held);
}

TEST_CASE("tensors of an arena are aligned and do not overlap") {
    Arena arena;
    Tensor a = arena.allocate({1, 1, 3});
    Tensor b = arena.allocate({2, 2, 2});
    CHECK(std::uintptr_t(a.data()) % 64 == 0);
    CHECK(std::uintptr_t(b.data()) % 64 == 0);
    CHECK(b.data() >= a.data() + a.size());
}

TEST_CASE("a shape of one batch is written as a matrix") {
    CHECK(to_string(Shape{1, 12, 64}) == "[12 × 64]");
    CHECK(to_string(Shape{4, 12, 16}) == "[4 × 12 × 16]");
}
