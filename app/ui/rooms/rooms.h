// The rooms of the window: each is drawn in a rectangle, from a session that it only reads.
#pragma once

#include "app/ui/canvas/canvas_view.h"

namespace headlight {

// Held upright, as a telephone is: what stands beside something elsewhere stands below it.
inline bool is_upright(const ScreenRect& body) { return body.height() > 1.6f * body.width(); }

// A room's figure, and at the right of it, so wide, what is said of it; held upright, below it.
struct FigureAndSide {
    ScreenRect figure, side;
};
inline FigureAndSide with_side(const ScreenRect& body, float width) {
    const float below = body.height() * 0.48f;
    const ScreenRect side{is_upright(body) ? ImVec2(body.min.x, body.max.y - below)
                                           : ImVec2(body.max.x - width, body.min.y),
                          body.max};
    return {{body.min, is_upright(body) ? ImVec2(body.max.x, side.min.y - px(12))
                                        : ImVec2(side.min.x - px(12), body.max.y)},
            side};
}

// One looks around: the network on its plane; beside it the step in words, and the number that is asked
// about.
void explore_room(const ScreenRect& body, const Session& session, CanvasView& canvas, CommandSink& commands);

// One watches a model learn: the canvas, alive, and beside it the training.
void training_room(const ScreenRect& body, const Session& session, CanvasView& canvas, CommandSink& commands);

// All heads, or one large, and beside it what they do, measured.
void heads_room(const ScreenRect& body, const Session& session, CommandSink& commands);

// What-ifs: the network on its plane, and the changes beside it.
void what_if_room(const ScreenRect& body, const Session& session, CanvasView& canvas, CommandSink& commands);
// Beside it: a list in which each change can be turned off alone, what they do to the output and the loss,
// and what else one may change.
void changes_panel(const ScreenRect& rect, const Session& session, CommandSink& commands);

// How the words come out, one by one: the loop, its choices, beams as a tree, forced beside free, its costs.
void say_room(const ScreenRect& body, const Session& session, CanvasView& canvas, CommandSink& commands);

// The first lesson: words as vectors in the plane, attention without parameters, then with W_Q, W_K, W_V and
// ÷√d_k; everything follows the pointer.
void ground_up_room(const ScreenRect& body, const Session& session, CommandSink& commands);

// Attention as a filing cabinet: a note, folders with their labels, and what is taken of each.
void cabinet_room(const ScreenRect& body, const Session& session, CommandSink& commands);
// For draw_formula.
std::string cabinet_formula();

// Gradient descent from the ground: one weight and its bowl, then a line, a layer, two layers and the chain
// rule, and the same of a weight of the model.
void descent_room(const ScreenRect& body, const Session& session, CommandSink& commands);

// A network with a weight for each place, beside attention.
void fixed_weights_room(const ScreenRect& body, const Session& session, CommandSink& commands);

// How far back recurrent networks and Transformers remember: the race, and how a gradient forgets.
void memory_room(const ScreenRect& body, const Session& session, CommandSink& commands);

// Batch norm beside layer norm on the padded batch.
void norms_room(const ScreenRect& body, const Session& session, CommandSink& commands);

// What layers cost over length and width, measured on this machine while one watches.
void costs_room(const ScreenRect& body, const Session& session, CommandSink& commands);

} // namespace headlight
