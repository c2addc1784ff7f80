#include "app/ui/base/ui.h"
#include "app/ui/rooms/heads/heads_parts.h"
#include "app/ui/rooms/heads/pair_parts.h"
#include "app/ui/widgets/scrolled_column.h"

#include <algorithm>

namespace headlight {

void pair_page(const ScreenRect& rect, const Session& session, HeadsRoom& room, CommandSink& commands) {
    const Theme& t = theme();
    ScrolledColumn scrolled("pair", rect);
    PanelColumn& column = scrolled.column;
    if (!session.what_if().second()) {
        pair_field(column, session, room, commands);
        pair_start(column, session, commands);
        return;
    }
    const WordWay& way = room.pair.way(session);
    const PairedMap& map = room.pair.map(session, room.data);
    const float top = column.y;
    const auto sentences = [&] {
        pair_field(column, session, room, commands);
        pair_words(column, session, &way.words, commands);
        if (session.what_if().comparison())
            column_text(column, t.faces.caption, t.colours.warning, session.strings().text("beside.changed"));
        column.skip(t.px(10));
    };
    const bool low = rect.height() < t.px(400); // no room for both: what is to be seen comes first
    if (!low) sentences();
    pair_choices(column, session, map, room.pair.parting_head(session, room.data), commands);
    const float left = rect.height() - (column.y - top) - t.px(12);
    if (session.state().heads.shows_way) {
        pair_way(column, left, session, way);
    } else { // so high that every word can be read, while all is seen at once: then the page scrolls
        const std::size_t rows = (map.transposed ? map.keys : map.queries).size();
        const float wanted = t.px(190) + float(rows) * t.px(12), most = std::max(rect.height(), t.px(330));
        pair_maps(column.take(std::max(left, std::min(wanted, most))), session, map, way.words,
                  room.pair_cell);
    }
    if (!low) return;
    column.skip(t.px(16));
    sentences();
}

} // namespace headlight
