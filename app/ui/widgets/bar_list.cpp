#include "app/ui/widgets/bar_list.h"

#include "app/ui/base/ui.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

float row_height() { return theme().faces.body.size + theme().px(8); }

} // namespace

float bar_list_height(int bars) { return row_height() * float(bars); }

BarListResult bar_list(const BarListView& view) {
    const Theme& look = theme();
    const Colours& c = look.colours;
    const Face &face = look.faces.body, &strong = look.faces.strong, &number = look.faces.mono;
    const float width = view.width > 0 ? view.width : ImGui::GetContentRegionAvail().x;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();

    float label_width = view.label_width, number_width = 0;
    for (const Bar& bar : view.bars) {
        if (view.label_width <= 0)
            label_width = std::max(label_width, std::ceil(text_width(strong, bar.label)));
        number_width = std::max(number_width, text_width(number, format_fixed(bar.value, view.decimals)));
    }
    label_width = std::min(label_width, std::round(width * 0.4f));
    const float track_left = corner.x + label_width + look.px(10);
    const float track_right =
        std::max(corner.x + width - number_width - look.px(10), track_left + look.px(10));

    BarListResult result;
    const bool window_hovered = ImGui::IsWindowHovered();
    for (int index = 0; index < int(view.bars.size()); ++index) {
        const Bar& bar = view.bars[std::size_t(index)];
        const ScreenRect row =
            ScreenRect::at(corner.x, corner.y + row_height() * float(index), width, row_height());
        const bool chosen = view.chosen == index;
        const bool hovered = window_hovered && ImGui::IsMouseHoveringRect(row.min, row.max);
        if (hovered) {
            result.hovered = index;
            if (ImGui::IsMouseClicked(0)) result.clicked = index;
            list.AddRectFilled({row.min.x - look.px(6), row.min.y}, {row.max.x + look.px(6), row.max.y},
                               c.raised, look.px(5));
        }
        const Colour ink = chosen || hovered ? c.ink : c.ink_soft;
        draw_label(list, chosen ? strong : face, {row.min, {row.min.x + label_width, row.max.y}}, ink,
                   bar.label, Align::right);

        const float half = look.px(6), middle = std::round(row.centre().y), track = track_right - track_left;
        list.AddRectFilled({track_left, middle - half}, {track_right, middle + half},
                           hovered ? c.hovered : c.raised, look.px(3));
        if (std::isfinite(bar.value)) {
            const float share = std::clamp(bar.value / view.full, 0.0f, 1.0f);
            const float end = track_left + std::round(share * track);
            const Colour colour = view.colour.value_or(c.probability);
            // However small, what is not zero leaves a trace.
            if (bar.value > 0)
                list.AddRectFilled({track_left, middle - half},
                                   {std::max(end, track_left + 2), middle + half},
                                   chosen || !view.chosen ? colour : mix(colour, c.card, 0.35f), look.px(3));
        }
        if (bar.reference && std::isfinite(*bar.reference)) {
            const float at =
                track_left
                + std::round(std::clamp(*bar.reference / view.full, 0.0f, 1.0f) * (track - look.px(2)));
            list.AddRectFilled({at - 1, middle - half - look.px(3)},
                               {at + look.px(2) + 1, middle + half + look.px(3)}, c.card);
            list.AddRectFilled({at, middle - half - look.px(3)},
                               {at + look.px(2), middle + half + look.px(3)}, c.ink);
        }
        const std::string shown = format_fixed(bar.value, view.decimals);
        draw_text(list, number, {row.max.x - text_width(number, shown), row.centre().y - number.size / 2},
                  ink, shown);
        widgets().record(std::string(view.name).append(".").append(std::to_string(index)), row);
    }
    const float height = bar_list_height(int(view.bars.size()));
    ImGui::Dummy({width, std::max(height, 1.0f)});
    widgets().record(view.name, ScreenRect::at(corner.x, corner.y, width, height));
    return result;
}

} // namespace headlight
