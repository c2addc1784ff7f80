// The whole network on one plane, derived from the graph of the sentence: cards in the order of computation,
// gathered in blocks, blocks in lines, lines in layers; encoder left, decoder right, and both from below
// upwards, as in Figure 1 of Vaswani et al. 2017; other streams stand beside one another. Within a line one
// reads from left to right. Nothing here knows an operation by name, so it holds for any architecture that
// tells a story.
#pragma once

#include "app/canvas/card.h"
#include "engine/inspect/story.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace headlight {

// A titled frame around cards: a block of the story, a layer, or a side.
struct CanvasGroup {
    std::string kind; // the block's kind ("self_attn"), "layer", or the side ("encoder", "decoder")
    std::string side;
    long layer = -1;
    bool attends = false;    // it is an attention
    bool is_side = false;    // all of one side
    long first = 0, end = 0; // steps of the story inside
    PlaneRect rect, title;   // all of it; the strip at its top
};

enum class ConnectionKind {
    flow,     // from a card to one that is made from it
    residual, // past a sublayer, to the sum behind it
    memory,   // from the encoder to the decoder
};

struct Connection {
    std::size_t from = 0, to = 0; // of cards
    ConnectionKind kind = ConnectionKind::flow;
    std::vector<PlanePoint> points; // right-angled; the first at `from`, the last at `to`
};

struct CanvasLayout {
    std::vector<Card> cards;         // in order of the story; a weight before the card that it makes
    std::vector<CanvasGroup> blocks; // one a block of the story
    std::vector<CanvasGroup> layers; // one a layer of each side
    std::vector<CanvasGroup> sides;  // one a stack that tokens pass: encoder, decoder (with the output)
    std::vector<Connection> connections;
    PlaneRect bounds;
    std::map<const Node*, std::size_t> card_of;

    const Card* find(const Node* node) const; // nullptr when it has none
    long cells() const;                       // of all cards
};

// `aspect`: width by height of the view that it shall suit.
CanvasLayout lay_out(std::span<const StoryStep> steps, std::span<const StoryBlock> blocks,
                     double aspect = 1.7);

} // namespace headlight
