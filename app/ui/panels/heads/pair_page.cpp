#include "app/ui/panels/heads/heads_parts.h"
#include "app/ui/panels/heads/pair_parts.h"
#include "app/ui/panels/scrolled_column.h"
#include "app/ui/ui.h"

#include <algorithm>

namespace headlight {

void pair_page(const ScreenRect& rect, const Session& session, HeadsRoom& room, CommandSink& commands) {
    const Theme& t = theme();
    ScrolledColumn scrolled("pair", rect);
    PanelColumn& column = scrolled.column;
    const float top = column.y;
    pair_field(column, session, room, commands);
    if (!session.what_if().second()) {
        pair_start(column, session, commands);
        return;
    }
    const bool shows_way = session.state().heads.shows_way;
    const WordWay& way = room.pair.way(session);
    const PairedMap& map = room.pair.map(session, room.data);
    pair_words(column, session, &way.words, commands);
    if (session.what_if().comparison())
        column_text(column, t.faces.caption, t.colours.warning, session.strings().text("beside.changed"));
    column.skip(t.px(10));
    pair_choices(column, session, map, room.pair.parting_head(session, room.data), commands);
    // What is left of the page, and never less than can be read: then the page scrolls.
    const float left = rect.height() - (column.y - top) - t.px(12);
    const ScreenRect below = column.take(std::max(left, t.px(shows_way ? 260 : 290)));
    if (shows_way)
        pair_way(below, session, way);
    else
        pair_maps(below, session, map, way.words, room.pair_cell);
}

} // namespace headlight
