#pragma once

#include "app/session/closeups.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// What help tells, beside the keys and commands that the registries know: what a person may want and how to
// get there, and the words of the field. Texts are strings "wish.NAME", "wish.NAME.how", "term.NAME",
// "term.NAME.says"; and what models of others there are to look at.

class Session;

enum class HelpPage { tasks, keys, glossary, models, commands, about };
constexpr std::string_view help_page_names[] = {"wishes", "keys", "glossary", "models", "commands", "about"};

// `lines` are commands, one a line. @self_attn.weights stands for the first step of the model's story whose
// path ends with that.
struct HelpEntry {
    std::string_view name, lines;
};

std::span<const HelpEntry> tasks();
std::span<const HelpEntry> glossary(); // in the order of the story; lines may be empty: it is seen nowhere

// A model that others made and everybody may download; the string "download.NAME" says what it does.
struct Download {
    std::string_view name, repository; // of huggingface.co
    int megabytes;                     // of its weights
};
std::span<const Download> downloads();
std::string address_of(const Download& model);

// The commands of an entry, of the model that is open; nothing when it has no such step.
std::optional<std::vector<std::string>> commands_of(const HelpEntry& entry, const Session& session);

// Which key sends which command. Keys that a text field wants go to the field; what types a character is a
// command only after a click on the canvas: otherwise it is the beginning of a sentence.

// Where a key is heard.
enum class Heard {
    at_rest,      // nobody types, and nothing lies over the room
    while_typing, // in a text field too
    everywhere    // over a dialog too: it is the window's own
};

struct KeyBinding {
    std::string_view chord;   // "left", "ctrl+m": parse_chord understands it
    std::string_view command; // the line that it sends
    Heard heard = Heard::at_rest;
    CloseUp close_up = CloseUp::none; // only while this one is open, and then instead of any other
    bool alone = false;               // only while one thing fills the window, and then instead of any other
    bool in_lesson = false;           // the same while a lesson is open
    bool voting = false;              // the same while hands are counted in it
};

const std::vector<KeyBinding>& key_bindings();
// Whether a key sends this command while that close-up is open, one thing fills the window, a lesson is open,
// hands are counted.
bool is_at_work(const KeyBinding& binding, CloseUp open, bool alone = false, bool in_lesson = false,
                bool voting = false);

} // namespace headlight
