// The canvas on the screen: draws it, and turns pointer and wheel into moves of the camera and commands.
#pragma once

#include "app/canvas/canvas.h"
#include "app/ui/canvas/canvas_search.h"
#include "app/ui/canvas/card_look.h"
#include "app/ui/canvas/first_steps.h"
#include "app/ui/values/panel.h"

namespace headlight {

struct CanvasScene;

class CanvasView {
public:
    explicit CanvasView(Session& session) : canvas_(session) {}

    // Draws the canvas in a rectangle. `asked`: the cell of which is lit what it was made from or what it
    // touches, as the session's direction says. Returns the cell under the pointer.
    std::optional<NamedCell> draw(const ScreenRect& rect, const Session& session, CommandSink& commands,
                                  const std::optional<NamedCell>& asked);

    // For a picture: all of the network, or one card of it, with nothing that floats over it. False while
    // something was not ready yet.
    bool draw_picture(const ScreenRect& rect, const Session& session, const Card* card);

    // Something else stands in its place in this frame.
    void hide() {
        pointed.reset();
        wants_frame_ = false;
    }

    Canvas& canvas() { return canvas_; }
    // The cell under the pointer in the frame before, as canvas_or_closeup() has set it: what lights up in
    // this one.
    std::optional<NamedCell> pointed;
    // A cell that a panel speaks of: marked where it stands.
    std::optional<NamedCell> hinted;
    std::optional<NamedCell> taught;                  // the cell that a lesson speaks of where the pointer is
    // The kind of operation that the table of times speaks of: its cards are marked; empty: none.
    std::string operation;
    bool wants_frame() const { return wants_frame_; } // something moves, or was not ready
    FirstSteps& first_steps() { return first_steps_; }

private:
    void paint_network(CanvasScene& scene);
    void answer_pointer(const ScreenRect& rect, const Session& session, CommandSink& commands,
                        std::optional<NamedCell>& hovered);

    Canvas canvas_;
    CanvasSearch search_;
    FirstSteps first_steps_;
    CardLooks looks_;
    bool dragging_ = false, wants_frame_ = false;
};

} // namespace headlight
