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
        {"b", "readback toggle"},
        {"d", "vocabulary toggle"},
        {"space", "workings toggle", Heard::at_rest, CloseUp::workings},
        {"right", "workings next", Heard::at_rest, CloseUp::workings},
        {"left", "workings previous", Heard::at_rest, CloseUp::workings},
        {"down", "workings row next", Heard::at_rest, CloseUp::workings},
        {"up", "workings row previous", Heard::at_rest, CloseUp::workings},
        {"space", "word toggle", Heard::at_rest, CloseUp::word},
        {"right", "word step +1", Heard::at_rest, CloseUp::word},
        {"left", "word step -1", Heard::at_rest, CloseUp::word},
        {"down", "word next", Heard::at_rest, CloseUp::word},
        {"up", "word previous", Heard::at_rest, CloseUp::word},
        {"space", "tokens toggle", Heard::at_rest, CloseUp::tokens},
        {"right", "tokens next", Heard::at_rest, CloseUp::tokens},
        {"left", "tokens previous", Heard::at_rest, CloseUp::tokens},
        {"down", "tokens word next", Heard::at_rest, CloseUp::tokens},
        {"up", "tokens word previous", Heard::at_rest, CloseUp::tokens},
        {"escape", "closeup off", Heard::at_rest, CloseUp::tokens},
        {"escape", "closeup off", Heard::at_rest, CloseUp::positions},
        {"escape", "closeup off", Heard::at_rest, CloseUp::workings},
        {"escape", "closeup off", Heard::at_rest, CloseUp::word},
        // What a presenter's remote control sends: begin, end, one forward, one back.
        {"f5", "alone toggle", Heard::while_typing},
        {"escape", "alone off", Heard::at_rest, CloseUp::none, true},
        {"page_down", "step +1", Heard::at_rest, CloseUp::none, true},
        {"page_up", "step -1", Heard::at_rest, CloseUp::none, true},
        {"page_down", "lesson forward", Heard::at_rest, CloseUp::none, false, true},
        {"page_up", "lesson card back", Heard::at_rest, CloseUp::none, false, true},
        {"1", "lesson choose 1", Heard::at_rest, CloseUp::none, false, true},
        {"2", "lesson choose 2", Heard::at_rest, CloseUp::none, false, true},
        {"3", "lesson choose 3", Heard::at_rest, CloseUp::none, false, true},
        {"4", "lesson choose 4", Heard::at_rest, CloseUp::none, false, true},
        {"5", "lesson choose 5", Heard::at_rest, CloseUp::none, false, true},
        {"6", "lesson choose 6", Heard::at_rest, CloseUp::none, false, true},
        {"7", "lesson choose 7", Heard::at_rest, CloseUp::none, false, true},
        {"8", "lesson choose 8", Heard::at_rest, CloseUp::none, false, true},
        {"9", "lesson choose 9", Heard::at_rest, CloseUp::none, false, true},
        {"n", "lesson notes toggle", Heard::at_rest, CloseUp::none, false, true},
        {"f6", "lesson notes toggle", Heard::while_typing, CloseUp::none, false, true},
        {"ctrl+z", "lesson votes undo", Heard::at_rest, CloseUp::none, false, true, true},
        {"l", "spotlight toggle"},
        {"ctrl+o", "choose open", Heard::everywhere},
        {"ctrl+s", "save", Heard::while_typing},
        {"ctrl+shift+s", "choose save", Heard::everywhere},
        {"ctrl+k", "palette toggle", Heard::everywhere},
        {"f1", "help toggle", Heard::everywhere},
        {"f2", "language next", Heard::everywhere},
        {"f3", "theme next", Heard::everywhere},
        {"f4", "presenter toggle", Heard::everywhere},
        {"f11", "fullscreen toggle", Heard::everywhere},
    };
    return bindings;
}

bool is_at_work(const KeyBinding& binding, CloseUp open, bool alone, bool taught, bool voting) {
    const auto holds = [&](const KeyBinding& one) {
        return (one.close_up == CloseUp::none || one.close_up == open) && (!one.alone || alone)
               && (!one.taught || taught) && (!one.voting || voting);
    };
    // The more a binding asks for, the more it is meant for just this.
    const auto rank = [](const KeyBinding& one) {
        return 8 * int(one.voting) + 4 * int(one.taught) + 2 * int(one.alone)
               + int(one.close_up != CloseUp::none);
    };
    const std::vector<KeyBinding>& all = key_bindings();
    return holds(binding) && std::none_of(all.begin(), all.end(), [&](const KeyBinding& other) {
               return other.chord == binding.chord && holds(other) && rank(other) > rank(binding);
           });
}

} // namespace headlight
