#include "app/ui/base/theme.h"
#include "engine/io/system.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

namespace headlight {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> font_folders() {
    std::vector<fs::path> folders;
    const auto add = [&folders](const char* variable, const char* below) {
        if (const auto value = environment(variable)) folders.push_back(fs::path(*value) / below);
    };
    add("HEADLIGHT_FONTS", "");
    if (const fs::path program = program_file().parent_path(); !program.empty()) {
        folders.push_back(program / "fonts");
        folders.push_back(program.parent_path() / "share/headlight/fonts");
    }
    add("XDG_DATA_HOME", "fonts");
    add("HOME", ".local/share/fonts");
    add("HOME", ".fonts");
    std::istringstream shared(environment("XDG_DATA_DIRS").value_or(""));
    for (std::string folder; std::getline(shared, folder, ':');)
        folders.push_back(fs::path(folder) / "fonts");
    folders.push_back("/usr/local/share/fonts");
    folders.push_back("/usr/share/fonts");
    return folders;
}

using FontFiles = std::map<std::string, std::string>; // name → path; the first folder that has a name wins

const FontFiles& font_files() {
    static const FontFiles files = [] {
        FontFiles found;
        for (const fs::path& folder : font_folders()) {
            std::error_code failure;
            const auto options = fs::directory_options::skip_permission_denied;
            for (fs::recursive_directory_iterator at(folder, options, failure), end; !failure && at != end;
                 at.increment(failure)) {
                const fs::path& path = at->path();
                if (path.extension() == ".otf" || path.extension() == ".ttf")
                    found.try_emplace(path.filename().string(), path.string());
            }
        }
        return found;
    }();
    return files;
}

std::optional<std::string> first_found(std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (auto path = find_font_file(name)) return path;
    return std::nullopt;
}

// What each face can write. Every range costs glyphs at every start, so each face has what it is used for.
// Latin of Europe's and America's languages; Greek and Cyrillic; punctuation; the commonest signs.
constexpr ImWchar text_ranges[] = {0x0020, 0x007E, 0x00A0, 0x017F, 0x0391, 0x03C9, 0x0410, 0x044F, 0x2010,
                                   0x2015, 0x2018, 0x2022, 0x2026, 0x2026, 0x2030, 0x2030, 0x2032, 0x2033,
                                   0x2039, 0x203A, 0x20AC, 0x20AC, 0x2190, 0x2193, 0x2212, 0x2212, 0x221E,
                                   0x221E, 0x2248, 0x2248, 0x2260, 0x2260, 0x2264, 0x2265, 0};
constexpr ImWchar heading_ranges[] = {0x0020, 0x007E, 0x00A0, 0x00FF, 0x2010, 0x2015, 0x2018, 0x201D,
                                      0x2026, 0x2026, 0x2190, 0x2193, 0x2212, 0x2212, 0};
// What numbers are made of, powers of ten among them.
constexpr ImWchar mono_ranges[] = {0x0020, 0x007E, 0x00A0, 0x00FF, 0x2010, 0x2015, 0x2018, 0x2022, 0x2026,
                                   0x2026, 0x2070, 0x207B, 0x2190, 0x2193, 0x2212, 0x2212, 0x221E, 0x221E,
                                   0x2248, 0x2248, 0x2260, 0x2260, 0x2264, 0x2265, 0};
constexpr ImWchar math_ranges[] = {0x0020, 0x007E, 0x00A0, 0x00FF, 0x02C6, 0x02C6, 0x02D9,
                                   0x02DC, 0x0391, 0x03C9, 0x03D1, 0x03D1, 0x03D5, 0x03D5,
                                   0x03F5, 0x03F5, 0x2026, 0x2026, 0x2032, 0x2033, 0};
// Large signs: delimiters from the serif, operators from DejaVu Sans.
constexpr ImWchar delimiter_ranges[] = {0x0028, 0x0029, 0x005B, 0x005B, 0x005D, 0x005D, 0x007B, 0x007D, 0};
constexpr ImWchar operator_ranges[] = {0x220F, 0x2211, 0x222B, 0x222B, 0};

// What DejaVu Sans adds behind them. For text: Greek and Cyrillic, superscript and subscript letters and
// figures (ⱼ is far from the others), arrows, operators, shapes, marks.
constexpr ImWchar text_symbols[] = {
    0x0391, 0x03C9, 0x0410, 0x044F, 0x1D40, 0x1D40, 0x1D62, 0x1D65, 0x2070, 0x209C, 0x2016, 0x2016,
    0x2113, 0x2113, 0x211D, 0x211D, 0x2190, 0x2199, 0x21A6, 0x21A6, 0x21B5, 0x21B5, 0x21D2, 0x21D2,
    0x2202, 0x2202, 0x2207, 0x2208, 0x220F, 0x220F, 0x2211, 0x2213, 0x2218, 0x221E, 0x2248, 0x2248,
    0x2260, 0x2260, 0x2264, 0x2265, 0x2295, 0x2299, 0x22C5, 0x22C5, 0x22EE, 0x22EF, 0x25A0, 0x25A1,
    0x25B2, 0x25B8, 0x25BC, 0x25BE, 0x25C0, 0x25C2, 0x23CE, 0x23CE, 0x2423, 0x2423, 0x27E8, 0x27E9,
    0x25CB, 0x25CF, 0x2713, 0x2717, 0x275A, 0x275A, 0x2C7C, 0x2C7C, 0};
// The sign of a power of ten: JetBrains Mono has the figures, not the minus.
constexpr ImWchar power_signs[] = {0x2070, 0x2070, 0x2074, 0x207B, 0};
// Titles speak of √d_k, of γ and β.
constexpr ImWchar title_symbols[] = {0x0391, 0x03C9, 0x221A, 0x221A, 0};
constexpr ImWchar math_symbols[] = {
    0x1D40, 0x1D40, 0x1D62, 0x1D65, 0x2070, 0x209C, 0x2113, 0x2113, 0x2115, 0x2115, 0x211D, 0x211D, 0x2190,
    0x2194, 0x21A6, 0x21A6, 0x21D2, 0x21D2, 0x2200, 0x220F, 0x2211, 0x2213, 0x2217, 0x221E, 0x2225, 0x222B,
    0x223C, 0x223C, 0x2248, 0x2248, 0x2260, 0x2265, 0x226A, 0x226B, 0x2282, 0x2287, 0x2295, 0x2299, 0x22A4,
    0x22A5, 0x22C5, 0x22C5, 0x22EE, 0x22F1, 0x2308, 0x230B, 0x2C7C, 0x2C7C, 0};

class AtlasFiller {
public:
    AtlasFiller(ImFontAtlas& atlas, const Theme& theme, std::string symbols)
        : atlas_(atlas), theme_(theme), symbols_(std::move(symbols)) {}

    // The glyphs of `behind` come from DejaVu Sans where the font itself lacks them.
    Face add(const std::string& path, float size, const ImWchar* ranges, const ImWchar* behind = nullptr) {
        const float pixels = std::round(size * theme_.scale);
        ImFontConfig config;
        // Drawn wider than shown, so that letters can stand between pixels; large ones need it less.
        config.OversampleH = pixels < 26 ? 3 : 2;
        config.OversampleV = 1;
        const Face face{atlas_.AddFontFromFileTTF(path.c_str(), pixels, &config, ranges), pixels};
        if (behind && !symbols_.empty()) {
            config.MergeMode = true;
            config.OversampleH = 1;
            atlas_.AddFontFromFileTTF(symbols_.c_str(), pixels, &config, behind);
        }
        return face;
    }

private:
    ImFontAtlas& atlas_;
    const Theme& theme_;
    std::string symbols_;
};

} // namespace

std::optional<std::string> find_font_file(const std::string& file_name) {
    const auto found = font_files().find(file_name);
    if (found == font_files().end()) return std::nullopt;
    return found->second;
}

Result<Done> load_fonts(Theme& theme) {
    const auto regular = first_found({"Inter-Regular.otf", "Inter-Regular.ttf", "DejaVuSans.ttf"});
    if (!regular) return Error{"error.font_missing", {"Inter-Regular.otf"}};
    const auto symbols = find_font_file("DejaVuSans.ttf");
    const auto or_regular = [&regular](std::optional<std::string> path) { return path ? *path : *regular; };
    const std::string semibold =
        or_regular(first_found({"Inter-SemiBold.otf", "Inter-SemiBold.ttf", "DejaVuSans-Bold.ttf"}));
    const std::string display =
        or_regular(first_found({"InterDisplay-SemiBold.otf", "Inter-SemiBold.otf", "DejaVuSans-Bold.ttf"}));
    const std::string mono = or_regular(first_found({"JetBrainsMono-Regular.ttf", "DejaVuSansMono.ttf"}));
    const std::string italic = or_regular(
        first_found({"DejaVuSerifCondensed-Italic.ttf", "DejaVuSerif-Italic.ttf", "Inter-Italic.otf"}));
    const std::string roman = or_regular(first_found({"DejaVuSerifCondensed.ttf", "DejaVuSerif.ttf"}));
    const std::string bold = or_regular(
        first_found({"DejaVuSerifCondensed-Bold.ttf", "DejaVuSerif-Bold.ttf", "Inter-SemiBold.otf"}));

    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    AtlasFiller fill(atlas, theme, symbols.value_or(""));
    Faces& faces = theme.faces;
    faces.body = fill.add(*regular, 18, text_ranges, text_symbols);
    faces.caption = fill.add(*regular, 15, text_ranges, text_symbols);
    faces.strong = fill.add(semibold, 18, text_ranges, text_symbols);
    faces.heading = fill.add(semibold, 21, heading_ranges, text_symbols);
    faces.title = fill.add(display, 31, heading_ranges, title_symbols);
    faces.mono_small = fill.add(mono, 15, mono_ranges, power_signs);
    faces.mono = fill.add(mono, 18, mono_ranges, text_symbols);
    faces.fine = fill.add(*regular, 11.5f, text_ranges, text_symbols);
    faces.mono_cell = fill.add(mono, 12, mono_ranges, power_signs);
    constexpr float math_sizes[] = {15, 21, 29};
    for (std::size_t i = 0; i < std::size(math_sizes); ++i) {
        faces.math.italic[i] = fill.add(italic, math_sizes[i], math_ranges);
        faces.math.roman[i] = fill.add(roman, math_sizes[i], math_ranges, math_symbols);
        faces.math.bold[i] = fill.add(bold, math_sizes[i], math_ranges);
        faces.math.operators[i] = fill.add(roman, math_sizes[i] * 1.4f, delimiter_ranges, operator_ranges);
    }
    build_atlas(atlas);
    return Done{};
}

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
