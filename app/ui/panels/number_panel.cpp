#include "app/ui/panels/number_panel.h"

#include "app/ui/panels/value_view.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/text.h"
#include "engine/inspect/explanation_text.h"

#include <imgui.h>

#include <algorithm>

namespace headlight {

namespace {

std::string place_label(const std::vector<std::string>& labels, Index i) {
    return i < Index(labels.size()) ? labels[std::size_t(i)] : std::to_string(i);
}

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

} // namespace

float number_panel_height() {
    return theme().faces.strong.size * 1.2f + 2 * theme().faces.mono.size * 1.45f + theme().px(22);
}

void number_panel(const ScreenRect& rect, const Session& session, CommandSink& commands,
                  const std::optional<Selection>& pointed) {
    const Theme& t = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(rect.min, rect.max, t.colours.raised, t.px(8));
    const ScreenRect inner{{rect.min.x + t.px(14), rect.min.y + t.px(8)},
                           {rect.max.x - t.px(14), rect.max.y - t.px(8)}};
    const Strings& s = session.strings();
    const std::optional<Selection>& held = session.state().selection;
    const std::optional<Selection>& asked = held ? held : pointed;
    const Node* node = asked ? session.model().graph().find(asked->path) : nullptr;
    if (!node) {
        draw_text_in(list, t.faces.body, inner, t.colours.ink_faint, s.text("window.number.empty"),
                     Align::centre);
        return;
    }
    const ScreenRect heading{inner.min, {inner.max.x, inner.min.y + t.faces.strong.size * 1.2f}};
    const double value = double(node->value(asked->cell.batch, asked->cell.row, asked->cell.column));
    draw_text_in(list, t.faces.strong, {heading.min, {heading.max.x - t.px(130), heading.max.y}},
                 t.colours.ink, cell_label(session, *node, asked->cell) + "  =  " + format_number(value, 5));
    if (held) {
        const std::string let_go = s.text("window.number.held");
        const float width = text_width(t.faces.caption, let_go);
        const ScreenRect there{{heading.max.x - width, heading.min.y}, heading.max};
        draw_text_in(list, t.faces.caption, there, t.colours.accent, let_go);
        if (pressable("number.release", there).pressed) commands.emit("unselect");
    }

    ExplanationTextOptions options;
    options.decimals = 3;
    options.order = TermOrder::by_contribution;
    options.rest_of_sum = s.text("window.number.rest_of_sum");
    options.rest_of_maximum = s.text("window.number.rest_of_maximum");
    // As many terms as the line has room for.
    const std::size_t room = 2;
    ExplanationText text;
    const auto too_long = [&](const ExplanationLine& line) {
        return text_width(t.faces.mono, line.text()) > inner.width();
    };
    for (options.max_terms = 12; options.max_terms > 0; --options.max_terms) {
        text = explanation_text(session.model().graph(), *node, asked->cell, options);
        const auto shown = text.lines.end() - std::ptrdiff_t(std::min(room, text.lines.size()));
        if (std::none_of(shown, text.lines.end(), too_long)) break;
    }
    float y = heading.max.y + t.px(4);
    const float line_height = t.faces.mono.size * 1.45f;
    // The last lines say the most: the result stands there.
    const std::size_t first = text.lines.size() > room ? text.lines.size() - room : 0;
    for (std::size_t i = first; i < text.lines.size(); ++i, y += line_height)
        draw_text_in(list, t.faces.mono, {{inner.min.x, y}, {inner.max.x, y + line_height}},
                     t.colours.ink_soft, text.lines[i].text());
    if (!text.note.empty() && text.lines.size() < room)
        draw_text_in(list, t.faces.caption, {{inner.min.x, y}, {inner.max.x, y + line_height}},
                     t.colours.ink_faint, s.text(text.note));
}

} // namespace headlight
