#pragma once

#include "app/look/colour.h"
#include "app/ui/base/theme.h"
#include "app/ui/base/widget_registry.h"
#include "app/ui/widgets/controls.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headlight {

// An invisible button over a rectangle, recorded by name for scripts.

struct Pressable {
    bool pressed = false, hovered = false, held = false;
};
Pressable pressable(const char* name, const ScreenRect& rect);

// The column of a narrow panel, filled from top to bottom.

struct PanelColumn {
    float left = 0, right = 0, y = 0;

    float width() const { return right - left; }
    void skip(float height) { y += height; }
    ScreenRect take(float height) {
        const ScreenRect rect{{left, y}, {right, y + height}};
        y += height;
        return rect;
    }
};

// Small choices beside one another, in as many lines as it takes: for columns too narrow for controls.

struct Chip {
    std::string label;
    std::string_view tooltip{};
    bool chosen = false;
    bool enabled = true;
};

// The one that was pressed; each is "name.0", "name.1", … for scripts.
std::optional<int> chips(std::string_view name, std::span<const Chip> choices, PanelColumn& column);

float chips_width(std::span<const Chip> choices); // of all of them in one line

// Numbers as bars under one another: the probabilities of words. Where one is negative, to both sides of
// zero.

struct Bar {
    std::string label{};
    float value = 0;
    std::optional<float> reference{}; // what it is compared with (a target, a baseline): a mark on the track
};

struct BarListView {
    std::string_view name{}; // each row is "name.index" in the registry
    std::span<const Bar> bars{};
    std::optional<int> chosen{}; // drawn in full strength, its label in bold
    float full = 1;              // the value of a bar that fills the track
    int decimals = 3;
    std::optional<Colour> colour{}; // the theme's for probabilities otherwise
    float width = 0;                // 0: what is left of the line
    float label_width = 0;          // 0: as wide as the widest label, up to 40 % of the width
};

struct BarListResult {
    std::optional<int> hovered{}, clicked{};
};

// As an item of the current window.
BarListResult bar_list(const BarListView& view);
float bar_list_height(int bars);

// Controls that a column places: side by side, or one across it.

// From the left; a button that has no room begins the next line. When the row ends, the column goes on below
// it with the usual gap: `if (ControlRow(column).button(…))` is a row of one.
class ControlRow {
public:
    explicit ControlRow(PanelColumn& column) : column_(column), x_(column.left) {}
    ~ControlRow();
    ControlRow(const ControlRow&) = delete;
    ControlRow& operator=(const ControlRow&) = delete;

    bool button(std::string_view name, std::string_view label, const ButtonOptions& options = {});
    bool toggle(std::string_view name, std::string_view label, bool& on, std::string_view tooltip = {});
    // As wide as is asked in pixels, else as what is left of the line but `kept` pixels for what follows.
    bool slider(std::string_view name, std::string_view label, float& value, float low, float high,
                SliderOptions options = {});
    FieldEvent field(std::string_view name, std::string& text, FieldOptions options = {}, float kept = 0);
    ScreenRect take(float width);
    ScreenRect rest() const; // of the line

private:
    template <class Draw>
    auto place(const Draw& draw);

    PanelColumn& column_;
    float x_, height_ = control_height();
};

BarListResult column_bars(PanelColumn& column, BarListView view);

// A narrow panel that scrolls: a column filled from top to bottom with captions, texts and controls.

// While it lives the rectangle is a child window; `column` is where its content goes.
class ScrolledColumn {
public:
    ScrolledColumn(const char* name, const ScreenRect& rect);
    ~ScrolledColumn();
    ScrolledColumn(const ScrolledColumn&) = delete;
    ScrolledColumn& operator=(const ScrolledColumn&) = delete;

    PanelColumn column;

private:
    float left_;
};

// A caption that names what follows; a heading; running text.
void column_caption(PanelColumn& column, std::string_view text);
void column_heading(PanelColumn& column, std::string_view text);
void column_text(PanelColumn& column, const Face& face, Colour colour, std::string_view text);
// With the usual gap below: soft text, running or small; chips, and one by itself.
void column_paragraph(PanelColumn& column, std::string_view text);
void column_note(PanelColumn& column, std::string_view text);
std::optional<int> column_chips(PanelColumn& column, std::string_view name, std::span<const Chip> choices);
bool column_chip(PanelColumn& column, std::string_view name, const Chip& choice);
void column_line(PanelColumn& column); // a thin line with air around it

} // namespace headlight
