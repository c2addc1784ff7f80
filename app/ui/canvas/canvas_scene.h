// What every painter of the canvas needs to know in one frame.
#pragma once

#include "app/canvas/canvas.h"
#include "app/ui/asking/asked.h"
#include "app/ui/base/screen_rect.h"
#include "app/ui/canvas/card_look.h"

#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace headlight {

// How long cards and boxes took, in one frame.
struct CardCosts {
    const Profile* profile = nullptr;
    ProfilePart part = ProfilePart::both;
    double longest = 0;             // seconds of the dearest card
    std::vector<double> boxes = {}; // seconds of each of the layout's blocks
    double longest_box = 0;
    std::string_view operation = {}; // of the table's row under the pointer; empty: none
};

struct CanvasScene {
    const Session& session;
    const Canvas& canvas;
    CardLooks& looks;
    ScreenRect rect; // of the view, on the screen
    ImDrawList& list;
    const LitCells& lit;                   // the numbers behind the one that is asked about
    const std::optional<NamedCell>& asked; // held, or under the pointer in the frame before
    std::optional<NamedCell> hovered = {}; // under the pointer now
    std::optional<NamedCell> hinted = {};  // that a panel speaks of
    ScreenRect tabs = {};                  // where a head is chosen; titles keep clear of it
    Index only_head = -1;                  // of the present step: the others have no room
    bool staged = false;                   // the present step takes the stage: the rest is dimmed
    std::set<const Node*> changed = {};    // by a what-if: the values that it edits and all that follows
    std::set<const Node*> on_stage = {};   // the step's value and what it is made from

    std::optional<CardCosts> costs = {}; // while times are looked at

    bool shows(const Card& card, std::size_t matrix) const {
        return only_head < 0 || card.node != session.step().node || matrix == std::size_t(only_head);
    }
    float zoom() const { return float(canvas.camera().zoom); }
    ScreenRect on_screen(const PlaneRect& r) const {
        const PlaneRect v = to_view(canvas.camera(), canvas.view(), r);
        return ScreenRect::at(rect.min.x + float(v.x), rect.min.y + float(v.y), float(v.width),
                              float(v.height));
    }
    ImVec2 on_screen(PlanePoint p) const {
        const PlanePoint v = to_view(canvas.camera(), canvas.view(), p);
        return {rect.min.x + float(v.x), rect.min.y + float(v.y)};
    }
    bool sees(const ScreenRect& r) const {
        return r.min.x < rect.max.x && rect.min.x < r.max.x && r.min.y < rect.max.y && rect.min.y < r.max.y;
    }
};

} // namespace headlight
