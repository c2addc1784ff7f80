#include "app/ui/widgets/bar_list.h"

#include "app/ui/base/ui.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

float row_height() { return faces().body.size + px(8); }

} // namespace

float bar_list_height(int bars) { return row_height() * float(bars); }

BarListResult bar_list(const BarListView& view) {
    const Colours& c = colours();
    const Face &face = faces().body, &strong = faces().strong, &number = faces().mono;
    const float width = view.width > 0 ? view.width : ImGui::GetContentRegionAvail().x;
    const ImVec2 corner = ImGui::GetCursorScreenPos();

    float label_width = view.label_width, number_width = 0;
    const bool has_negative =
        std::any_of(view.bars.begin(), view.bars.end(), [](const Bar& bar) { return bar.value < 0; });
    for (const Bar& bar : view.bars) {
        if (view.label_width <= 0)
            label_width = std::max(label_width, std::ceil(text_width(strong, bar.label)));
        number_width = std::max(number_width, text_width(number, format_fixed(bar.value, view.decimals)));
    }
    label_width = std::min(label_width, std::round(width * 0.4f));
    const float track_left = corner.x + label_width + px(10);
    const float track_right = std::max(corner.x + width - number_width - px(10), track_left + px(10));

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
            pen().AddRectFilled({row.min.x - px(6), row.min.y}, {row.max.x + px(6), row.max.y}, c.raised,
                                px(5));
        }
        const Colour ink = chosen || hovered ? c.ink : c.ink_soft;
        draw_label(pen(), chosen ? strong : face, {row.min, {row.min.x + label_width, row.max.y}}, ink,
                   bar.label, Align::right);

        const float half = px(6), middle = std::round(row.centre().y), track = track_right - track_left;
        pen().AddRectFilled({track_left, middle - half}, {track_right, middle + half},
                            hovered ? c.hovered : c.raised, px(3));
        if (std::isfinite(bar.value)) {
            const float share = std::clamp(bar.value / view.full, has_negative ? -1.f : 0.f, 1.f);
            const float zero = has_negative ? std::round(track_left + track / 2) : track_left;
            const float end = zero + std::round(share * (has_negative ? track / 2 : track));
            const Colour colour = bar.value < 0 ? c.negative : view.colour.value_or(c.probability);
            if (has_negative)
                pen().AddLine({zero, middle - half - px(2)}, {zero, middle + half + px(2)}, c.frame);
            // However small, what is not zero leaves a trace.
            if (bar.value != 0)
                pen().AddRectFilled({std::min(zero - (bar.value < 0 ? 2.f : 0.f), end), middle - half},
                                    {std::max(end, zero + (bar.value > 0 ? 2.f : 0.f)), middle + half},
                                    chosen || !view.chosen ? colour : mix(colour, c.card, 0.35f), px(3));
        }
        if (bar.reference && std::isfinite(*bar.reference)) {
            const float at =
                track_left + std::round(std::clamp(*bar.reference / view.full, 0.0f, 1.0f) * (track - px(2)));
            pen().AddRectFilled({at - 1, middle - half - px(3)}, {at + px(2) + 1, middle + half + px(3)},
                                c.card);
            pen().AddRectFilled({at, middle - half - px(3)}, {at + px(2), middle + half + px(3)}, c.ink);
        }
        const std::string shown = format_fixed(bar.value, view.decimals);
        draw_text(pen(), number, {row.max.x - text_width(number, shown), row.centre().y - number.size / 2},
                  ink, shown);
        widgets().record(std::string(view.name).append(".").append(std::to_string(index)), row);
    }
    const float height = bar_list_height(int(view.bars.size()));
    ImGui::Dummy({width, std::max(height, 1.0f)});
    widgets().record(view.name, ScreenRect::at(corner.x, corner.y, width, height));
    return result;
}

} // namespace headlight
