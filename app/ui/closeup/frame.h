#pragma once

#include "app/ui/values/value_view.h"
#include "app/ui/widgets/heatmap.h"
#include "engine/inspect/explanation_text.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// What every close-up that plays has: a heading with the way out, one step back, play, one step on; a line of
// arithmetic whose numbers can be followed.

// A rectangle in which the type is so large (or the window so small) that only the numbers, what happens and
// the buttons have a place.
bool is_cramped(const ScreenRect& rect);

// The button that closes; its right end stands there. Returns its width.
float close_button(ImVec2 top_right, const Session& session, CommandSink& commands);

// Where one is, the title, and the button that closes.
void closeup_heading(PanelColumn& column, const Session& session, std::string_view title,
                     std::string_view place, CommandSink& commands);

struct PlayButtons {
    std::string_view command; // "workings": the buttons are "workings.back", "workings.play", "workings.on"
    std::string back, on;     // lines that step
    bool playing = false, can_go_back = true, can_go_on = true;
};

// From the left; returns where they end.
float play_buttons(ImVec2 top_left, const PlayButtons& buttons, const Session& session,
                   CommandSink& commands);

// Two quiet arrows for what stands one above another; returns where they end.
struct UpDown {
    std::string name;     // "workings": the buttons are "workings.up" and "workings.down"
    std::string up, down; // lines
    std::string_view up_tip, down_tip;
    bool can_go_up = true, can_go_down = true;
};
float up_down_buttons(ImVec2 top_left, const UpDown& buttons, CommandSink& commands);

// Which head is looked at, where there are several; its right end stands there. Returns its width.
struct HeadChoice {
    Index head = 0, heads = 1; // head −1: all
    bool may_be_all = false;   // all side by side can be chosen as well
};
float closeup_heads(ImVec2 top_right, const Session& session, const HeadChoice& choice, float room,
                    CommandSink& commands);

// The last line of an explanation, "0.42·1.10 + (−0.31)·0.77 + … = 1.27", on as many lines as it takes.
void arithmetic_line(ImVec2 top_left, float width, std::string_view name, const Session& session,
                     const ExplanationText& explained, CommandSink& commands);

// A number to be read beside a strip: three decimals.
std::string strip_number(double x);

// "4", "5.66": as short as it is told apart by.
std::string short_number(double x);

// Numbers as a block of cells of a given size, with the numbers in them where there is room: one row of a
// value, one column, a few of them. What is not known yet keeps its place.

struct StripView {
    std::string name; // in the registry of widgets
    HeatmapMatrix matrix;
    Palette palette = Palette::diverging;
    ValueRange range;
    float cell_width = 1, cell_height = 1;
    std::optional<CellRange> known; // the other cells are empty; none: all are known
    std::optional<int> lit_row, lit_column;
    std::optional<MatrixCell> selected;
    std::vector<MatrixCell> covered; // by a lesson that asks for them
};

struct StripResult {
    HeatmapGeometry geometry;
    std::optional<MatrixCell> hovered, clicked;
};

StripResult draw_strip(const StripView& view, ImVec2 top_left);

// Where the palette ends for numbers like these.
ValueRange strip_range(std::span<const float> numbers, Palette palette);

// So wide is a cell that shows its number with so many decimals.
float numbered_cell_width(int decimals = 2);
// The same in the smallest type that numbers have: at a projector that of crowded cells.
float least_numbered_width(int decimals = 1);

} // namespace headlight
