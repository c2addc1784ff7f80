#include "app/ui/lessons/front_door.h"
#include "app/ui/lessons/library.h"
#include "app/ui/widgets/overlay.h"

namespace headlight {

namespace {

// The sentence is the first thing that one would type.
void begin_with_own_words(CommandSink& commands) {
    commands.emit("lesson door off");
    send_keyboard_to("source");
}

// Who does not read this language finds the other in the corner: seen through the door.
void language_over(const Session& session, CommandSink& commands) {
    const auto place = widgets().find("help");
    if (!place) return;
    const bool is_english = session.strings().language() == "en";
    ImGui::SetCursorScreenPos(place->min);
    if (button("language_over_door", is_english ? "PT" : "EN",
               {.tooltip = session.strings().text("window.language.tip"), .pixels = place->width()}))
        commands.emit(is_english ? "language pt" : "language en");
}

} // namespace

void front_door(const ScreenRect& window, const Session& session, const LessonPlayer& lessons,
                CommandSink& commands) {
    if (!lessons.shows_door()) return;
    const Strings& s = session.strings();
    const Overlay overlay("door", window, {px(860), px(640)});
    widgets().record("door", overlay.card);
    const ScreenRect inner = overlay.card.inset(px(26));
    PanelColumn column{inner.min.x, inner.max.x, inner.min.y};
    column_text(column, faces().title, colours().ink, s.text("door.title"));
    column.skip(px(4));
    column_text(column, faces().body, colours().ink_soft, s.text("door.text"));
    column.skip(px(16));
    {
        ControlRow row(column);
        if (!lessons.lessons().empty()
            && row.button("door.show", s.text("door.show"),
                          {.tooltip = s.text("door.show.tip"), .kind = ButtonKind::primary}))
            commands.emit("lesson open " + lessons.lessons().front().name);
        if (row.button("door.try", s.text("door.try"), {.tooltip = s.text("door.try.tip")}))
            begin_with_own_words(commands);
    }
    column.skip(px(10));
    column_caption(column, s.text("door.lessons"));
    lesson_rows({{column.left, column.y}, inner.max}, lessons, commands);
    if (key_pressed(Key::escape)) commands.emit("lesson door off");
    language_over(session, commands);
}

} // namespace headlight
