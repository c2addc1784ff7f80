#pragma once

#include "app/canvas/card.h"
#include "engine/inspect/story.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace headlight {

// The cards of one block: columns by depth of computation, read from left to right; what is computed from the
// same things stands in one column. A weight stands left of the card that it makes, a vector along it below.

struct BlockLayout {
    std::vector<Card> cards; // from the origin; in order of the story, weights before what they make
    double width = 0, height = 0;
};

BlockLayout lay_out_block(std::span<const StoryStep> steps, const StoryBlock& block);

// The whole network on one plane, as Figure 1 of Vaswani et al. 2017 draws it: a column for each stream of
// tokens, side by side, each from its words below upwards, a box for each block of the story, the streams'
// layers in frames. Where a box stands and how large it is follows from the architecture alone, never from
// what is typed. Inside a box its cards lie in the order of computation, read from left to right, at whatever
// scale they fit. Nothing here knows an operation or a stack by name.

// A titled frame around cards: a block of the story, a layer, or a side.
struct CanvasGroup {
    std::string kind; // the block's kind ("self_attn"), "layer", or the side ("encoder", "decoder")
    std::string side;
    Index layer = -1;
    bool attends = false;            // it is an attention
    bool is_side = false;            // all of one side
    Index first = 0, end = 0;        // steps of the story inside
    PlaneRect rect = {}, title = {}; // all of it; the strip at its top
    const Node* picture = nullptr;   // of a block: the value that stands for it from afar
    const Node* leaves = nullptr;    // … and what leaves it
    double scale = 1;                // of a block: its cards', whose measures are those of card_measures
};

// What a stream is fed stands below its column; what the model says, above the column that says it.
struct WordsSlot {
    const Node* tokens = nullptr; // ids as fed, or as chosen
    bool is_said = false;
    PlaneRect rect;
};

// From a card to one that is made from it; right-angled, the first point at `from`, the last at `to`.
struct Connection {
    std::size_t from = 0, to = 0; // of cards
    std::vector<PlanePoint> points;
};

enum class FigureLineKind {
    spine,    // a stream's vectors on their way upwards, from box to box
    residual, // past a sublayer, to the sum behind it
    memory,   // from the end of a stream to an attention of another that reads its keys and values
};

// A line of the figure; right-angled, it ends at a box.
struct FigureLine {
    FigureLineKind kind = FigureLineKind::spine;
    std::vector<PlanePoint> points;
    std::size_t to = 0; // of blocks
};

struct CanvasLayout {
    std::vector<Card> cards;         // in order of the story; a weight before the card that it makes
    std::vector<CanvasGroup> blocks; // one a block of the story
    std::vector<CanvasGroup> layers; // one a layer of each side
    std::vector<CanvasGroup> sides;  // one a stream's stack: encoder, decoder (with the output)
    std::vector<WordsSlot> words;
    std::vector<FigureLine> lines;
    std::vector<Connection> connections;
    PlaneRect bounds;
    std::map<const Node*, std::size_t> card_of;

    const Card* find(const Node* node) const; // nullptr when it has none
    long cells() const;                       // of all cards
};

CanvasLayout lay_out(const ModelMap& map, std::span<const StoryStep> steps,
                     std::span<const StoryBlock> blocks);

} // namespace headlight
