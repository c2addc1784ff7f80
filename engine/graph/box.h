// Boxes of the architecture: a stack, a layer of it, what belongs together in a layer. Scopes open them while
// a graph is built, so every value knows where it stands and nobody has to read that from its path.
#pragma once

#include "engine/tensor/real.h"

#include <string>
#include <string_view>

namespace headlight {

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
