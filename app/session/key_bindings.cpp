#include "app/session/key_bindings.h"

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
        {"f1", "help toggle", true},
        {"f2", "language next", true},
        {"f3", "theme next", true},
        {"f4", "presenter toggle", true},
    };
    return bindings;
}

} // namespace headlight
