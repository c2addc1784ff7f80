#include "app/platform/offscreen.h"

#include <doctest/doctest.h>
#include <imgui.h>

#include <limits>
#include <new>

using namespace headlight;

TEST_CASE("memory that runs out in Dear ImGui is an exception, and the next frame is drawn") {
#ifndef __SANITIZE_ADDRESS__ // which ends the program where so much is asked for
    const auto display = *Offscreen::open({64, 48});
    const volatile std::size_t too_much = std::numeric_limits<std::ptrdiff_t>::max() / 2;
    CHECK_THROWS_AS(ImGui::MemAlloc(too_much), std::bad_alloc);
    display->begin_frame();
    ImGui::GetBackgroundDrawList()->AddRectFilled({0, 0}, {64, 48}, 0xFFFFFFFFu);
    display->end_frame();
    CHECK(display->capture().rgba[0] == 255);
#endif
}
