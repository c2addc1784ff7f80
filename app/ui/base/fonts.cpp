#include "app/ui/base/fonts.h"

#include "engine/io/system.h"

#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <sstream>
#include <system_error>
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

} // namespace headlight
