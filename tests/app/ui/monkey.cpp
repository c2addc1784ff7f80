#include "tests/app/ui/monkey.h"

#include <array>

namespace headlight {

namespace {

const std::vector<std::string> keys = {
    "left",      "right", "up",     "down",         "home",    "end", "space", "h",  "tab",
    "escape",    "enter", "ctrl+z", "ctrl+shift+z", "ctrl+a",  "f1",  "f2",    "f3", "delete",
    "backspace", "f4",    "f5",     "f11",          "l",       "n",   "t",     "w",  "k",
    "p",         "v",     "0",      "page_down",    "page_up", "[",   "]"};
const std::vector<std::string> texts = {
    "",      "the animal", "Eu gosto de manga", "?", "\xF0\x9F\x90\x88", "cafe\xCC\x81", "\xff", "xyzzy",
    "a b c", " "};
const std::vector<std::string> pages = {"lesson", "cabinet", "descent", "places", "memory", "norms",
                                        "costs",  "train",   "explore", "heads",  "say",    "whatif"};

} // namespace

Monkey::Monkey(Stage& stage, const std::vector<std::string>& left_out, std::uint32_t seed)
    : stage_(stage), writer_(stage.session(), folder_.path(), seed), random_(seed) {
    writer_.leave_out({"quit"});
    writer_.leave_out(left_out);
}

void Monkey::act() {
    // What it would write there, and where, nobody can tell.
    if (const auto& choosing = stage_.view().files.choosing; choosing && kind_of(choosing->request).saves)
        (void)stage_.session().execute("choose off");
    InputQueue& input = stage_.display().input();
    switch (below(10)) {
    case 0:
    case 1:
    case 2:
        ++commands_;
        last_ = command();
        (void)stage_.session().execute(last_);
        break;
    case 3:
        last_ = "moves the mouse";
        input.move_mouse(float(below(1400)) - 50, float(below(1000)) - 50);
        break;
    case 4:
        last_ = "clicks";
        input.click(float(below(1300)), float(below(900)), below(8) == 0 ? 1 : 0);
        break;
    case 5:
        last_ = "presses a key";
        if (const auto chord = parse_chord(one_of(keys))) input.press_key(*chord);
        break;
    case 6:
        last_ = "types";
        input.type_text(one_of(texts));
        break;
    case 7:
        last_ = "turns the wheel";
        input.turn_wheel(float(below(7)) - 3, float(below(3)) - 1);
        break;
    case 8:
        if (const auto names = stage_.names().names(); !names.empty()) {
            last_ = "clicks on " + names[std::size_t(below(int(names.size())))];
            if (const auto rect = stage_.names().find(last_.substr(std::string("clicks on ").size())))
                input.click(rect->centre().x, rect->centre().y);
        }
        break;
    default:
        if (below(20) == 0)
            resize();
        else
            below(2) ? input.press_mouse() : input.release_mouse();
    }
}

void Monkey::resize() {
    constexpr std::array<std::array<int, 2>, 9> sizes = {{{1, 1},
                                                          {1, 800},
                                                          {2000, 1},
                                                          {37, 53},
                                                          {320, 240},
                                                          {640, 480},
                                                          {1280, 800},
                                                          {1920, 1080},
                                                          {3840, 2160}}};
    const auto [width, height] = below(2) ? sizes[std::size_t(below(int(sizes.size())))]
                                          : std::array{1 + below(1600), 1 + below(1100)};
    last_ = "resizes to " + std::to_string(width) + " × " + std::to_string(height);
    stage_.display().resize(width, height);
}

std::string Monkey::command() {
    if (below(3) == 0) return "step " + std::to_string(below(41) - 20); // so that much is seen
    if (below(24) == 0) return "room " + one_of(pages);
    if (below(60) == 0) return "descent canvas";
    return writer_.line();
}

} // namespace headlight
