// Two thousand things that nobody would do, in an order that nobody would choose: the window survives.
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace headlight;

namespace {

class Monkey {
public:
    explicit Monkey(Stage& stage) : stage_(stage) {}

    void act() {
        InputQueue& input = stage_.display().input();
        switch (below(10)) {
        case 0:
        case 1:
        case 2:
            (void)stage_.session().execute(command());
            break;
        case 3:
            input.move_mouse(float(below(1400)) - 50, float(below(1000)) - 50);
            break;
        case 4:
            input.click(float(below(1300)), float(below(900)), below(8) == 0 ? 1 : 0);
            break;
        case 5:
            input.press_key(*parse_chord(one_of(keys_)));
            break;
        case 6:
            input.type_text(one_of(texts_));
            break;
        case 7:
            input.turn_wheel(float(below(7)) - 3, float(below(3)) - 1);
            break;
        case 8:
            if (const auto names = stage_.names().names(); !names.empty()) {
                const std::string& name = names[std::size_t(below(int(names.size())))];
                if (const auto rect = stage_.names().find(name))
                    input.click(rect->centre().x, rect->centre().y);
            }
            break;
        default:
            if (below(20) == 0)
                stage_.display().resize(320 + below(1200), 240 + below(800));
            else
                below(2) ? input.press_mouse() : input.release_mouse();
        }
    }

private:
    int below(int n) { return int(random_() % std::uint32_t(n)); } // the same on every machine
    const std::string& one_of(const std::vector<std::string>& all) {
        return all[std::size_t(below(int(all.size())))];
    }

    std::string command() {
        const auto& story = stage_.session().model().story;
        const std::string path = story[std::size_t(below(int(story.size())))].path();
        switch (below(12)) {
        case 0:
            return "source " + one_of(texts_) + " " + one_of(texts_);
        case 1:
            return "target " + one_of(texts_);
        case 2:
            return "target";
        case 3:
        case 4:
            return "goto " + path;
        case 5:
            return "select " + path + " " + std::to_string(below(5)) + " " + std::to_string(below(12)) + " "
                   + std::to_string(below(70));
        case 6:
            return "head " + std::to_string(below(6) - 1);
        case 7:
            return below(15) ? std::string("toggle") : "model " + one_of(models_);
        case 8:
            return one_of(commands_);
        default:
            return "step " + std::to_string(below(41) - 20);
        }
    }

    Stage& stage_;
    std::mt19937 random_{20170612};
    const std::vector<std::string> keys_ = {
        "left",  "right",  "up",           "down",   "home", "end", "space", "h",      "tab",      "escape",
        "enter", "ctrl+z", "ctrl+shift+z", "ctrl+a", "f1",   "f2",  "f3",    "delete", "backspace"};
    const std::vector<std::string> texts_ = {
        "",      "the animal", "Eu gosto de manga", "?", "\xF0\x9F\x90\x88", "cafe\xCC\x81", "\xff", "xyzzy",
        "a b c", " "};
    const std::vector<std::string> models_ = {"copy", "reverse", "translate-en-pt", "/nowhere"};
    const std::vector<std::string> commands_ = {"undo",
                                                "redo",
                                                "play",
                                                "pause",
                                                "unselect",
                                                "layer next",
                                                "head next",
                                                "help toggle",
                                                "theme next",
                                                "language next",
                                                "presenter toggle",
                                                "speed 40",
                                                "no such command",
                                                "\"",
                                                "step last"};
};

} // namespace

TEST_CASE("two thousand random commands, clicks and keys leave the window in order") {
    Stage stage("translate-en-pt", 900, 640);
    Monkey monkey(stage);
    for (int i = 0; i < 2000; ++i) {
        monkey.act();
        if (i % 3 == 0) stage.frame();
        if (i % 60 == 0) (void)stage.display().capture(); // as it stands, drawn to the last pixel
    }
    for (int i = 0; i < 4000 && !stage.display().input().empty(); ++i) stage.frame();
    stage.display().input().release_mouse();
    REQUIRE(
        stage.run("pause\nhelp off\nmodel translate-en-pt\ntarget\nsource I am fine\nstep first\n").empty());
    CHECK(stage.session().strings().missing().empty());
    Stage* fresh = &stage;
    CHECK(fresh->session().sentence().source.size() == 3);
    for (const StoryStep& step : stage.session().model().story) CHECK(step.node->value.size() > 0);
}
