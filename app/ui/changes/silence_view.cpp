#include "app/ui/changes/changes_parts.h"

#include "app/ui/changes/change_choices.h"
#include "app/ui/changes/change_words.h"

namespace headlight {

std::string silence_change(const std::string& attention, Index head) {
    return "head " + attention + " " + std::to_string(head) + " silence";
}

void silence_button(PanelColumn& column, const Session& session, const std::string& attention, Index head,
                    CommandSink& commands) {
    const Strings& s = session.strings();
    const std::string change = silence_change(attention, head);
    const bool silent = is_made(session, change);
    if (column_chip(column, "silence",
                    {s.text(silent ? "board.speak" : "board.silence"),
                     s.text(silent ? "board.speak.tip" : "board.silence.tip"), silent}))
        commands.emit(switch_command(session, change));
}

void effect_beside(PanelColumn& column, const Session& session, CommandSink& commands) {
    for (const Change& change : session.question().changes)
        if (change.on)
            column_text(column, faces().caption, colours().ink_soft, change_words(session, change.text));
    column.skip(px(8));
    ChangesContext context{session, commands, column};
    effect_in_words(context);
    effect_in_numbers(context);
}

} // namespace headlight
