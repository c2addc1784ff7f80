#include "app/ui/rooms/page_choice.h"
#include "app/ui/rooms/rooms.h"

namespace headlight {

void norms_room(const ScreenRect& body, const Session& session, CommandSink& commands) {
    const PageFrame frame = page_frame(body, session);
    if (!frame.has_side) return;
    ScrolledColumn scrolled("normsside", frame.side);
    page_choice(scrolled.column, session, commands);
}

} // namespace headlight
