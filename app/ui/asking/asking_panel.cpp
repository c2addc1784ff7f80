#include "app/ui/asking/asking_panel.h"

#include "app/ui/asking/asked.h"
#include "app/ui/asking/asking_parts.h"

#include <array>

namespace headlight {

void section_caption(AskingContext& context, std::string_view text) {
    draw_label(pen(), faces().caption, context.column.take(faces().caption.size * 1.35f), colours().ink_faint,
               text);
}

namespace {

void choose_direction(AskingContext& context) {
    const Strings& s = context.session.strings();
    const bool touches = context.session.view().asking.direction == AskingDirection::touches;
    const std::array<Chip, 2> choices = {
        Chip{s.text("asking.direction.from"), s.text("asking.direction.from.tip"), !touches},
        Chip{s.text("asking.direction.touches"), s.text("asking.direction.touches.tip"), touches}};
    if (const auto pressed = column_chips(context.column, "ask.direction", choices))
        context.commands.emit(*pressed == 0 ? "direction from" : "direction touches");
}

void contents(AskingContext& context, const std::optional<NamedCell>& pointed) {
    const Session& session = context.session;
    const std::optional<NamedCell> asked = asked_cell(session, pointed);
    if (asked && is_kept_back(session, *asked)) {
        column_text(context.column, faces().body, colours().ink_soft, session.strings().text("teach.first"));
        return;
    }
    if (asked) {
        trail_view(context);
        asked_heading(context, *asked);
        if (!context.is_low) choose_direction(context);
        if (session.view().asking.direction == AskingDirection::touches)
            touched_view(context, *asked);
        else
            arithmetic_view(context, *asked);
        if (context.is_low) {
            context.column.skip(px(10));
            choose_direction(context);
        }
    } else {
        section_caption(context, session.strings().text("asking.title"));
        context.column.skip(px(4));
        column_text(context.column, faces().body, colours().ink_soft, session.strings().text("asking.empty"));
    }
    // Among the heads the present step is not in sight.
    if (!asked && session.view().room == Room::heads) return;
    context.column.skip(px(16));
    part_view(context, pointed);
}

} // namespace

std::optional<NamedCell> asking_panel(const ScreenRect& rect, const Session& session, CommandSink& commands,
                                      const std::optional<NamedCell>& pointed) {
    if (!session.has_model() || rect.empty()) return {};
    const float bar = ImGui::GetStyle().ScrollbarSize, margin = px(14);
    ImGui::SetCursorScreenPos(rect.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild("asking", {rect.width(), rect.height()}, false, ImGuiWindowFlags_NoBackground);
    // Another cell is read from its beginning.
    struct Read {
        std::optional<NamedCell> cell;
    };
    std::optional<NamedCell>& read = ui().memory<Read>().cell;
    if (session.view().asking.held && read != session.view().asking.held) ImGui::SetScrollY(0);
    read = session.view().asking.held;

    const float top = rect.min.y - ImGui::GetScrollY() + px(10);
    AskingContext context{
        session, commands, {rect.min.x + margin, rect.max.x - std::max(margin, bar + px(2)), top}};
    context.is_low = theme().presents() && rect.height() < px(420);
    contents(context, pointed);
    // What the child is as high as.
    ImGui::SetCursorScreenPos({rect.min.x, context.column.y});
    ImGui::Dummy({1, px(10)});
    ImGui::EndChild();
    ImGui::PopStyleVar();
    widgets().record("asking", rect);
    return context.hinted;
}

} // namespace headlight
