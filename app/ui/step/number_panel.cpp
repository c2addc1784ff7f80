#include "app/ui/step/number_panel.h"

#include "app/ui/base/ui.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/text.h"
#include "engine/inspect/explanation_text.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// "attention weights · head 2 · it → animal"
std::string cell_label(const Session& session, const Node& node, const Cell& cell) {
    std::string label = value_name(session, node);
    if (is_per_head(node))
        label += "  ·  " + session.strings().text("story.head_number", {std::to_string(cell.batch + 1)});
    const std::vector<std::string> rows = axis_labels(session, node, true),
                                   columns = axis_labels(session, node, false);
    label += "  ·  " + place_label(rows, cell.row);
    if (node.value.columns() > 1)
        label += (columns.empty() ? ", " : " → ") + place_label(columns, cell.column);
    return label;
}

float line_height() { return theme().faces.mono.size * 1.45f; }

// "mean" in the language of the window; a letter stays what it is.
std::string symbol_in_a_row(const Session& session, const std::string& symbol) {
    const std::string key = "symbol." + symbol;
    return session.strings().texts("en").contains(key) ? session.strings().text(key) : symbol;
}

struct Arithmetic {
    std::vector<std::string> lines;
    std::string note;
};

// The last `room` lines of the explanation, each with as many terms as the width holds.
Arithmetic arithmetic(const Session& session, const Node& node, const Cell& cell, float width,
                      std::size_t room) {
    const Strings& s = session.strings();
    ExplanationTextOptions options;
    options.decimals = 3;
    options.order = TermOrder::by_contribution;
    options.rest_of_sum = s.text("window.number.rest_of_sum");
    options.rest_of_maximum = s.text("window.number.rest_of_maximum");
    Arithmetic result;
    for (options.max_terms = 12; options.max_terms >= 0; --options.max_terms) {
        const ExplanationText text = explanation_text(session.model().graph(), node, cell, options);
        result = {{}, text.note};
        bool too_long = false;
        // The last lines say the most: the result stands there.
        for (std::size_t i = text.lines.size() - std::min(room, text.lines.size()); i < text.lines.size();
             ++i) {
            ExplanationLine line = text.lines[i];
            line.symbol = symbol_in_a_row(session, line.symbol);
            result.lines.push_back(line.text());
            too_long = too_long || text_width(theme().faces.mono, result.lines.back()) > width;
        }
        if (!too_long) break;
    }
    return result;
}

// The same, kept while nothing that it depends on changes.
const Arithmetic& known_arithmetic(const Session& session, const Selection& asked, const Node& node,
                                   float width, std::size_t room) {
    struct For {
        Selection asked;
        unsigned long version;
        float width, size;
        std::size_t room;
        std::string language;
        bool operator==(const For&) const = default;
    };
    struct Known {
        std::optional<For> of;
        Arithmetic arithmetic;
    };
    Known& known = ui().memory<Known>();
    const For wanted{asked, session.version(),           width, theme().faces.mono.size,
                     room,  session.strings().language()};
    if (known.of != wanted) known = {wanted, arithmetic(session, node, asked.cell, width, room)};
    return known.arithmetic;
}

} // namespace

float number_panel_height(float room) {
    const int lines = room > theme().px(640) ? 3 : room > theme().px(400) ? 2 : 1;
    return theme().faces.strong.size * 1.2f + float(lines) * line_height() + theme().px(20);
}

void number_panel(const ScreenRect& rect, const Session& session, CommandSink& commands,
                  const std::optional<Selection>& pointed) {
    const Theme& t = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(rect.min, rect.max, t.colours.raised, t.px(8));
    const ScreenRect inner{{rect.min.x + t.px(14), rect.min.y + t.px(7)},
                           {rect.max.x - t.px(14), rect.max.y - t.px(7)}};
    const Strings& s = session.strings();
    const std::optional<Selection>& held = session.state().selection;
    const std::optional<Selection>& asked = held ? held : pointed;
    const Node* node = asked ? session.model().graph().find(asked->path) : nullptr;
    if (!node) {
        draw_text_in(list, t.faces.body, inner, t.colours.ink_faint, s.text("window.number.empty"),
                     Align::centre);
        return;
    }
    ScreenRect heading{inner.min, {inner.max.x, inner.min.y + t.faces.strong.size * 1.2f}};
    const double value = double(node->value(asked->cell.batch, asked->cell.row, asked->cell.column));
    if (held) {
        const std::string& let_go = s.text("window.number.held");
        const float width = std::ceil(text_width(t.faces.caption, let_go)) + 1;
        const ScreenRect there{{heading.max.x - width, heading.min.y}, heading.max};
        const Pressable p = pressable("number.release", there);
        draw_text_in(list, t.faces.caption, there, p.hovered ? t.colours.ink : t.colours.accent, let_go);
        if (p.pressed) commands.emit("unselect");
        heading.max.x = there.min.x - t.px(16);
    }
    draw_label(list, t.faces.strong, heading, t.colours.ink,
               cell_label(session, *node, asked->cell) + "  =  " + format_number(value, 5));

    const float top = heading.max.y + t.px(3);
    const std::size_t room = std::size_t(std::max(1.f, std::floor((inner.max.y - top + 1) / line_height())));
    const Arithmetic& shown = known_arithmetic(session, *asked, *node, inner.width(), room);
    float y = top;
    for (const std::string& line : shown.lines) {
        draw_label(list, t.faces.mono, {{inner.min.x, y}, {inner.max.x, y + line_height()}},
                   t.colours.ink_soft, line);
        y += line_height();
    }
    if (!shown.note.empty() && shown.lines.size() < room)
        draw_label(list, t.faces.body, {{inner.min.x, y}, {inner.max.x, y + line_height()}},
                   t.colours.ink_soft, s.text(shown.note));
}

} // namespace headlight
