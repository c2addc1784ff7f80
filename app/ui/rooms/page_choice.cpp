#include "app/ui/rooms/page_choice.h"

#include <array>

namespace headlight {

void page_choice(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const Room room = session.view().room;
    const std::array<Chip, 2> pages = {
        Chip{s.text("window.room.lesson"), s.text("window.room.tip"), room == Room::lesson},
        Chip{s.text("window.room.cabinet"), s.text("window.room.tip"), room == Room::cabinet}};
    if (const auto pressed = chips("page", pages, column))
        commands.emit(*pressed == 0 ? "room lesson" : "room cabinet");
    column.skip(px(10));
}

} // namespace headlight
