// A session in an address, as a person reads and writes it:
//
//   #model=everyday-en-pt&text=I+like+my+dog&at=decoder.0.cross_attn.weights
//   #lesson=03&card=4&lang=pt
//
// A key is the first word of a command, its value what follows; `text`, `at` and `held` say what `source`,
// `goto` and `select` do. What stands before the # is the page that the link was made for, if any: it does
// not matter here.
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace headlight {

class CommandRegistry;
class Session;
struct View;

struct Link {
    std::string page;     // before the #: "https://…/", empty where it was not said
    std::string lesson;   // number or name; empty: none
    long card = 1;        // of the lesson
    std::string language; // empty: not said
    std::string lines;    // commands, a line each, those first on which others depend
};

// It comes from anybody. A session as it is shared has a hundredth of this; nobody's window is to be kept
// busy by what an address says.
constexpr std::size_t longest_link = 64 * 1024; // bytes, and as many of its lines
constexpr int most_lines_of_a_link = 500;
constexpr double longest_following = 10; // seconds

// One word that carries a session: "https://…#model=copy", "#lesson=3".
bool looks_like_link(std::string_view text);
// Errors: what is no letter of an address (error.link_damaged); more than a session that is shared
// (error.link_too_long).
Result<Link> read_link(std::string_view address);

// What the session shows, from the # on; of a lesson that is open its card.
std::string link_of(const Session& session);
// In its place a fresh window with what the link says: whatever was there before, the same numbers. After an
// Error all is as it was; in a lesson one stands at the card that was reached.
Result<Done> follow_link(Session& session, const Link& link);

// copy link; open ADDRESS is with the files'.
void add_link_commands(CommandRegistry& commands, const Session& session, View& view);

} // namespace headlight
