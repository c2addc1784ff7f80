// How long cards took, on the canvas: a frame and a tag on each, boxes in one colour each, and what the
// colours mean.
#pragma once

#include "app/ui/canvas/canvas_scene.h"
#include "app/ui/widgets/panel_column.h"

#include <string>

namespace headlight {

// While times are looked at, and there are some.
std::optional<CardCosts> card_costs(const Session& session, const CanvasLayout& layout);

void paint_cost_frame(const CanvasScene& scene, const Card& card, const ScreenRect& on_screen);
// Its time, at the right of its lower edge.
void paint_cost_tag(const CanvasScene& scene, const Card& card, const ScreenRect& on_screen);
// The colour of a box from afar; none while no times are looked at.
std::optional<Colour> box_cost(const CanvasScene& scene, const CanvasGroup& block);
// Whether the table speaks of one of its cards.
bool holds_operation(const CanvasScene& scene, const CanvasGroup& block);

void draw_cost_scale(ImDrawList& list, const ScreenRect& place);
// From nothing to the dearest card, in a column that is no part of the canvas.
void cost_scale_line(PanelColumn& column, const Session& session);
// The same where no table stands beside the canvas.
void paint_cost_scale(const CanvasScene& scene);

// All times of a profile are told in one unit, so that they can be compared: "ms", of a quick pass "µs".
struct TimeUnit {
    const char* name;
    double in_a_second;
};
TimeUnit time_unit(const Profile& profile);
std::string time_text(const Profile& profile, double seconds); // "4.2 µs"
// "4.2 µs, 1.3 % of the time": of a card, for a tooltip; empty where nothing was computed.
std::string cost_text(const Session& session, const Node& node);
// The same of a box; empty while no times are looked at.
std::string box_cost_text(const Session& session, const CanvasLayout& layout, const CanvasGroup& block);

} // namespace headlight
