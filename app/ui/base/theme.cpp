#include "app/ui/base/theme.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {
namespace {

// Query, key and value differ in hue for everyone: with red-green blindness they are blue, yellow and grey.
Colours light_colours() {
    Colours c{};
    c.window = rgb(0xF6F6F4), c.card = rgb(0xFFFFFF), c.raised = rgb(0xF1F1EE), c.hovered = rgb(0xE9E9E5);
    c.pressed = rgb(0xDEDED9), c.line = rgb(0xE2E2DE);
    c.ink = rgb(0x1D2228), c.ink_soft = rgb(0x545C67), c.ink_faint = rgb(0x636A74);
    c.frame = rgb(0x828992);
    c.accent = rgb(0x2860C5), c.accent_soft = rgb(0xE4ECFA), c.on_accent = rgb(0xFFFFFF);
    c.query = rgb(0x7040C0), c.key = rgb(0xA85400), c.value = rgb(0x007C70);
    c.warning = rgb(0xA25700), c.alarm = rgb(0xD6106E);
    return c;
}

Colours dark_colours() {
    Colours c{};
    c.window = rgb(0x14161A), c.card = rgb(0x1C1F24), c.raised = rgb(0x272B32), c.hovered = rgb(0x30353D);
    c.pressed = rgb(0x3A4049), c.line = rgb(0x31363E);
    c.ink = rgb(0xE9EBEE), c.ink_soft = rgb(0xAAB1BC), c.ink_faint = rgb(0x939BA7);
    c.frame = rgb(0x737B87);
    c.accent = rgb(0x84B3FF), c.accent_soft = rgb(0x24344F), c.on_accent = rgb(0x0E1726);
    c.query = rgb(0xB99BF5), c.key = rgb(0xF2A65A), c.value = rgb(0x4CCDBB);
    c.warning = rgb(0xF0B35C), c.alarm = rgb(0xFF4FA3);
    return c;
}

// Two hues about a neutral that lies just off the card, both ends equally light: the eye reads magnitude from
// lightness and sign from hue. Blue and orange, or purple and green, are told apart without seeing red or
// green: one of each pair keeps its yellow, the other its blue.
std::vector<Colour> diverging(bool dark, float below_zero, float above_zero) {
    const auto arm = [dark](float hue) {
        return dark ? std::vector<Oklch>{{0.300f, 0.006f, hue}, {0.56f, 0.105f, hue}, {0.83f, 0.125f, hue}}
                    : std::vector<Oklch>{{0.966f, 0.004f, hue}, {0.74f, 0.125f, hue}, {0.50f, 0.150f, hue}};
    };
    // The middle belongs to both arms: each is a gradient of its own, and the two are joined back to back.
    const std::vector<Colour> negative = gradient(arm(below_zero)), positive = gradient(arm(above_zero));
    std::vector<Colour> joined(256);
    for (int i = 0; i < 256; ++i) {
        const float place = (float(i) - 127.5f) / 127.5f; // −1 … 1
        joined[std::size_t(i)] =
            (place < 0 ? negative : positive)[std::size_t(std::lround(std::abs(place) * 255))];
    }
    return joined;
}

// From the paper's white (or the night's black) through teal to indigo (or to pale yellow), evenly in
// lightness.
std::vector<Colour> sequential(bool dark) {
    return gradient(dark ? std::vector<Oklch>{{0.27f, 0.015f, 285},
                                              {0.435f, 0.10f, 265},
                                              {0.60f, 0.105f, 225},
                                              {0.765f, 0.115f, 175},
                                              {0.93f, 0.10f, 110}}
                         : std::vector<Oklch>{{0.975f, 0.012f, 110},
                                              {0.815f, 0.085f, 170},
                                              {0.655f, 0.105f, 215},
                                              {0.495f, 0.120f, 255},
                                              {0.335f, 0.115f, 285}});
}

// What something costs, evenly in lightness: rose, which no value, gradient or share is coloured in.
std::vector<Colour> cost_scale(bool dark) {
    return gradient(dark
                        ? std::vector<Oklch>{{0.290f, 0.015f, 345},
                                             {0.44f, 0.110f, 352},
                                             {0.62f, 0.165f, 360},
                                             {0.83f, 0.095f, 365}}
                        : std::vector<Oklch>{
                            {0.972f, 0.010f, 5}, {0.83f, 0.085f, 5}, {0.64f, 0.170f, 5}, {0.44f, 0.160f, 5}});
}

} // namespace

Theme make_theme(const ThemeOptions& options, float screen_scale) {
    Theme theme;
    theme.options = options;
    theme.scale = screen_scale * options.presenter;
    theme.colours = options.dark ? dark_colours() : light_colours();
    if (options.paper) theme.colours.window = theme.colours.card = rgb(0xFFFFFF);
    constexpr float orange = 55, blue = 252, purple = 318, green = 135; // hues
    theme.palettes = {diverging(options.dark, orange, blue), sequential(options.dark),
                      diverging(options.dark, purple, green)};
    theme.costs = cost_scale(options.dark);
    Colours& c = theme.colours;
    c.negative = theme.palette_colour(Palette::diverging, 0.03f);
    c.positive = theme.palette_colour(Palette::diverging, 0.97f);
    c.probability = theme.palette_colour(Palette::sequential, options.dark ? 0.62f : 0.58f);
    // Apart in lightness as well as in hue, so that lines stay apart for everyone.
    c.series = {c.accent, c.key, c.value, c.query, c.alarm, c.ink_soft};
    return theme;
}

Colour Theme::colour_named(std::string_view name) const {
    const std::pair<std::string_view, Colour> named[] = {{"query", colours.query},
                                                         {"key", colours.key},
                                                         {"value", colours.value},
                                                         {"accent", colours.accent},
                                                         {"positive", colours.positive},
                                                         {"negative", colours.negative},
                                                         {"probability", colours.probability},
                                                         {"soft", colours.ink_soft},
                                                         {"faint", colours.ink_faint},
                                                         {"warning", colours.warning},
                                                         {"alarm", colours.alarm}};
    for (const auto& [known, colour] : named)
        if (known == name) return colour;
    return colours.ink;
}

Colour Theme::palette_colour(Palette palette, float place) const {
    const auto index = std::lround(std::clamp(place, 0.0f, 1.0f) * 255);
    return palettes[std::size_t(palette)][std::size_t(index)];
}

Colour Theme::cost_colour(float place) const {
    return costs[std::size_t(std::lround(std::clamp(place, 0.0f, 1.0f) * 255))];
}

Colour Theme::ink_on(Colour background) const {
    return lightness(background) > 0.66f ? rgb(0x14181D) : rgb(0xFFFFFF);
}

void apply_style(const Theme& theme) {
    ImGuiStyle& style = ImGui::GetStyle();
    style = ImGuiStyle();
    style.WindowPadding = {20, 16};
    style.FramePadding = {12, 7};
    style.ItemSpacing = {10, 10};
    style.ItemInnerSpacing = {8, 6};
    style.CellPadding = {8, 5};
    style.IndentSpacing = 20;
    style.ScrollbarSize = 12;
    style.GrabMinSize = 14;
    style.WindowRounding = 10;
    style.ChildRounding = 8;
    style.FrameRounding = 7;
    style.PopupRounding = 8;
    style.ScrollbarRounding = 6;
    style.GrabRounding = 7;
    style.TabRounding = 7;
    style.WindowBorderSize = 1;
    style.ChildBorderSize = 0;
    style.PopupBorderSize = 1;
    style.FrameBorderSize = 0;
    style.TabBorderSize = 0;
    style.WindowTitleAlign = {0, 0.5f};
    style.WindowMenuButtonPosition = ImGuiDir_None;
    style.SelectableTextAlign = {0, 0.5f};
    style.AntiAliasedLinesUseTex = true;
    style.ScaleAllSizes(theme.scale);
    style.WindowBorderSize = style.PopupBorderSize = 1;
    set_default_face(theme.faces.body);

    const Colours& c = theme.colours;
    const auto set = [&style](std::initializer_list<int> which, Colour colour) {
        for (const int index : which) style.Colors[index] = ImGui::ColorConvertU32ToFloat4(colour);
    };
    set({ImGuiCol_Text}, c.ink);
    set({ImGuiCol_TextDisabled}, c.ink_faint);
    set({ImGuiCol_WindowBg, ImGuiCol_TitleBg, ImGuiCol_TitleBgActive, ImGuiCol_TitleBgCollapsed,
         ImGuiCol_MenuBarBg},
        c.card);
    set({ImGuiCol_PopupBg}, theme.options.dark ? c.raised : c.card);
    set({ImGuiCol_ChildBg, ImGuiCol_BorderShadow, ImGuiCol_ScrollbarBg, ImGuiCol_TableRowBg}, 0);
    set({ImGuiCol_Border, ImGuiCol_Separator, ImGuiCol_TableBorderStrong, ImGuiCol_TableBorderLight}, c.line);
    set({ImGuiCol_FrameBg, ImGuiCol_Button, ImGuiCol_Header, ImGuiCol_Tab, ImGuiCol_TableHeaderBg}, c.raised);
    set({ImGuiCol_FrameBgHovered, ImGuiCol_ButtonHovered, ImGuiCol_HeaderHovered, ImGuiCol_TabHovered,
         ImGuiCol_ScrollbarGrab},
        c.hovered);
    set({ImGuiCol_FrameBgActive, ImGuiCol_ButtonActive, ImGuiCol_HeaderActive, ImGuiCol_ScrollbarGrabHovered,
         ImGuiCol_ScrollbarGrabActive},
        c.pressed);
    set({ImGuiCol_CheckMark, ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive, ImGuiCol_SeparatorHovered,
         ImGuiCol_SeparatorActive, ImGuiCol_ResizeGripHovered, ImGuiCol_ResizeGripActive, ImGuiCol_PlotLines,
         ImGuiCol_PlotHistogram, ImGuiCol_DragDropTarget, ImGuiCol_NavHighlight},
        c.accent);
    set({ImGuiCol_ResizeGrip}, c.line);
    set({ImGuiCol_TabActive, ImGuiCol_TabUnfocusedActive}, c.accent_soft);
    set({ImGuiCol_TextSelectedBg}, with_alpha(c.accent, 0.30f));
    set({ImGuiCol_ModalWindowDimBg, ImGuiCol_NavWindowingDimBg}, with_alpha(rgb(0x0A0C10), 0.45f));
}

} // namespace headlight
