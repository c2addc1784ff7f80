#pragma once

#include "app/look/colour.h"
#include "app/platform/imgui_compat.h"

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// The algebra of typesetting: boxes of marks around a baseline, put side by side, above one another, under
// roots. Distances follow the proportions of TeX (The TeXbook, appendix G), with y downwards.

// One stroke of ink, relative to its box's baseline start.
struct MathMark {
    enum class Kind { text, stretched_glyph, rule, line };

    Kind kind = Kind::text;
    Colour colour = 0;                         // 0: the formula's ink
    float x = 0, y = 0, width = 0, height = 0; // text: start on the baseline; others: rectangle
    Face face;
    std::string text;           // text, stretched_glyph
    std::vector<ImVec2> points; // line
    float thickness = 1;        // line
};

struct MathBox {
    float width = 0, ascent = 0, descent = 0;
    float slant = 0; // how far the ink leans out to the right: a superscript keeps clear of it
    std::vector<MathMark> marks;

    // Puts `next` behind what is there, `raise` above the baseline.
    void append(MathBox next, float gap = 0, float raise = 0);
    void place(MathBox other, float x, float raise);
};

// The measures of one size of type.
struct MathMetrics {
    float em = 0, axis = 0, x_height = 0,
          rule = 1; // axis: the height of a minus sign, where fractions centre
};
MathMetrics metrics_of(const Face& roman);

MathBox text_box(const Face& face, std::string_view text, Colour colour);
MathBox space_box(float width);
MathBox fraction_box(MathBox above, MathBox below, const MathMetrics& metrics, Colour colour);
MathBox root_box(MathBox inside, const MathBox* degree, const MathMetrics& metrics, Colour colour);
MathBox script_box(MathBox base, const MathBox* raised, const MathBox* lowered, const MathMetrics& metrics);
MathBox limits_box(MathBox base, const MathBox* above, const MathBox* below, const MathMetrics& metrics);
MathBox accent_box(MathBox base, const MathBox& accent, const MathMetrics& metrics);

// A delimiter as high as what it stands beside needs, centred on the axis: from the largest of the faces (in
// order of size) that is not too large, stretched by what is then still missing.
MathBox delimiter_box(std::span<const Face> faces, std::string_view delimiter, float ascent, float descent,
                      const MathMetrics& metrics, Colour colour);

// A large operator, centred on the axis.
MathBox operator_box(const Face& face, std::string_view sign, const MathMetrics& metrics, Colour colour);

// What the commands of the formula notation stand for.

// How a symbol keeps its distance from its neighbours (The TeXbook, chapter 18).
enum class MathClass { ordinary, large_operator, binary, relation, opening, closing, punctuation, inner };

struct MathSymbol {
    enum class Letter { roman, italic };

    std::string_view text; // UTF-8
    MathClass kind = MathClass::ordinary;
    Letter letter = Letter::roman;
};

std::optional<MathSymbol> symbol_of_command(std::string_view command); // without its backslash
std::optional<MathSymbol> symbol_of_character(char32_t character); // + − = ( ) …; not letters or figures

// \sin, \softmax: their own name in roman letters. Of some the subscript stands below: \max_j.
bool is_function(std::string_view command);
bool is_function_with_limits(std::string_view command);

// Space between two neighbours in eighteenths of an em; less inside scripts.
int space_between(MathClass left, MathClass right, bool in_script);

// Reads the notation of formulas (app/ui/widgets/formula.h says which) and sets it as boxes.

// Three sizes each, about 0.72 of the next, so that a script is one size down.
struct MathFaces {
    std::array<Face, 3> italic, roman, bold; // small, normal, large
    std::array<Face, 3> operators;           // ∑ ∏ ∫ as they stand in a displayed formula
};

struct MathStyle {
    const MathFaces& faces;
    std::function<Colour(std::string_view)> colour_named; // of \color{name}{…}
};

// `size`: index of the three sizes.
MathBox typeset(std::string_view tex, const MathStyle& style, int size);

} // namespace headlight
