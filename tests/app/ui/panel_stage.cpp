#include "tests/app/ui/panel_stage.h"

#include <doctest/doctest.h>
#include <imgui.h>

#include <filesystem>
#include <sstream>

namespace headlight {

PanelStage::PanelStage(const std::string& model, int width, int height, Draw draw) : draw_(std::move(draw)) {
    const std::filesystem::path assets = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets";
    Result<Strings> strings = Strings::load(assets);
    REQUIRE(strings);
    session_ = std::make_unique<Session>(assets, *std::move(strings));
    auto display = Offscreen::open({.width = width, .height = height});
    REQUIRE(display);
    display_ = *std::move(display);
    auto ui = Ui::create(*display_, {.dark = true});
    REQUIRE(ui);
    ui_ = *std::move(ui);
    run("model " + model);
}

void PanelStage::run(const std::string& lines) {
    std::istringstream script(lines);
    for (std::string line; std::getline(script, line);) {
        const Result<Done> done = session_->execute(line);
        REQUIRE_MESSAGE(done, line, ": ", session_->strings().text(done.error()));
    }
    frame();
}

void PanelStage::frame(int count) {
    for (int left = count; left > 0; left -= display_->input().empty()) { // all input first
        ui_->set_theme({.dark = view().theme == ThemeName::dark, .presenter = view().presenter ? 1.5f : 1.f});
        REQUIRE(ui_->begin_frame());
        CommandSink commands;
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize(size);
        ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
        ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
        ImGui::Begin("panel", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove
                         | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoScrollWithMouse);
        ImGui::PopStyleVar(2);
        draw_({{0, 0}, size}, *session_, commands);
        ImGui::End();
        ui_->end_frame();
        for (const std::string& line : commands.take()) {
            const Result<Done> done = session_->execute(line);
            CHECK_MESSAGE(done, line);
        }
    }
}

void PanelStage::click(const std::string& name) {
    const auto rect = names().find(name);
    REQUIRE_MESSAGE(rect, name);
    display_->input().click(rect->centre().x, rect->centre().y);
    frame();
}

void PanelStage::hover(const std::string& name) {
    const auto rect = names().find(name);
    REQUIRE_MESSAGE(rect, name);
    display_->input().move_mouse(rect->centre().x, rect->centre().y);
    frame();
}

void PanelStage::turn_wheel(float steps_up) {
    display_->input().turn_wheel(steps_up);
    frame();
}

} // namespace headlight
