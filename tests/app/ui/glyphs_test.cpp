#include "app/session/strings.h"
#include "app/ui/base/theme.h"
#include "engine/text/unicode.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <imgui.h>

#include <set>
#include <string>

using namespace headlight;

TEST_CASE("every character that the window writes has a glyph: of all strings, and of what the program adds "
          "to them") {
    CanvasStage stage("", 1280, 800);
    std::set<char32_t> written;
    for (const std::string& language : stage.session().strings().languages())
        for (const auto& [key, text] : stage.session().strings().texts(language))
            for (const char32_t character : code_points(text))
                if (character >= U' ') written.insert(character);
    // What tokens are made visible by, gradients and their norm, what buttons show.
    for (const char32_t character : code_points("⟨⟩⏎␣‖∂Δ√·×÷−→←▶❚»▾✓×≈→…“”")) written.insert(character);
    for (const Face* face : {&faces().body, &faces().caption, &faces().strong})
        for (const char32_t character : written) {
            CAPTURE(std::uint32_t(character));
            CHECK(face->font->FindGlyphNoFallback(ImWchar(character)) != nullptr);
        }
}

TEST_CASE("whatever numbers are made of has a glyph in the faces that write them, powers of ten too") {
    CanvasStage stage("", 1280, 800);
    for (const Face* face : {&faces().mono_small, &faces().mono, &faces().mono_cell, &faces().body})
        for (const char32_t character : code_points("0123456789.,−·⁰¹²³⁴⁵⁶⁷⁸⁹⁻∞%")) {
            CAPTURE(std::uint32_t(character));
            CHECK(face->font->FindGlyphNoFallback(ImWchar(character)) != nullptr);
        }
}
