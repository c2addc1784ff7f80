#include "app/ui/closeup/frame.h"

#include "app/ui/asking/number_flow.h"

#include <cmath>
#include <vector>

namespace headlight {

bool is_cramped(const ScreenRect& rect) { return rect.height() < px(theme().presents() ? 420 : 330); }

float close_button(ImVec2 top_right, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const float width = button_width(s.text("positions.close"));
    ImGui::SetCursorScreenPos({top_right.x - width, top_right.y});
    if (button("closeup.close", s.text("positions.close"), {.tooltip = s.text("positions.close.tip")}))
        commands.emit("closeup off");
    return width;
}

void closeup_heading(PanelColumn& column, const Session& session, std::string_view title,
                     std::string_view place, CommandSink& commands) {
    const float width = close_button({column.right, column.y}, session, commands);
    const float right = column.right - width - px(12), line = faces().caption.size * 1.25f;
    draw_label(pen(), faces().caption, {{column.left, column.y}, {right, column.y + line}}, colours().accent,
               place);
    column.skip(line);
    column.skip(draw_wrapped(pen(), faces().heading, {column.left, column.y}, right - column.left,
                             colours().ink, title)
                + px(6));
}

float up_down_buttons(ImVec2 top_left, const UpDown& buttons, CommandSink& commands) {
    const float width = 34;
    float x = top_left.x;
    const auto arrow = [&](const char* part, const char* label, std::string_view tip, const std::string& line,
                           bool enabled) {
        ImGui::SetCursorScreenPos({x, top_left.y});
        if (button(buttons.name + part, label,
                   {.tooltip = tip, .kind = ButtonKind::quiet, .enabled = enabled, .width = width}))
            commands.emit(line);
        x += px(width);
    };
    arrow(".up", "↑", buttons.up_tip, buttons.up, buttons.can_go_up);
    arrow(".down", "↓", buttons.down_tip, buttons.down, buttons.can_go_down);
    return x;
}

float play_buttons(ImVec2 top_left, const PlayButtons& buttons, const Session& session,
                   CommandSink& commands) {
    const Strings& s = session.strings();
    const float width = 44, gap = px(6);
    const std::string name(buttons.command);
    float x = top_left.x;
    const auto next = [&](const char* part, const char* label, const std::string& tip,
                          const std::string& line, bool enabled, ButtonKind kind) {
        ImGui::SetCursorScreenPos({x, top_left.y});
        if (button(name + part, label, {.tooltip = tip, .kind = kind, .enabled = enabled, .width = width}))
            commands.emit(line);
        x += px(width) + gap;
    };
    next(".back", "←", s.text("closeups.back"), buttons.back, buttons.can_go_back, ButtonKind::plain);
    next(".play", buttons.playing ? "❚❚" : "▶", s.text(buttons.playing ? "closeups.pause" : "closeups.play"),
         name + " toggle", buttons.playing || buttons.can_go_back || buttons.can_go_on, ButtonKind::primary);
    next(".on", "→", s.text("closeups.on"), buttons.on, buttons.can_go_on, ButtonKind::plain);
    return x;
}

float closeup_heads(ImVec2 top_right, const Session& session, const HeadChoice& choice, float room,
                    CommandSink& commands) {
    if (choice.heads < 2) return 0;
    const Strings& s = session.strings();
    const std::string& tip = s.text(choice.may_be_all ? "window.heads.tip" : "closeups.heads.tip");
    std::vector<std::string> labels;
    if (choice.may_be_all) labels.push_back(s.text("window.heads.all"));
    for (Index h = 0; h < choice.heads; ++h) labels.push_back(std::to_string(h + 1));
    const float width = segmented_width(labels);
    const std::string& label = s.text("window.heads.label");
    const float label_width = std::ceil(text_width(faces().caption, label)) + px(10);
    if (width + label_width > room) { // too many to stand side by side: one after another
        const std::string which =
            choice.head < 0
                ? label + ": " + s.text("window.heads.all")
                : s.text("closeups.head_of", {std::to_string(choice.head + 1), std::to_string(choice.heads)});
        const float natural = button_width(which);
        if (natural > room) return 0; // the keys choose
        ImGui::SetCursorScreenPos({top_right.x - natural, top_right.y});
        if (button("closeup.heads", which, {.tooltip = tip}))
            commands.emit(choice.may_be_all ? "head next"
                                            : "head " + std::to_string((choice.head + 1) % choice.heads));
        return natural;
    }
    draw_text_in(
        pen(), faces().caption,
        ScreenRect::at(top_right.x - width - label_width, top_right.y, label_width, control_height()),
        colours().ink_faint, label);
    const Index first = choice.may_be_all ? -1 : 0; // the head of the first label
    int chosen = int(choice.head - first);
    ImGui::SetCursorScreenPos({top_right.x - width, top_right.y});
    if (segmented("closeup.heads", labels, chosen, tip))
        commands.emit(chosen + first < 0 ? "head all" : "head " + std::to_string(chosen + first));
    return width + label_width;
}

void arithmetic_line(ImVec2 top_left, float width, std::string_view name, const Session& session,
                     const ExplanationText& explained, CommandSink& commands) {
    const ExplanationLine& line = explained.lines.back();
    std::string text;
    std::vector<NumberLink> links;
    for (const TermText& term : line.terms) {
        for (NumberLink link : term.links) {
            if (!link.cell.node) continue;
            link.begin += text.size();
            link.end += text.size();
            links.push_back(link);
        }
        text += term.text;
    }
    if (!line.leaf) text += (line.exact ? " = " : " ≈ ") + line.result;
    const NumberFlow flow{name, &faces().mono_small, text, links};
    draw_number_flow(flow, top_left, width, session, commands);
}

std::string strip_number(double x) {
    const double size = std::abs(x);
    if (!std::isfinite(x) || size >= 1e4 || (x != 0 && size < 1e-3)) return format_number(x, 3);
    return format_fixed(x, size >= 1e3 ? 1 : 3); // as wide as the strip has room for
}

std::string short_number(double x) { return x == std::floor(x) ? exact_text(x) : format_number(x, 3); }

} // namespace headlight
