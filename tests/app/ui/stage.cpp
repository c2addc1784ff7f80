#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <limits>
#include <sstream>

namespace headlight {

Stage::Stage(const std::string& model, int width, int height) {
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
    host_ = std::make_unique<Host>(*display_, *ui_, *session_);
    host_->wait_for_answers(std::numeric_limits<double>::infinity()); // whatever else the machine does
    if (!model.empty()) REQUIRE(session_->execute("model " + model));
    frame(3);
}

std::string Stage::run(const std::string& lines) {
    std::istringstream script(lines);
    const Result<Done> done = host_->run_script(script, "test");
    frame(2); // names are those of the last complete frame
    return done ? "" : session_->strings().text(done.error());
}

void Stage::frame(int count) {
    for (int i = 0; i < count; ++i) REQUIRE(host_->frame());
}

} // namespace headlight
