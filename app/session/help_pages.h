// What help tells, beside the keys and commands that the registries know: what a person may want and how to
// get there, and the words of the field. Texts are strings "wish.NAME", "wish.NAME.how", "term.NAME",
// "term.NAME.says"; and what models of others there are to look at.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

class Session;

enum class HelpPage { wishes, keys, glossary, models, commands, about };
constexpr std::string_view help_page_names[] = {"wishes", "keys", "glossary", "models", "commands", "about"};

// `lines` are commands, one a line. @self_attn.weights stands for the first step of the model's story whose
// path ends with that.
struct HelpEntry {
    std::string_view name, lines;
};

std::span<const HelpEntry> wishes();
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

} // namespace headlight
