#pragma once

#include "app/look/colour.h"
#include "app/look/typeset.h"
#include "app/platform/imgui_compat.h"
#include "engine/base/result.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// The look: colours, faces, distances. Everything on the screen takes them from here, so that a query is the
// same colour everywhere, and the light and the dark theme differ in nothing but this file.

struct ThemeOptions {
    bool dark = false;
    float presenter = 1; // 1.5 is readable from the back of a classroom
    bool paper = false;  // light, on white: to be printed

    bool operator==(const ThemeOptions&) const = default;
};

struct Colours {
    // Surfaces, from behind to before, and the lines between them.
    Colour window, card, raised, hovered, pressed, line;
    // Lines that carry meaning: frames of cards and layers, brackets, tracks. 3 : 1 on any surface.
    Colour frame;
    // Text, from what is read to what is only there; all of it 4.5 : 1 where it stands.
    Colour ink, ink_soft, ink_faint;
    // What can be operated or is selected; text upon it.
    Colour accent, accent_soft, on_accent;
    // One colour each, everywhere.
    Colour query, key, value;
    // Ends of the diverging map; probabilities.
    Colour positive, negative, probability;
    Colour warning, alarm;
    // Lines of plots, in the order they are handed out.
    std::array<Colour, 6> series;
};

// The row of a heatmap's palette texture. Gradients are signed too, and look like nothing else.
enum class Palette { diverging, sequential, gradient };

// Text sizes.
struct Faces {
    Face caption, body, strong, heading, title, mono_small, mono;
    // At a projector, where the others have no room: digits in cells, names of slim boxes.
    Face mono_cell, fine;
    MathFaces math;
};

struct Theme {
    ThemeOptions options;
    Colours colours;
    Faces faces;
    std::array<std::vector<Colour>, 3> palettes; // 256 colours each, indexed by Palette
    std::vector<Colour> costs; // 256: from nothing to the dearest; no value is ever coloured so
    float scale = 1;           // screen's scale × presenter size: multiply every length by it

    bool presents() const { return options.presenter > 1; } // what is written is read from afar
    float px(float length) const { return float(int(length * scale + 0.5f)); } // a length in whole units
    // The colour of a span named in a formula or a caption: query, key, value, accent, positive, negative, …
    // Plain ink for names that it does not know.
    Colour colour_named(std::string_view name) const;
    Colour palette_colour(Palette palette, float place) const; // place 0…1
    Colour cost_colour(float place) const;                     // place 0…1
    // Dark or light ink, whichever stands out from the colour behind.
    Colour ink_on(Colour background) const;
};

// Colours and maps alone; the faces come from theme.h.
Theme make_theme(const ThemeOptions& options, float screen_scale);

// Dear ImGui's own widgets in this look; the theme has its faces.
void apply_style(const Theme& theme);

// The program's typefaces, found among the system's fonts: Inter for text, JetBrains Mono for numbers, DejaVu
// Serif for mathematics, and DejaVu Sans behind them all for the signs that they lack (ᵀ √ ∑ ₖ ▶ …).

// Where a font file of that name is: in $HEADLIGHT_FONTS, beside the program (share/headlight/fonts), among
// the person's own fonts, among the system's.
std::optional<std::string> find_font_file(const std::string& file_name);

// Fills the current interface's font atlas, anew, for the theme's scale, and the theme's faces from it. A
// family that is missing is replaced by the next best one; without any for plain text it fails with
// error.font_missing {the file looked for}. Between frames only.
Result<Done> load_fonts(Theme& theme);

} // namespace headlight
