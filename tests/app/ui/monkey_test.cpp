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

    // Any command that there is, written as it is declared, or nearly so.
    std::string command() {
        if (below(30) == 0) return one_of(nonsense_);
        if (below(3) == 0) return "step " + std::to_string(below(41) - 20); // so that much is seen
        const std::vector<WindowCommand>& all = stage_.session().commands().list();
        const WindowCommand& command = all[std::size_t(below(int(all.size())))];
        const CommandForm& form = command.forms[std::size_t(below(int(command.forms.size())))];
        std::string line = command.name;
        for (const Argument& argument : form.arguments)
            if (!argument.is_optional || below(2)) line += " " + written(argument);
        const bool is_left_out =
            std::any_of(left_out_.begin(), left_out_.end(), [&](const std::string& begin) {
                return line == begin || line.starts_with(begin + " ");
            });
        return is_left_out || (command.name == "model" && below(8)) ? "toggle" : line;
    }

    std::string written(const Argument& argument) {
        if (!argument.words.empty() && (argument.kind == Argument::Kind::words || below(2)))
            return one_of(argument.words);
        const auto& nodes = stage_.session().model().graph().nodes();
        switch (argument.kind) {
        case Argument::Kind::whole:
        case Argument::Kind::number: { // now and then one too many
            const double least = std::max(argument.least, -4.0), most = std::min(argument.most, least + 80);
            const double share = double(below(23)) / 20;
            return argument.kind == Argument::Kind::whole
                       ? std::to_string(long(least + share * (most - least)))
                       : std::to_string(least + share * (most - least));
        }
        case Argument::Kind::attention:
            return one_of({"encoder.0.self_attn", "decoder.1.cross_attn", "decoder.0.self_attn", "nowhere"});
        case Argument::Kind::value:
        case Argument::Kind::word:
            return below(12) ? std::next(nodes.begin(), below(int(nodes.size())))->path : one_of(words_);
        default:
            return argument.name == "DIR" ? one_of(models_) : one_of(texts_) + " " + one_of(texts_);
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
    const std::vector<std::string> words_ = {"copy", "settings", "heads", "f1", "entropy", "0.5", "\""};
    const std::vector<std::string> nonsense_ = {"no such command", "\"",     "goto",
                                                "select 1 2 3",    "change", "  "};
    // What ends the window, waits, or writes files; and trainings, which go on in their own time.
    const std::vector<std::string> left_out_ = {"quit",       "wait",       "screenshot",      "save",
                                                "train save", "train wait", "train start",     "train step",
                                                "train open", "train task", "moment continue", "resize"};
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
    REQUIRE(stage
                .run("pause\nhelp off\nchanges clear\nmodel translate-en-pt\ntarget\nsource I am fine\nstep "
                     "first\n")
                .empty());
    CHECK(stage.session().strings().missing().empty());
    Stage* fresh = &stage;
    CHECK(fresh->session().sentence().source.size() == 3);
    for (const StoryStep& step : stage.session().model().story) CHECK(step.node->value.size() > 0);
}
