// The training of a net of gradient descent: the way down that was walked, from step to step.
#include "app/ui/rooms/descent/descent_parts.h"
#include "app/ui/rooms/train/training_parts.h"

#include <algorithm>
#include <array>

namespace headlight {

void choose_trained(PanelColumn& column, const Session& session, CommandSink& commands) {
    if (!session.shows_way()) return;
    const Strings& s = session.strings();
    const bool is_net = session.trains_net();
    const std::array<Chip, 2> choices = {
        Chip{s.text("ground.way.net"), s.text("ground.way.net.tip"), is_net},
        Chip{s.text("ground.way.runs"), s.text("ground.way.runs.tip"), !is_net}};
    const auto pressed = chips("way.trained", choices, column);
    column.skip(px(10));
    if (!pressed) return;
    commands.emit(*pressed == 0 ? "desk net" : "desk runs");
    if (*pressed == 1 && session.training().training.run()) commands.emit("train run");
}

void way_panel(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const Descent& way = *session.small_pages().descended;
    ScrolledColumn scrolled("way", rect);
    PanelColumn& column = scrolled.column;
    const float top = column.y;
    const bool alone = session.view().alone, held = session.view().asking.held.has_value();
    if (!alone && !held) { // then the buttons stand above the answer
        choose_trained(column, session, commands);
        if (!theme().presents()) { // it is the steps that one looks for on a wall
            column_heading(column, s.text("ground.way.title"));
            column_note(column, s.text("ground.way.text"));
        }
        descent_walking(column, session, commands);
    }
    column_text(column, faces().body, colours().ink,
                s.text("ground.way.standing",
                       {format_whole(way.step()), format_whole(way.last()), format_number(way.cost(), 4)}));
    if (way.diverged())
        column_text(column, faces().body, colours().alarm,
                    s.text("ground.diverged", {format_whole(way.last())}));
    column.skip(px(8));
    const float left = rect.height() - (column.y - top) - px(28);
    const ScreenRect costs = column.take(std::max(left, px(150)));
    descent_costs(costs, session, commands);
    widgets().record("desk", rect);
}

} // namespace headlight
