// Formulas, as lessons have them.
#include "tests/fuzz/targets.h"

#include "app/look/mathml.h"
#include "app/look/typeset.h"
#include "app/ui/base/theme.h"

#include <imgui.h>

#include <cmath>
#include <stdexcept>

namespace headlight::fuzz {

namespace {

const Theme& theme_with_fonts() {
    static const Theme theme = [] {
        ImGui::CreateContext();
        Theme made = make_theme({}, 1);
        if (!load_fonts(made)) throw std::runtime_error("no fonts");
        return made;
    }();
    return theme;
}

void set(std::string_view input, const Judge& judge) {
    const Theme& theme = theme_with_fonts();
    const MathStyle style{theme.faces.math, [&](std::string_view name) { return theme.colour_named(name); }};
    const MathBox box = typeset(input, style, 1);
    judge.expect(std::isfinite(box.width) && std::isfinite(box.ascent) && std::isfinite(box.descent),
                 "a box without a size");
    judge.expect(mathml(input).ends_with("</math>"), "markup without an end");
}

} // namespace

Target formula_target() {
    return {.name = "formula",
            .words = {"\\frac{a}{b}",
                      "\\sqrt[3]{x}",
                      "\\left(",
                      "\\right)",
                      "\\right.",
                      "\\color{query}{Q}",
                      "_{",
                      "^{",
                      "}",
                      "{",
                      "\\",
                      "\\sum_{i=1}^{N}",
                      "\\hat{",
                      "\\mathrm{",
                      "\\text{",
                      "\\mathbb{R}",
                      "\\operatorname{x}",
                      "[",
                      "]",
                      "'",
                      "\\,",
                      "\\unheard"},
            .read = set,
            .longest = 100'000,
            .runs = 1500};
}

} // namespace headlight::fuzz
