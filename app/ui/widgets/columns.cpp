#include "app/ui/widgets/columns.h"
#include "app/ui/base/ui.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>

namespace headlight {

Pressable pressable(const char* name, const ScreenRect& rect) {
    Pressable result;
    if (rect.empty()) return result;
    ImGui::SetCursorScreenPos(rect.min);
    result.pressed = ImGui::InvisibleButton(name, {rect.width(), rect.height()});
    result.hovered = ImGui::IsItemHovered();
    result.held = ImGui::IsItemActive();
    if (result.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    widgets().record(name, rect);
    return result;
}

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

namespace {

float row_gap() { return px(6); }
float row_gap_below() { return px(8); }

} // namespace

template <class Draw>
auto ControlRow::place(const Draw& draw) {
    ImGui::SetCursorScreenPos({x_, column_.y});
    const auto result = draw();
    x_ = ImGui::GetItemRectMax().x + row_gap();
    height_ = std::max(height_, ImGui::GetItemRectSize().y);
    return result;
}

ControlRow::~ControlRow() { column_.skip(height_ + row_gap_below()); }

bool ControlRow::button(std::string_view name, std::string_view label, const ButtonOptions& options) {
    const float width = options.pixels > 0  ? options.pixels
                        : options.width > 0 ? px(options.width)
                                            : button_width(label);
    if (x_ > column_.left && x_ + width > column_.right + 1) {
        column_.skip(height_ + row_gap());
        x_ = column_.left, height_ = control_height();
    }
    return place([&] { return headlight::button(name, label, options); });
}

bool ControlRow::toggle(std::string_view name, std::string_view label, bool& on, std::string_view tooltip) {
    return place([&] { return headlight::toggle(name, label, on, tooltip); });
}

bool ControlRow::slider(std::string_view name, std::string_view label, float& value, float low, float high,
                        SliderOptions options) {
    if (options.pixels <= 0) options.pixels = rest().width();
    return place([&] { return headlight::slider(name, label, value, low, high, options); });
}

FieldEvent ControlRow::field(std::string_view name, std::string& text, FieldOptions options, float kept) {
    if (options.pixels <= 0) options.pixels = rest().width() - (kept > 0 ? kept + row_gap() : 0);
    return place([&] { return text_field(name, "", text, options); });
}

ScreenRect ControlRow::take(float width) {
    const ScreenRect place = ScreenRect::at(x_, column_.y, width, control_height());
    x_ += width + row_gap();
    return place;
}

ScreenRect ControlRow::rest() const {
    return {{x_, column_.y}, {column_.right, column_.y + control_height()}};
}

BarListResult column_bars(PanelColumn& column, BarListView view) {
    view.width = column.width();
    ImGui::SetCursorScreenPos({column.left, column.y});
    column.skip(bar_list_height(int(view.bars.size())) + row_gap_below());
    return bar_list(view);
}

ScrolledColumn::ScrolledColumn(const char* name, const ScreenRect& rect) : left_(rect.min.x) {
    ImGui::SetCursorScreenPos(rect.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild(name, {rect.width(), rect.height()}, false, ImGuiWindowFlags_NoBackground);
    const float bar = ImGui::GetStyle().ScrollbarSize + px(4);
    column = {rect.min.x, rect.max.x - bar, rect.min.y - ImGui::GetScrollY()};
    widgets().record(name, rect);
}

ScrolledColumn::~ScrolledColumn() {
    ImGui::SetCursorScreenPos({left_, column.y}); // what the child is as high as
    ImGui::Dummy({1, px(10)});
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

void column_caption(PanelColumn& column, std::string_view text) {
    draw_label(pen(), faces().caption, column.take(faces().caption.size * 1.35f), colours().ink_faint, text);
    column.skip(px(5));
}

void column_heading(PanelColumn& column, std::string_view text) {
    column_text(column, faces().heading, colours().ink, text);
    column.skip(px(4));
}

void column_text(PanelColumn& column, const Face& face, Colour colour, std::string_view text) {
    column.skip(draw_wrapped(pen(), face, {column.left, column.y}, column.width(), colour, text));
}

void column_paragraph(PanelColumn& column, std::string_view text) {
    column_text(column, faces().body, colours().ink_soft, text);
    column.skip(px(8));
}

void column_note(PanelColumn& column, std::string_view text) {
    column_text(column, faces().caption, colours().ink_soft, text);
    column.skip(px(8));
}

std::optional<int> column_chips(PanelColumn& column, std::string_view name, std::span<const Chip> choices) {
    const std::optional<int> pressed = chips(name, choices, column);
    column.skip(px(8));
    return pressed;
}

bool column_chip(PanelColumn& column, std::string_view name, const Chip& choice) {
    return column_chips(column, name, {&choice, 1}).has_value();
}

void column_line(PanelColumn& column) {
    column.skip(px(12));
    pen().AddLine({column.left, column.y}, {column.right, column.y}, with_alpha(colours().line, 0.8f));
    column.skip(px(12));
}

} // namespace headlight
