#include "app/ui/rooms/heads/heads_parts.h"
#include "app/ui/rooms/heads/pair_parts.h"

#include <algorithm>

namespace headlight {

void pair_page(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    ScrolledColumn scrolled("pair", rect);
    PanelColumn& column = scrolled.column;
    if (!session.what_if().second()) {
        pair_field(column, session, commands);
        pair_start(column, session, commands);
        return;
    }
    HeadsMemory& memory = ui().memory<HeadsMemory>();
    const WordWay& way = memory.pair.way(session);
    const float top = column.y;
    const auto sentences = [&] {
        pair_field(column, session, commands);
        pair_words(column, session, &way.words, commands);
        if (session.what_if().comparison())
            column_text(column, faces().caption, colours().warning, session.strings().text("beside.changed"));
        column.skip(px(10));
    };
    const bool low = rect.height() < px(400); // no room for both: what is to be seen comes first
    if (!low) sentences();
    const PairedMap* map =
        session.model().map().attentions.empty() ? nullptr : &memory.pair.map(session, memory.data);
    if (map) pair_choices(column, session, *map, memory.pair.parting_head(session, memory.data), commands);
    const float left = rect.height() - (column.y - top) - px(12);
    if (!map || session.view().heads.shows_way) {
        pair_way(column, left, session, way);
    } else { // so high that every word can be read, while all is seen at once: then the page scrolls
        const std::size_t rows = (map->transposed ? map->keys : map->queries).size();
        const float wanted = px(190) + float(rows) * px(12), most = std::max(rect.height(), px(330));
        pair_maps(column.take(std::max(left, std::min(wanted, most))), session, *map, way.words,
                  memory.pair_cell, commands);
    }
    if (!low) return;
    column.skip(px(16));
    sentences();
}

} // namespace headlight
