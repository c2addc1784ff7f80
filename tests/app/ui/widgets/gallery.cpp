#include "tests/app/ui/widgets/gallery.h"
#include "engine/inspect/numbers.h"

#include <doctest/doctest.h>
#include <imgui.h>

#include <cstdlib>
#include <filesystem>

namespace headlight::gallery {

Stage::Stage(const ThemeOptions& theme, int width, int height) {
    write_numbers_in({}); // as in English, whatever was spoken before
    auto display = Offscreen::open({width, height});
    REQUIRE_MESSAGE(display, (display ? "" : display.error().key));
    display_ = std::move(*display);
    auto created = Ui::create(*display_, theme);
    REQUIRE_MESSAGE(created, (created ? "" : created.error().key));
    ui_ = std::move(*created);
}

void Stage::show(const std::function<void()>& page, int frames) {
    for (int frame = 0; frame < frames || !display_->input().empty(); ++frame) {
        ui_->begin_frame();
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({float(display_->width()), float(display_->height())});
        ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
        ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
        ImGui::Begin("page", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove
                         | ImGuiWindowFlags_NoBringToFrontOnFocus);
        ImGui::PopStyleVar(2);
        page();
        ImGui::End();
        ui_->end_frame();
    }
}

void check_page(const std::string& name, const std::function<void(Stage&)>& page) {
    namespace fs = std::filesystem;
    const fs::path golden_folder = fs::path(HEADLIGHT_SOURCE_DIR) / "tests/data/golden";
    const fs::path drawn_folder = fs::path(HEADLIGHT_BINARY_DIR) / "gallery";
    fs::create_directories(drawn_folder);
    for (const bool dark : {false, true}) {
        const std::string file = name + (dark ? "-dark.png" : "-light.png");
        CAPTURE(file);
        Stage stage({.dark = dark});
        page(stage);
        const Image drawn = stage.picture();
        REQUIRE(write_png((drawn_folder / file).string(), drawn));
        const std::string golden_path = (golden_folder / file).string();
        if (std::getenv("HEADLIGHT_UPDATE_GOLDEN")) REQUIRE(write_png(golden_path, drawn));
        const auto golden = read_png(golden_path);
        REQUIRE_MESSAGE(golden, "no golden picture; HEADLIGHT_UPDATE_GOLDEN=1 makes it");
        const ImageDifference difference = compare_images(drawn, *golden, 3);
        CAPTURE(difference.largest);
        CAPTURE(difference.first_x);
        CAPTURE(difference.first_y);
        CHECK(difference.same_size);
        CHECK(difference.pixels_beyond == 0);
    }
}

} // namespace headlight::gallery
