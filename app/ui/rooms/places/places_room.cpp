#include "app/ui/rooms/page_choice.h"
#include "app/ui/rooms/rooms.h"

namespace headlight {

void places_room(const ScreenRect& body, const Session& session, CommandSink& commands) {
    const PageFrame frame = page_frame(body, session);
    if (!frame.has_side) return;
    ScrolledColumn scrolled("placesside", frame.side);
    page_choice(scrolled.column, session, commands);
}

} // namespace headlight
