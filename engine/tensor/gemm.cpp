#include "engine/tensor/gemm.h"

#include "engine/tensor/gemm.h"
#include "engine/tensor/lanes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headlight {

namespace {

// A tile of C lives in registers while its products are added: six rows of two vectors leave room, of 16
// registers, for two vectors of B and one number of A; twelve, of AVX-512's 32.
#ifdef __AVX512F__
constexpr Index tall = 12;
#else
constexpr Index tall = 6;
#endif
constexpr Index wide = 2 * lanes;
// Blocks that stay in the first-level cache (a strip of B, deep × wide) and in the second (of A, high × deep;
// of B, deep × broad).
constexpr Index deep = 256, high = 96, broad = 512;

// Strips of B one after another, each [depth × wide]; panels of A, each [depth × tall].
struct Scratch {
    alignas(64) std::array<Real, std::size_t(deep* broad)> b;
    alignas(64) std::array<Real, std::size_t(deep* high + lanes)> a;
    alignas(64) std::array<Real, std::size_t(tall* wide)> tile; // where C has no room for a whole one
};

// What all tiles of a strip share. Passed by reference: copying it would cost as much as a small tile.
struct Strip {
    Index depth;
    Index a_down, a_right;
    const Real* b;
    Index b_down, start_down, c_down;
};

// Of as many vectors side by side: two, or one where there are no more columns.
template <Index height, Index vectors>
void tile(const Strip& s, const Real* a, const Real* start, Real* c) {
    Lanes sum[height][vectors];
#pragma GCC unroll 12
    for (Index i = 0; i < height; ++i)
#pragma GCC unroll 2
        for (Index v = 0; v < vectors; ++v)
            sum[i][v] = start ? load(start + i * s.start_down + v * lanes) : Lanes{};
    const Real* b = s.b;
    for (Index k = 0; k < s.depth; ++k, a += s.a_right, b += s.b_down) {
        Lanes row[vectors];
#pragma GCC unroll 2
        for (Index v = 0; v < vectors; ++v) row[v] = load(b + v * lanes);
#pragma GCC unroll 12
        for (Index i = 0; i < height; ++i) {
            const Lanes x = in_all_lanes(a[i * s.a_down]);
#pragma GCC unroll 2
            for (Index v = 0; v < vectors; ++v) sum[i][v] += x * row[v];
        }
    }
#pragma GCC unroll 12
    for (Index i = 0; i < height; ++i)
#pragma GCC unroll 2
        for (Index v = 0; v < vectors; ++v) store(c + i * s.c_down + v * lanes, sum[i][v]);
}

using Tile = void (*)(const Strip&, const Real* a, const Real* start, Real* c);
// By its height, 1 … tall.
template <Index vectors, Index... heights>
constexpr auto tiles_of(std::integer_sequence<Index, heights...>) {
    return std::array<Tile, std::size_t(tall)>{&tile<heights + 1, vectors>...};
}

// A strip of so many columns has room for one vector or two.
Index room_for(Index width) { return width <= lanes ? lanes : wide; }

Tile tile_of(Index height, Index room) {
    static constexpr auto narrow = tiles_of<1>(std::make_integer_sequence<Index, tall>());
    static constexpr auto whole = tiles_of<2>(std::make_integer_sequence<Index, tall>());
    return (room == lanes ? narrow : whole)[std::size_t(height - 1)];
}

// Fewer columns than a tile has: computed beside C, and what there is of it copied.
void narrow_tile(Index height, Index width, const Strip& strip, const Real* a, const Real* start, Real* c,
                 Real* beside) {
    const Index room = room_for(width);
    if (start)
        for (Index i = 0; i < height; ++i) {
            std::copy_n(start + i * strip.start_down, width, beside + i * room);
            std::fill_n(beside + i * room + width, room - width, Real(0));
        }
    Strip there = strip;
    there.start_down = there.c_down = room;
    tile_of(height, room)(there, a, start ? beside : nullptr, beside);
    for (Index i = 0; i < height; ++i) std::copy_n(beside + i * room, width, c + i * strip.c_down);
}

#if defined(__AVX__) && !defined(HEADLIGHT_REAL_DOUBLE)
constexpr Index square = 8;
using Eight [[gnu::vector_size(32)]] = Real;
using EightAnywhere [[gnu::vector_size(32), gnu::aligned(alignof(Real)), gnu::may_alias]] = Real;

// Eight rows of eight numbers become columns; of fewer rows than eight the last one fills the rest.
void transpose_square(const Real* from, Index from_down, Index count, Real* to, Index to_down) {
    Eight r[8], t[8];
    const auto put = [&](Index i, Eight numbers) {
        *reinterpret_cast<EightAnywhere*>(to + i * to_down) = numbers;
    };
#pragma GCC unroll 8
    for (Index i = 0; i < 8; ++i)
        r[i] = *reinterpret_cast<const EightAnywhere*>(from + std::min(i, count - 1) * from_down);
#pragma GCC unroll 8
    for (Index i = 0; i < 8; i += 2) {
        t[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        t[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
#pragma GCC unroll 8
    for (Index i = 0; i < 8; i += 4) {
        r[i] = __builtin_shufflevector(t[i], t[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        r[i + 1] = __builtin_shufflevector(t[i], t[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        r[i + 2] = __builtin_shufflevector(t[i + 1], t[i + 3], 0, 1, 8, 9, 4, 5, 12, 13);
        r[i + 3] = __builtin_shufflevector(t[i + 1], t[i + 3], 2, 3, 10, 11, 6, 7, 14, 15);
    }
#pragma GCC unroll 8
    for (Index i = 0; i < 4; ++i) {
        put(i, __builtin_shufflevector(r[i], r[i + 4], 0, 1, 2, 3, 8, 9, 10, 11));
        put(i + 4, __builtin_shufflevector(r[i], r[i + 4], 4, 5, 6, 7, 12, 13, 14, 15));
    }
}

// Of a strip that lies in columns: as many of its rows as can be turned in squares.
Index pack_in_squares(Index depth, Index width, Index room, MatrixView b, Real* to) {
    const Index turned = depth / square * square;
    for (Index k = 0; k < turned; k += square)
        for (Index j = 0; j < room; j += square) {
            const Index first = std::min(j, width - 1); // columns that nobody asks for may hold anything
            transpose_square(b.data + first * b.right + k, b.right, std::min(square, width - first),
                             to + k * room + j, room);
        }
    return turned;
}
#else
Index pack_in_squares(Index, Index, Index, MatrixView, Real*) { return 0; }
#endif

// [depth × width] of B as a strip that has room for more; what is beyond its width is any finite number.
void pack_strip(Index depth, Index width, MatrixView b, Real* to) {
    const Index room = room_for(width);
    Index first = 0;
    if (b.down == 1) first = pack_in_squares(depth, width, room, b, to);
    for (Index k = first; k < depth; ++k) {
        const Real* from = b.data + k * b.down;
        Real* row = to + k * room;
        if (width == room && b.right == 1)
            for (Index j = 0; j < room; j += lanes) store(row + j, load(from + j));
        else
            for (Index j = 0; j < room; ++j) row[j] = from[std::min(j, width - 1) * b.right];
    }
}

// Panels of A that lie in columns. `reads_on`: behind the last row lies memory of more rows.
void pack_panels(Index rows, Index depth, MatrixView a, bool reads_on, Real* to) {
    for (Index i = 0; i < rows; i += tall, to += depth * tall) {
        const Index height = std::min(tall, rows - i);
        const bool by_vectors = a.down == 1 && (reads_on || i + lanes <= rows);
        for (Index k = 0; k < depth; ++k)
            if (by_vectors && lanes >= tall) // what is stored too much, the next one overwrites
                store(to + k * tall, load(a.data + i + k * a.right));
            else
                for (Index q = 0; q < height; ++q) to[k * tall + q] = a(i + q, k);
    }
}

// How the blocks at hand are read.
struct Block {
    Index row, rows, inner, depth, column, columns; // of A and B
    bool packs_a, packs_b;
};

// One strip of B by all panels of A in the block.
void multiply_strip(const Block& block, Index j, MatrixView a, MatrixView b, StartOf start, Real* c,
                    Index down, Scratch& scratch) {
    const Index column = block.column + j, width = std::min(wide, block.columns - j);
    const MatrixView where = b.from(block.inner, column);
    Real* packed = scratch.b.data() + j * block.depth;
    const Index room = room_for(width);
    const bool is_packed = block.packs_b || width < room;
    if (is_packed && block.row == 0) pack_strip(block.depth, width, where, packed);
    const Strip strip{block.depth,
                      block.packs_a ? 1 : a.down,
                      block.packs_a ? tall : a.right,
                      is_packed ? packed : where.data,
                      is_packed ? room : where.down,
                      start.down,
                      down};
    for (Index i = 0; i < block.rows; i += tall) {
        const Index height = std::min(tall, block.rows - i), row = block.row + i;
        const Real* panel =
            block.packs_a ? scratch.a.data() + i * block.depth : a.from(row, block.inner).data;
        const Real* from = start.data ? start.data + row * start.down + column : nullptr;
        Real* to = c + row * down + column;
        if (width == room)
            tile_of(height, room)(strip, panel, from, to);
        else
            narrow_tile(height, width, strip, panel, from, to, scratch.tile.data());
    }
}

// Of few rows by a B that lies in columns, as weights do: Cᵀ = startᵀ + Bᵀ·Aᵀ. B is then read once where it
// lies, and only A is copied; a large model's weights come from memory faster than they could be turned.
constexpr Index few_strips = 3, deepest = deep * broad / (few_strips * wide);
bool can_be_turned(Index rows, Index inner, MatrixView a, MatrixView b) {
    return a.right == 1 && b.down == 1 && rows <= few_strips * wide && inner <= deepest && inner > 128;
}

void multiply_turned(Index rows, Index inner, Index columns, MatrixView a, MatrixView b, StartOf start,
                     Real* c, Index down, Scratch& scratch) {
    for (Index j = 0; j < rows; j += wide)
        pack_strip(inner, std::min(wide, rows - j), a.from(j, 0).transposed(), scratch.b.data() + j * inner);
    Real* const turned = scratch.tile.data();
    for (Index i = 0; i < columns; i += tall) {
        const Index height = std::min(tall, columns - i);
        for (Index j = 0; j < rows; j += wide) {
            const Index width = std::min(wide, rows - j), room = room_for(width);
            const auto number = [&](Index r, Index q) -> Real& { return turned[q * room + r]; };
            if (start.data)
                for (Index r = 0; r < width; ++r)
                    for (Index q = 0; q < height; ++q)
                        number(r, q) = start.data[(j + r) * start.down + i + q];
            const Strip strip{inner, b.right, 1, scratch.b.data() + j * inner, room, room, room};
            tile_of(height, room)(strip, b.data + i * b.right, start.data ? turned : nullptr, turned);
            for (Index r = 0; r < width; ++r)
                for (Index q = 0; q < height; ++q) c[(j + r) * down + i + q] = number(r, q);
        }
    }
}

bool are_few(Index rows, Index inner, MatrixView a, MatrixView b) {
    const bool lie_in_rows = a.right == 1 && (b.right == 1 || b.down == 1);
    return lie_in_rows && (rows < 4 || (rows < 8 && b.right != 1 && inner > 64));
}

} // namespace

void gemm(Index rows, Index inner, Index columns, MatrixView a, MatrixView b, StartOf start, Real* c,
          Index down) {
    if (inner == 0 || are_few(rows, inner, a, b))
        return multiply_few_rows(rows, inner, columns, a, b, start, c, down);
    static thread_local Scratch scratch; // of it a thread has the pages that it writes
    if (can_be_turned(rows, inner, a, b))
        return multiply_turned(rows, inner, columns, a, b, start, c, down, scratch);
    Block block{};
    // Copying pays where a strip is read by many tiles, or lies in columns; for A where its columns lie so
    // far apart that they push one another out of the cache.
    block.packs_b = b.right != 1 || rows > 4 * tall;
    block.packs_a = a.right > 64;
    for (block.column = 0; block.column < columns; block.column += broad) {
        block.columns = std::min(broad, columns - block.column);
        for (block.inner = 0; block.inner < inner; block.inner += deep) {
            block.depth = std::min(deep, inner - block.inner);
            const StartOf so_far = block.inner == 0 ? start : StartOf{c, down};
            for (block.row = 0; block.row < rows; block.row += high) {
                block.rows = std::min(high, rows - block.row);
                const bool reads_on = block.row + block.rows + lanes <= rows;
                if (block.packs_a)
                    pack_panels(block.rows, block.depth, a.from(block.row, block.inner), reads_on,
                                scratch.a.data());
                for (Index j = 0; j < block.columns; j += wide)
                    multiply_strip(block, j, a, b, so_far, c, down, scratch);
            }
        }
    }
}

Index gemm_lanes() { return lanes; }

} // namespace headlight
