#pragma once

#include "app/canvas/canvas.h"
#include "app/session/session.h"
#include "app/ui/base/widget_registry.h"
#include "app/ui/canvas/canvas_scene.h"
#include "app/ui/values/value_view.h"

#include <string>
#include <string_view>

namespace headlight {

// The canvas on the screen: draws it, and turns pointer and wheel into moves of the camera and commands.

// A field that goes to any value by its name or path, with what it finds below it while one types.

class CanvasSearch {
public:
    void draw(const ScreenRect& field, const Session& session, const Canvas& canvas, CommandSink& commands);
    void focus() { focus_ = true; } // the keyboard, in the next frame
    // It is being typed into, or was asked for: then it stands there whatever the room.
    bool is_used() const { return focus_ || open_ || active_; }
    // A list is open below the field: what lies behind it is not pointed at.
    bool covers(ImVec2 point) const { return list_.contains(point); }

private:
    std::string text_;
    bool focus_ = false, open_ = false, active_ = false;
    int chosen_ = 0; // of what was found: the arrow keys move it
    ScreenRect list_;
};

// For somebody who sees the window for the first time: three things to do, each ticked off when it is done,
// by hand or by the command that the hand sends. What a lesson sets up was done by nobody.
// Once all are, they are gone for good.

class FirstSteps {
public:
    // From the top of a column; returns the height that it took, 0 once all is done or where there is no
    // room.
    float draw(const ScreenRect& rect, const Session& session, float most) const;

    void did(std::string_view command);
    void moved_camera() { moved_ = true; } // with the wheel, or dragging

    bool has_stepped() const { return stepped_; }
    bool has_moved() const { return moved_; }
    bool has_asked() const { return asked_; }
    bool done() const { return stepped_ && moved_ && asked_; }
    void skip() { stepped_ = moved_ = asked_ = true; }

private:
    bool stepped_ = false, moved_ = false, asked_ = false;
};

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
    std::optional<NamedCell> lesson_cell; // the cell that a lesson speaks of where the pointer is
    // The kind of operation that the table of times speaks of: its cards are marked; empty: none.
    std::string operation;
    bool wants_frame() const { return wants_frame_; }      // something moves, or was not ready
    bool is_waiting() const { return looks_.postponed(); } // large matrices come in a few frames
    FirstSteps& first_steps() { return first_steps_; }

private:
    void paint_network(CanvasScene& scene);
    void answer_pointer(CanvasScene& scene, CommandSink& commands);
    void enter(const CanvasGroup& group, const Session& session, CommandSink& commands);

    Canvas canvas_;
    CanvasSearch search_;
    FirstSteps first_steps_;
    CardLooks looks_;
    bool dragging_ = false, wants_frame_ = false;
};

} // namespace headlight
