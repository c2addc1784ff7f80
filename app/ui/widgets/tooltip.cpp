// The one place where tooltips are laid out.
#include "app/ui/base/ui.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// Of the last frame, all of which is known, and of this one.
struct KeptInSight {
    std::vector<ScreenRect> last, now;
    int frame = 0;

    void begin(int present) {
        if (present == frame) return;
        last = present == frame + 1 ? std::move(now) : std::vector<ScreenRect>();
        now.clear();
        frame = present;
    }
};

float covered(const ScreenRect& a, const ScreenRect& b) {
    const ScreenRect both = a.cut_to(b);
    return both.empty() ? 0 : both.width() * both.height();
}

// Moved on, up or down, until nothing that is kept in sight lies under it.
float clear_of(ScreenRect place, float way, float gap, std::span<const ScreenRect> in_sight) {
    for (std::size_t tries = 0; tries <= in_sight.size(); ++tries) {
        const auto under = std::find_if(in_sight.begin(), in_sight.end(),
                                        [&](const ScreenRect& one) { return covered(place, one) > 0; });
        if (under == in_sight.end()) break;
        const float height = place.height();
        place.min.y = way > 0 ? under->max.y + gap : under->min.y - gap - height;
        place.max.y = place.min.y + height;
    }
    return place.min.y;
}

} // namespace

ScreenRect tooltip_place(ImVec2 size, const ScreenRect& explained, ImVec2 screen,
                         std::span<const ScreenRect> in_sight) {
    const float gap = px(7), margin = px(6);
    const float left = explained.min.x, below = explained.max.y + gap, above = explained.min.y - gap - size.y;
    const auto at = [&](float x, float y) {
        x = std::max(std::min(x, screen.x - size.x - margin), margin);
        y = std::max(std::min(y, screen.y - size.y), 0.f);
        return ScreenRect::at(x, y, size.x, size.y);
    };
    const auto cleared = [&](float y, float way) {
        return at(left, clear_of(at(left, y), way, gap, in_sight));
    };
    const float beside = explained.min.y;
    const ScreenRect places[] = {at(left, below),
                                 at(left, above),
                                 cleared(below, 1),
                                 cleared(above, -1),
                                 at(explained.max.x + gap, beside),
                                 at(explained.min.x - gap - size.x, beside)};
    const auto harm = [&](const ScreenRect& place) {
        float area = 1000 * covered(place, explained); // what it speaks of before anything else
        for (const ScreenRect& one : in_sight) area += covered(place, one);
        return area;
    };
    return *std::min_element(std::begin(places), std::end(places),
                             [&](const auto& a, const auto& b) { return harm(a) < harm(b); });
}

void keep_in_sight(const ScreenRect& rect) {
    KeptInSight& kept = ui().state<KeptInSight>();
    kept.begin(ImGui::GetFrameCount());
    if (!rect.empty()) kept.now.push_back(rect);
}

void show_tooltip(std::string_view text, const ScreenRect& explained) {
    if (text.empty()) return;
    const Face& face = faces().body;
    const float longest = px(380), step = std::round(face.size * line_spacing);
    const ImVec2 padding{px(13), px(9)};
    float width = 0;
    const std::vector<std::string_view> lines = wrapped(face, text, longest);
    for (const std::string_view line : lines) width = std::max(width, std::ceil(text_width(face, line)));
    const ImVec2 size{width + 2 * padding.x, step * float(lines.size()) + 2 * padding.y};
    KeptInSight& kept = ui().state<KeptInSight>();
    kept.begin(ImGui::GetFrameCount());
    const ScreenRect place = tooltip_place(size, explained, ImGui::GetIO().DisplaySize, kept.last);
    ImGui::SetNextWindowPos(place.min);
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    if (begin_tooltip()) {
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        draw_wrapped(pen(), face, corner, longest, colours().ink, text);
        widgets().record("tooltip", place);
        end_tooltip();
    }
    ImGui::PopStyleVar();
}

void show_tooltip(std::string_view text) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    show_tooltip(text, ScreenRect::at(mouse.x, mouse.y - px(8), px(12), px(24)));
}

} // namespace headlight
