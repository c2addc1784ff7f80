// Controls that a column places: side by side, or one across it.
#pragma once

#include "app/ui/widgets/bar_list.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/panel_column.h"

#include <string>
#include <string_view>

namespace headlight {

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

} // namespace headlight
