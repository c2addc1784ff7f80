#include "tests/app/ui/monkey.h"

#include <algorithm>

namespace headlight {

namespace {

const std::vector<std::string> keys = {"left",         "right",  "up",  "down",   "home",     "end",
                                       "space",        "h",      "tab", "escape", "enter",    "ctrl+z",
                                       "ctrl+shift+z", "ctrl+a", "f1",  "f2",     "f3",       "delete",
                                       "backspace",    "f5",     "f11", "l",      "page_down"};
const std::vector<std::string> texts = {
    "",      "the animal", "Eu gosto de manga", "?", "\xF0\x9F\x90\x88", "cafe\xCC\x81", "\xff", "xyzzy",
    "a b c", " "};
const std::vector<std::string> models = {"copy", "reverse", "translate-en-pt", "/nowhere"};
const std::vector<std::string> words = {"copy", "settings", "heads", "f1", "entropy", "0.5", "\""};
const std::vector<std::string> pages = {"lesson", "cabinet", "descent", "places", "memory",
                                        "norms",  "costs",   "train",   "explore"};
const std::vector<std::string> commands_of_pages = {"lesson", "cabinet", "descent", "places",
                                                    "race",   "norms",   "costs",   "moment"};
const std::vector<std::string> nonsense = {"no such command", "\"", "goto", "select 1 2 3", "change", "  "};
// What ends the window, waits, or writes files; and trainings, which go on in their own time.
const std::vector<std::string> never = {"quit",        "wait",       "screenshot",      "save",
                                        "export",      "train save", "picture",         "train wait",
                                        "train start", "train step", "race start",      "race wait",
                                        "train open",  "train task", "moment continue", "resize"};

} // namespace

Monkey::Monkey(Stage& stage, const std::vector<std::string>& left_out) : stage_(stage), left_out_(never) {
    left_out_.insert(left_out_.end(), left_out.begin(), left_out.end());
}

void Monkey::act() {
    // What it would write there, and where, nobody can tell.
    if (const auto& choosing = stage_.view().files.choosing; choosing && kind_of(choosing->wish).saves)
        (void)stage_.session().execute("choose off");
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
        input.press_key(*parse_chord(one_of(keys)));
        break;
    case 6:
        input.type_text(one_of(texts));
        break;
    case 7:
        input.turn_wheel(float(below(7)) - 3, float(below(3)) - 1);
        break;
    case 8:
        if (const auto names = stage_.names().names(); !names.empty()) {
            const std::string& name = names[std::size_t(below(int(names.size())))];
            if (const auto rect = stage_.names().find(name)) input.click(rect->centre().x, rect->centre().y);
        }
        break;
    default:
        if (below(20) == 0)
            stage_.display().resize(320 + below(1200), 240 + below(800));
        else
            below(2) ? input.press_mouse() : input.release_mouse();
    }
}

// Any command that there is, written as it is declared, or nearly so.
std::string Monkey::command() {
    if (below(30) == 0) return one_of(nonsense);
    if (below(3) == 0) return "step " + std::to_string(below(41) - 20); // so that much is seen
    const std::vector<WindowCommand>& all = stage_.session().commands().list();
    const auto any = [&] { return &all[std::size_t(below(int(all.size())))]; };
    if (below(4) > 0) return written(*any());
    // The pages from the ground have models of their own, and one of them becomes the window's.
    if (below(6) == 0) return below(2) ? "descent canvas" : "room " + one_of(pages);
    const WindowCommand* of_page = any();
    while (std::find(commands_of_pages.begin(), commands_of_pages.end(), of_page->name)
           == commands_of_pages.end())
        of_page = any();
    return written(*of_page);
}

std::string Monkey::written(const WindowCommand& command) {
    const CommandForm& form = command.forms[std::size_t(below(int(command.forms.size())))];
    std::string line = command.name;
    for (const Argument& argument : form.arguments)
        if (!argument.is_optional || below(2)) line += " " + written(argument);
    const bool is_left_out = std::any_of(left_out_.begin(), left_out_.end(), [&](const std::string& begin) {
        return line == begin || line.starts_with(begin + " ");
    });
    return is_left_out || (command.name == "model" && below(8)) ? "toggle" : line;
}

std::string Monkey::written(const Argument& argument) {
    if (!argument.words.empty() && (argument.kind == Argument::Kind::words || below(2)))
        return one_of(argument.words);
    const auto& nodes = stage_.session().model().graph().nodes();
    const ModelMap& map = stage_.session().model().map();
    switch (argument.kind) {
    case Argument::Kind::whole:
    case Argument::Kind::number: { // now and then one too many
        const double least = std::max(argument.least, -4.0), most = std::min(argument.most, least + 80);
        const double share = double(below(23)) / 20;
        return argument.kind == Argument::Kind::whole ? std::to_string(long(least + share * (most - least)))
                                                      : std::to_string(least + share * (most - least));
    }
    case Argument::Kind::attention:
        return below(4) && !map.attentions.empty()
                   ? map.attentions[std::size_t(below(int(map.attentions.size())))].path
                   : "nowhere";
    case Argument::Kind::stream:
        return below(4) && !map.streams.empty()
                   ? map.streams[std::size_t(below(int(map.streams.size())))].name
                   : "nowhere";
    case Argument::Kind::value:
    case Argument::Kind::word:
        return below(12) ? std::next(nodes.begin(), below(int(nodes.size())))->path : one_of(words);
    default:
        return argument.name == "DIR" ? one_of(models) : one_of(texts) + " " + one_of(texts);
    }
}

} // namespace headlight
