// What gradient descent from the ground is put together from.
#pragma once

#include "app/ui/rooms/page_frame.h"
#include "app/ui/values/value_view.h"
#include "engine/model/descent.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

// A plane with axes of their own: x to the right, y upwards.
struct DescentChart {
    ScreenRect rect; // the plane itself, within its numbers
    double left = -1, right = 1, low = -1, high = 1;

    ImVec2 at(double x, double y) const {
        return {rect.min.x + float((x - left) / (right - left)) * rect.width(),
                rect.max.y - float((y - low) / (high - low)) * rect.height()};
    }
    std::array<double, 2> back(ImVec2 place) const {
        return {left + double(place.x - rect.min.x) / double(rect.width()) * (right - left),
                low + double(rect.max.y - place.y) / double(rect.height()) * (high - low)};
    }
};
// Its ground, its lines and the numbers along its edges, drawn in `rect`; what they count stands at the ends.
DescentChart begin_chart(const ScreenRect& rect, DescentChart ends, const std::string& across,
                         const std::string& upwards);
// Where the numbers of that rectangle's chart leave the plane.
ScreenRect plane_of_chart(const ScreenRect& rect);

const DescentSetting& descent_of(const Session& session);
const Node& descent_node(const Session& session, const char* name);
// The weight whose lines are written: the one that is held, else the first. Its place among all of them.
std::size_t followed_weight(const Session& session);
// "w_2", "w^{(1)}_{12}": as formulas call it.
std::string weight_letter(const DescentTask& task, std::size_t which);
// To hundredths, for what one reads off; or as exact when it is small.
std::string plain_number(double number);
std::string figures(double number);
void arrow_to(ImVec2 from, ImVec2 to, Colour colour, float thickness);
Colour colour_of_kind(bool is_of_second);

// The points, and what the net says of them: a line, or the boundary between two kinds.
void descent_data(const ScreenRect& rect, const Session& session, CommandSink& commands);
// C over one weight: the bowl, with the ball on it. Over two: from above.
void descent_bowl(const ScreenRect& rect, const Session& session, CommandSink& commands);
void descent_contours(const ScreenRect& rect, const Session& session, CommandSink& commands);
// C, its slope, and the step: three lines, whose numbers can be asked. Returns the height that they take.
float line_of_costs(); // the height of one of them
float descent_lines(const ScreenRect& rect, const Session& session, CommandSink& commands);
// C over the steps so far; a click goes back to one.
void descent_costs(const ScreenRect& rect, const Session& session, CommandSink& commands);
// The chain rule at one point: its numbers forward, gradients back; and below them the product of the links.
void descent_links(const ScreenRect& rect, const Session& session, CommandSink& commands,
                   bool has_chain = true);
// The product of its links to the weight that is followed.
void descent_chain(const ScreenRect& rect, const Session& session);
// The same of a weight of the model.
void descent_of_model(const ScreenRect& rect, const Session& session, CommandSink& commands);
// The most needed of it in one line, where there is no room for a side. Returns its height.
float descent_controls(const ScreenRect& rect, const Session& session, CommandSink& commands);
// Step, play, how fast and at which rate, in a column.
void descent_walking(PanelColumn& column, const Session& session, CommandSink& commands);
// What is told, and what can be set.
void descent_side(const ScreenRect& rect, const Session& session, CommandSink& commands);

// A lesson asks for the weights first: the line is not to be seen, nor what follows from them; or for the
// cost: then the ball is not.
bool hides_weights(const Session& session);
bool hides_cost(const Session& session);

// A ball on a curve, its slope, and where the next step leads.
struct DescentBall {
    double weight = 0, cost = 0, slope = 0, rate = 0;
    bool shows_step = true; // and the slope: what a lesson asks about
    std::string cost_letter = "C";
};
void draw_ball(const DescentChart& chart, const DescentBall& ball);

} // namespace headlight
