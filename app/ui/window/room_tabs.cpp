#include "app/ui/window/window_parts.h"

#include "app/ui/widgets/drop_list.h"

#include <cmath>

namespace headlight {

namespace {

constexpr const char* names[] = {"explore", "train", "heads", "whatif", "lesson"};

} // namespace

float room_tabs(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    std::vector<std::string> labels;
    float width = 2 * px(3); // as the control takes it
    for (const char* name : names) {
        labels.push_back(s.text(std::string("window.room.") + name));
        width += std::ceil(text_width(faces().body, labels.back())) + 2 * px(14);
    }
    int chosen = int(session.view().room);
    if (width <= rect.width()) {
        ImGui::SetCursorScreenPos({rect.max.x - width, rect.min.y});
        if (segmented("rooms", labels, chosen, s.text("window.room.tip")))
            commands.emit(std::string("room ") + names[chosen]);
        return rect.max.x - width;
    }
    const std::string& label = labels[std::size_t(chosen)];
    width = std::min(drop_list_width(label), rect.width());
    const DropList list{"rooms", label, s.text("window.room.tip"), labels, chosen};
    if (const std::optional<int> now = drop_list({rect.max.x - width, rect.min.y}, width, list))
        commands.emit(std::string("room ") + names[*now]);
    return rect.max.x - width;
}

} // namespace headlight
