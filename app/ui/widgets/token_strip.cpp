#include "app/ui/widgets/token_strip.h"

#include "app/ui/base/ui.h"
#include "app/ui/widgets/columns.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

struct Measures {
    const Theme& look = theme();
    float padding = look.px(9), gap = look.px(6), line_gap = look.px(10);
    float chip_height = look.faces.body.size + look.px(10);
    float id_height = look.faces.mono_small.size + look.px(3);
    float offer_padding = look.px(5); // at either side
};

std::string id_of(const TokenChip& token) { return token.id < 0 ? "?" : std::to_string(token.id); }

float chip_width(const Measures& measures, const TokenChip& token, bool with_id) {
    const Faces& faces = measures.look.faces;
    const float text = text_width(faces.body, token.text) + 2 * measures.padding;
    float below = with_id && token.offers.empty() ? text_width(faces.mono_small, id_of(token)) : 0;
    for (const std::string& offer : token.offers)
        below += std::ceil(text_width(faces.caption, offer)) + 2 * measures.offer_padding;
    return std::ceil(std::max({text, below, measures.look.px(26)}));
}

void draw_chip(const Measures& measures, const TokenStripView& view, int index, const ScreenRect& chip,
               bool hovered) {
    const Theme& look = measures.look;
    const Colours& c = look.colours;
    const TokenChip& token = view.tokens[std::size_t(index)];
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool selected = view.selected == index;
    Colour surface = hovered ? c.hovered : c.raised;
    Colour ink = token.unknown ? c.warning : token.special ? c.ink_faint : c.ink;
    if (std::size_t(index) < view.weights.size()) {
        surface = look.palette_colour(Palette::sequential, view.weights[std::size_t(index)]);
        ink = look.ink_on(surface);
    } else if (selected) {
        surface = c.accent_soft;
        if (!token.unknown) ink = c.accent;
    }
    const float rounding = look.px(6);
    list.AddRectFilled(chip.min, chip.max, surface, rounding);
    if (selected || (hovered && !view.weights.empty()))
        list.AddRect(chip.min, chip.max, selected ? c.accent : c.ink_faint, rounding, 0,
                     look.px(selected ? 2 : 1));
    draw_label(list, look.faces.body,
               {{chip.min.x + look.px(4), chip.min.y}, {chip.max.x - look.px(4), chip.max.y}}, ink,
               token.text, Align::centre);
    if (token.unknown) {
        const float width = std::min(text_width(look.faces.body, token.text), chip.width() - 2 * look.px(4));
        const float dot = look.px(2), y = chip.centre().y + look.faces.body.size / 2 - look.px(1);
        const float left = chip.centre().x - width / 2;
        for (float x = left; x + dot <= left + width; x += 2 * dot)
            list.AddRectFilled({x, y}, {x + dot, y + dot}, c.warning);
    }
    if (view.show_ids && token.offers.empty()) {
        const auto below = ScreenRect::at(chip.min.x - measures.gap / 2, chip.max.y + look.px(3),
                                          chip.width() + measures.gap, look.faces.mono_small.size);
        draw_text_in(list, look.faces.mono_small, below, selected ? c.accent : c.ink_faint, id_of(token),
                     Align::centre);
    }
}

// In one line below the chip, about its middle. The one that was pressed.
std::optional<std::string> offers_below(const Measures& measures, const TokenStripView& view, int index,
                                        const ScreenRect& chip) {
    const Face& face = measures.look.faces.caption;
    const std::vector<std::string>& offers = view.tokens[std::size_t(index)].offers;
    std::optional<std::string> pressed;
    std::vector<float> widths;
    float all = 0;
    for (const std::string& offer : offers) {
        widths.push_back(std::ceil(text_width(face, offer)) + 2 * measures.offer_padding);
        all += widths.back();
    }
    float x = std::round(chip.centre().x - all / 2);
    ImGui::PushID(index);
    for (std::size_t i = 0; i < offers.size(); ++i) {
        const ScreenRect place = ScreenRect::at(x, chip.max.y, widths[i], measures.id_height);
        const Pressable p = pressable((std::string(view.offer_name) + "." + offers[i]).c_str(), place);
        if (p.hovered)
            ImGui::GetWindowDrawList()->AddRectFilled(place.min, place.max, measures.look.colours.hovered,
                                                      measures.look.px(4));
        draw_text_in(*ImGui::GetWindowDrawList(), face, place, measures.look.colours.accent, offers[i],
                     Align::centre);
        if (p.pressed) pressed = offers[i];
        x = place.max.x;
    }
    ImGui::PopID();
    return pressed;
}

} // namespace

float token_strip_width(const TokenStripView& view) {
    const Measures measures;
    float width = 0;
    for (const TokenChip& token : view.tokens)
        width += chip_width(measures, token, view.show_ids) + (width > 0 ? measures.gap : 0);
    return width;
}

TokenStripResult token_strip(const TokenStripView& view) {
    const Measures measures;
    const float width = ImGui::GetContentRegionAvail().x;
    const float line_height = measures.chip_height + (view.show_ids ? measures.id_height : 0);
    const std::string child(view.name);
    if (!view.wrap)
        ImGui::BeginChild(child.c_str(), {width, line_height + ImGui::GetStyle().ScrollbarSize}, false,
                          ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoBackground);

    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const bool window_hovered = ImGui::IsWindowHovered();
    TokenStripResult result;
    float x = corner.x, y = corner.y, right = corner.x;
    for (int index = 0; index < int(view.tokens.size()); ++index) {
        const TokenChip& token = view.tokens[std::size_t(index)];
        const float natural = chip_width(measures, token, view.show_ids);
        const float chip = view.wrap ? std::min(natural, width) : natural;
        if (view.wrap && x > corner.x && x + chip > corner.x + width) {
            x = corner.x;
            y += line_height + measures.line_gap;
        }
        const ScreenRect rect = ScreenRect::at(x, y, chip, measures.chip_height);
        const ScreenRect with_id = ScreenRect::at(x, y, chip, line_height);
        const bool hovered =
            window_hovered
            && ImGui::IsMouseHoveringRect(rect.min, token.offers.empty() ? with_id.max : rect.max);
        if (hovered) {
            result.hovered = index;
            ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
            if (ImGui::IsMouseClicked(0)) result.clicked = index;
        }
        if (ImGui::IsRectVisible(with_id.min, with_id.max)) draw_chip(measures, view, index, rect, hovered);
        const std::string name = std::string(view.name).append(".").append(std::to_string(index));
        widgets().record(name, rect);
        if (token.unknown) tooltip_when_resting(name, with_id, hovered, view.unknown_tooltip);
        if (std::optional<std::string> offer = offers_below(measures, view, index, rect))
            result.mended = index, result.offer = *std::move(offer);
        x += chip + measures.gap;
        right = std::max(right, x - measures.gap);
    }
    result.height = y - corner.y + line_height;
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy({std::max(right - corner.x, 1.0f), result.height});
    widgets().record(view.name, ScreenRect::at(corner.x, corner.y, right - corner.x, result.height));
    if (!view.wrap) {
        if (ImGui::IsWindowHovered() && ImGui::GetIO().MouseWheel != 0)
            ImGui::SetScrollX(ImGui::GetScrollX() - ImGui::GetIO().MouseWheel * measures.look.px(80));
        // What goes on beyond an end fades out there.
        const float fade = measures.look.px(36), left = ImGui::GetWindowPos().x, end = left + width;
        const Colour solid = measures.look.colours.window, clear = with_alpha(solid, 0);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        if (ImGui::GetScrollX() > 0)
            list.AddRectFilledMultiColor({left, y}, {left + fade, y + line_height}, solid, clear, clear,
                                         solid);
        if (ImGui::GetScrollX() < ImGui::GetScrollMaxX())
            list.AddRectFilledMultiColor({end - fade, y}, {end, y + line_height}, clear, solid, solid, clear);
        ImGui::EndChild();
        result.height += ImGui::GetStyle().ScrollbarSize;
    }
    return result;
}

} // namespace headlight
