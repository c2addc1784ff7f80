#include "app/session/key_bindings.h"

#include <algorithm>

namespace headlight {

const std::vector<KeyBinding>& key_bindings() {
    static const std::vector<KeyBinding> bindings = {
        {"right", "step +1"},
        {"left", "step -1"},
        {"page_down", "step +10"},
        {"page_up", "step -10"},
        {"home", "step first"},
        {"end", "step last"},
        {"space", "toggle"},
        {"h", "head next"},
        {"up", "layer next"},
        {"down", "layer previous"},
        {"escape", "unselect"},
        {"ctrl+z", "undo"},
        {"backspace", "back"},
        {"alt+left", "back"},
        {"alt+right", "forward"},
        {"ctrl+y", "redo"},
        {"ctrl+shift+z", "redo"},
        {"0", "fit"},
        {"=", "zoom in"},
        {"shift+=", "zoom in"},
        {"-", "zoom out"},
        {"f", "frame"},
        {"[", "look back"},
        {"]", "look forward"},
        {"v", "view next"},
        {"shift+left", "pan -120 0"},
        {"shift+right", "pan 120 0"},
        {"shift+up", "pan 0 -120"},
        {"shift+down", "pan 0 120"},
        {"w", "closeup workings"},
        {"k", "closeup word"},
        {"t", "tokens"},
        {"p", "profile toggle"},
        {"space", "workings toggle", false, CloseUp::workings},
        {"right", "workings next", false, CloseUp::workings},
        {"left", "workings previous", false, CloseUp::workings},
        {"down", "workings row next", false, CloseUp::workings},
        {"up", "workings row previous", false, CloseUp::workings},
        {"space", "word toggle", false, CloseUp::word},
        {"right", "word step +1", false, CloseUp::word},
        {"left", "word step -1", false, CloseUp::word},
        {"down", "word next", false, CloseUp::word},
        {"up", "word previous", false, CloseUp::word},
        {"space", "tokens toggle", false, CloseUp::tokens},
        {"right", "tokens next", false, CloseUp::tokens},
        {"left", "tokens previous", false, CloseUp::tokens},
        {"down", "tokens word next", false, CloseUp::tokens},
        {"up", "tokens word previous", false, CloseUp::tokens},
        {"escape", "closeup off", false, CloseUp::tokens},
        {"escape", "closeup off", false, CloseUp::positions},
        {"escape", "closeup off", false, CloseUp::workings},
        {"escape", "closeup off", false, CloseUp::word},
        // What a presenter's remote control sends: begin, end, one forward, one back.
        {"f5", "alone toggle", true},
        {"escape", "alone off", false, CloseUp::none, true},
        {"page_down", "step +1", false, CloseUp::none, true},
        {"page_up", "step -1", false, CloseUp::none, true},
        {"page_down", "lesson forward", false, CloseUp::none, false, true},
        {"page_up", "lesson card back", false, CloseUp::none, false, true},
        {"1", "lesson choose 1", false, CloseUp::none, false, true},
        {"2", "lesson choose 2", false, CloseUp::none, false, true},
        {"3", "lesson choose 3", false, CloseUp::none, false, true},
        {"4", "lesson choose 4", false, CloseUp::none, false, true},
        {"5", "lesson choose 5", false, CloseUp::none, false, true},
        {"6", "lesson choose 6", false, CloseUp::none, false, true},
        {"7", "lesson choose 7", false, CloseUp::none, false, true},
        {"8", "lesson choose 8", false, CloseUp::none, false, true},
        {"9", "lesson choose 9", false, CloseUp::none, false, true},
        {"n", "lesson notes toggle", false, CloseUp::none, false, true},
        {"l", "spotlight toggle"},
        {"ctrl+o", "choose open", true},
        {"ctrl+s", "save", true},
        {"ctrl+shift+s", "choose save", true},
        {"ctrl+k", "palette toggle", true},
        {"f1", "help toggle", true},
        {"f2", "language next", true},
        {"f3", "theme next", true},
        {"f4", "presenter toggle", true},
        {"f11", "fullscreen toggle", true},
    };
    return bindings;
}

bool is_at_work(const KeyBinding& binding, CloseUp open, bool alone, bool taught) {
    const auto holds = [&](const KeyBinding& one) {
        return (one.close_up == CloseUp::none || one.close_up == open) && (!one.alone || alone)
               && (!one.taught || taught);
    };
    // The more a binding asks for, the more it is meant for just this.
    const auto rank = [](const KeyBinding& one) {
        return 4 * int(one.taught) + 2 * int(one.alone) + int(one.close_up != CloseUp::none);
    };
    const std::vector<KeyBinding>& all = key_bindings();
    return holds(binding) && std::none_of(all.begin(), all.end(), [&](const KeyBinding& other) {
               return other.chord == binding.chord && holds(other) && rank(other) > rank(binding);
           });
}

} // namespace headlight
