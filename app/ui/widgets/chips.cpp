#include "app/ui/widgets/chips.h"

#include "app/ui/base/ui.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/pressable.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

float between() { return px(6); }
float width_of(const Chip& chip) {
    return std::ceil(text_width(faces().caption, chip.label)) + 2 * px(9) + 1;
}

} // namespace

float chips_width(std::span<const Chip> choices) {
    float width = 0;
    for (const Chip& chip : choices) width += width_of(chip) + (width > 0 ? between() : 0);
    return width;
}

std::optional<int> chips(std::string_view name, std::span<const Chip> choices, PanelColumn& column) {
    const Colours& c = colours();
    const Face& face = faces().caption;
    const float height = face.size + px(11);
    if (theme().options.paper) return {}; // nobody presses what is printed
    std::optional<int> pressed;
    float x = column.left;
    for (int i = 0; i < int(choices.size()); ++i) {
        const Chip& chip = choices[std::size_t(i)];
        const float width = std::min(width_of(chip), column.width());
        if (x > column.left && x + width > column.right) {
            x = column.left;
            column.skip(height + between());
        }
        const ScreenRect rect = ScreenRect::at(x, column.y, width, height);
        const std::string id = std::string(name) + "." + std::to_string(i);
        const Pressable p = chip.enabled ? pressable(id.c_str(), rect) : Pressable{};
        const Colour surface = chip.chosen ? c.accent_soft
                               : p.held    ? c.pressed
                               : p.hovered ? c.hovered
                                           : c.raised;
        pen().AddRectFilled(rect.min, rect.max, surface, px(6));
        draw_label(pen(), face, rect.inset(px(2)),
                   !chip.enabled ? c.ink_faint
                   : chip.chosen ? c.accent
                                 : c.ink,
                   chip.label, Align::centre);
        tooltip_when_resting(id, rect, p.hovered, chip.tooltip);
        if (p.pressed) pressed = i;
        x += width + between();
    }
    column.skip(height);
    return pressed;
}

} // namespace headlight
