#include "app/ui/window/window_parts.h"

#include "app/ui/widgets/drop_list.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace headlight {

float widest_room_list(const Session& session) {
    float width = 0; // nothing moves when another room is chosen
    for (const std::string_view name : room_names)
        width = std::max(width, drop_list_width(session.strings().text("window.room." + std::string(name))));
    return width;
}

float room_tabs(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    std::vector<std::string> labels;
    for (const std::string_view name : room_names)
        labels.push_back(s.text("window.room." + std::string(name)));
    // Pages from the ground share a tab: one of each would take the room of all others.
    std::vector<std::string> tabs(labels.begin(), labels.begin() + int(Room::lesson));
    tabs.push_back(s.text("window.room.ground"));
    float width = segmented_width(tabs);
    int chosen = int(session.view().room);
    if (width <= rect.width()) {
        ImGui::SetCursorScreenPos({rect.max.x - width, rect.min.y});
        struct LastPage {
            int room = int(Room::lesson);
        };
        int& last = ui().memory<LastPage>().room; // of those that share a tab
        if (is_small_page(session.view().room)) last = chosen;
        chosen = std::min(chosen, int(Room::lesson));
        if (segmented("rooms", tabs, chosen, s.text("window.room.tip")))
            commands.emit("room " + std::string(room_names[chosen == int(Room::lesson) ? last : chosen]));
        return rect.max.x - width;
    }
    const std::string& label = labels[std::size_t(chosen)];
    width = std::min(drop_list_width(label), rect.width());
    const DropList list{"rooms", label, s.text("window.room.tip"), labels, chosen};
    if (const std::optional<int> now = drop_list({rect.max.x - width, rect.min.y}, width, list))
        commands.emit("room " + std::string(room_names[*now]));
    return rect.max.x - width;
}

} // namespace headlight
