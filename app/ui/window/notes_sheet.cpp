#include "app/ui/lessons/rich_text.h"
#include "app/ui/widgets/overlay.h"
#include "app/ui/widgets/scrolled_column.h"
#include "app/ui/window/window_parts.h"

namespace headlight {

void notes_sheet(const ScreenRect& rect, const std::string& time, const Session& session,
                 const LessonPlayer& lessons) {
    const Strings& s = session.strings();
    begin_bare_window("notes", rect, ImGuiWindowFlags_NoInputs);
    const ScreenRect inner = rect.inset(px(22));
    const std::size_t card = lessons.card_number(), all = lessons.lesson().cards.size();
    const ScreenRect line = ScreenRect::at(inner.min.x, inner.min.y, inner.width(), control_height());
    draw_text_in(pen(), faces().caption, line, colours().accent,
                 std::to_string(card + 1) + " / " + std::to_string(all));
    draw_text_in(pen(), faces().heading, line, colours().ink_soft, time, Align::right);
    PanelColumn column{inner.min.x, inner.max.x, line.max.y + px(8)};
    column_heading(column, lessons.card().title);
    column.skip(px(8));
    CommandSink nobody;
    RichTextEvents events;
    rich_blocks(column, lessons.card().aside, faces().body, colours().ink, "notes", session, nobody, events);
    if (card + 1 < all)
        draw_text_in(pen(), faces().body, {{inner.min.x, inner.max.y - control_height()}, inner.max},
                     colours().ink_faint,
                     s.text("teach.notes.next", {lessons.lesson().cards[card + 1].title}));
    ImGui::End();
}

} // namespace headlight
