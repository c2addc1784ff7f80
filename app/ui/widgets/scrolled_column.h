// A narrow panel that scrolls: a column filled from top to bottom with captions, texts and controls.
#pragma once

#include "app/ui/base/theme.h"
#include "app/ui/widgets/chips.h"
#include "app/ui/widgets/control_row.h"

#include <string_view>

namespace headlight {

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
