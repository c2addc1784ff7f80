#pragma once

#include "engine/graph/edits.h"
#include "engine/tensor/real.h"

#include <string>
#include <string_view>

namespace headlight {

// What the rows and columns of a value stand for. Operations say so, given the axes of what they read, so
// every matrix on the screen has its labels and a new architecture needs none of its own.

struct Node;

struct Axis {
    enum class Kind {
        positions,  // of the sequence fed to `tokens`
        features,   // numbers of a vector: d_model, d_k, d_ff
        vocabulary, // the words that `tokens` are chosen from
        classes,    // what a sequence is sorted into
        single,     // one row or column: token ids, a bias
    };
    Kind kind = Kind::features;
    // Of positions and words: the node of token ids that they belong to; null of words that nothing reads.
    const Node* tokens = nullptr;

    bool operator==(const Axis&) const = default;
};

struct Axes {
    Axis rows, columns;
    bool per_head = false; // the batch is the heads (of one sequence)

    bool operator==(const Axes&) const = default;
};

namespace axis {
inline Axis positions(const Node& tokens) { return {Axis::Kind::positions, &tokens}; }
inline Axis vocabulary(const Node& tokens) { return {Axis::Kind::vocabulary, &tokens}; }
inline constexpr Axis words_said{Axis::Kind::vocabulary, nullptr};
inline constexpr Axis features{Axis::Kind::features, nullptr};
inline constexpr Axis classes{Axis::Kind::classes, nullptr};
inline constexpr Axis single{Axis::Kind::single, nullptr};
} // namespace axis

// Parts of a value as operations tell them: which cells read one of an input.

constexpr Index all_cells = -1; // of a dimension of a Region

inline Region only(Cell cell) { return {cell.batch, cell.row, cell.column}; }
inline Region row_of(Cell cell) { return {cell.batch, cell.row, all_cells}; }
inline Region whole_column(Index column) { return {all_cells, all_cells, column}; }

// Boxes of the architecture: a stack, a layer of it, what belongs together in a layer. Scopes open them while
// a graph is built, so every value knows where it stands and nobody has to read that from its path.

enum class BoxLevel {
    stack, // of layers, or what begins and ends them: "encoder", "output"
    layer,
    block, // an attention, a feed-forward network, a sum and its norm
};

struct BoxTraits {
    BoxLevel level = BoxLevel::block;
    std::string kind = {};   // what people call it, "add_norm" of "add_norm_1"; else its name
    std::string family = {}; // what the texts of its values share with boxes alike: "attn"; else its kind
    Index number = -1;       // of a layer in its stack, from 0
    bool in_paths = true;    // else its values' paths do not name it
};

// Traits of the usual boxes.
inline BoxTraits stack_box() { return {.level = BoxLevel::stack}; }
inline BoxTraits layer_box(Index number) { return {.level = BoxLevel::layer, .number = number}; }
inline BoxTraits unnamed_box(std::string kind = {}) { return {.kind = std::move(kind), .in_paths = false}; }

struct GraphBox {
    const GraphBox* parent = nullptr; // of all but the outermost
    std::string path;                 // "encoder.0.add_norm_1"; empty for the outermost
    std::string name, kind, family;
    BoxLevel level = BoxLevel::block;
    Index number = -1;
    bool in_paths = true;

    GraphBox() = default;
    GraphBox(const GraphBox* around, std::string_view called, BoxTraits traits)
        : parent(around),
          path(around->path.empty() ? std::string(called) : around->path + "." + std::string(called)),
          name(called),
          kind(traits.kind.empty() ? name : traits.kind),
          family(traits.family.empty() ? kind : traits.family),
          level(traits.level),
          number(traits.number),
          in_paths(traits.in_paths) {}

    // The box of this level that it is or lies in; nullptr when there is none.
    const GraphBox* enclosing(BoxLevel wanted) const {
        for (const GraphBox* box = this; box != nullptr && box->parent != nullptr; box = box->parent)
            if (box->level == wanted) return box;
        return nullptr;
    }
};

} // namespace headlight
