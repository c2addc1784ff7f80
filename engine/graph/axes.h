// What the rows and columns of a value stand for. Operations say so, given the axes of what they read, so
// every matrix on the screen has its labels and a new architecture needs none of its own.
#pragma once

namespace headlight {

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

} // namespace headlight
