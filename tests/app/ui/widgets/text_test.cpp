#include "app/ui/widgets/text.h"

#include "app/ui/base/ui.h"
#include "tests/app/ui/widgets/gallery.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace headlight;

TEST_CASE("text that does not fit ends in an ellipsis, between characters") {
    gallery::Stage stage({});
    stage.show([] {
        const Face& face = theme().faces.body;
        CHECK(ellipsized(face, "roupa", 500) == "roupa");
        const std::string text = "coração não é razão";
        for (float width = 20; width < 160; width += 3) {
            const std::string cut = ellipsized(face, text, width);
            CHECK(text_width(face, cut)
                  <= std::max(width, text_width(face, "…")) + 0.5f); // rounding cuts no text
            if (cut == text) continue;
            CHECK(cut.ends_with("…"));
            CHECK(text.starts_with(cut.substr(0, cut.size() - 3)));
        }
    });
}

TEST_CASE("wrapped text keeps within its width and loses no word") {
    gallery::Stage stage({});
    stage.show([] {
        const Face& face = theme().faces.body;
        const std::string text = "Each word asks a question and every word answers\nhow well it fits, "
                                 "inconstitucionalissimamente";
        for (const float width : {60.0f, 150.0f, 400.0f}) {
            std::string joined;
            for (const std::string_view line : wrapped(face, text, width)) {
                CHECK(text_width(face, line) <= width + 1);
                joined += line;
            }
            const auto letters = [](const std::string& from) {
                std::string kept;
                for (const char c : from)
                    if (c != ' ' && c != '\n') kept += c;
                return kept;
            };
            CHECK(letters(joined) == letters(text));
        }
        CHECK(wrapped(face, "", 100).size() == 1);
        CHECK(wrapped_height(face, "one\ntwo", 500) == 2 * wrapped_height(face, "one", 500));
    });
}

TEST_CASE("every sign that the window needs has a glyph") {
    gallery::Stage stage({});
    stage.show([] {
        const auto missing = [](const Face& face, std::string_view text) {
            std::string lost;
            const char *at = text.data(), *end = at + text.size();
            while (at < end) {
                const char* start = at;
                if (!has_glyph(face, next_character(at, end))) lost.append(start, at);
            }
            return lost;
        };
        const std::string_view signs = "ᵀ√∑·∞₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₙ▶❚■✓→←−×…≤≥≠≈∂∇⊙⋯αβγδσμ";
        const Faces& faces = theme().faces;
        for (const Face& face : {faces.body, faces.caption, faces.strong, faces.mono})
            CHECK(missing(face, signs) == "");
        const std::string_view portuguese = "áàâãéêíóôõúüçÁÀÂÃÉÊÍÓÔÕÚÜÇ“”‘’–—";
        for (const Face& face :
             {faces.body, faces.caption, faces.strong, faces.title, faces.mono, faces.mono_small})
            CHECK(missing(face, portuguese) == "");
        CHECK(missing(faces.mono_small, "0123456789.−∞NaNe") == "");
        CHECK(missing(faces.mono_cell, "0123456789.−∞NaNe") == "");
    });
}
