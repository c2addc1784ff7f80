// The four places of the window and the pages in them: a tree that somebody holds in the head. A page is a
// room, or one of the contents of a room.
#pragma once

#include "app/session/view.h"

#include <span>
#include <string_view>

namespace headlight {

enum class Place {
    watch,      // the network at work: its steps, its heads, its words
    experiment, // what it does when something is changed, silenced, compared
    train,      // how it learns
    learn       // lessons, and what lies beneath, from the ground
};
constexpr std::string_view place_names[] = {"watch", "experiment", "train", "learn"};

struct NavigationPage {
    Place place;
    std::string_view title;                                  // a key of strings
    std::string_view room_command, then = {}, and_then = {}; // lead to it
    bool (*is_shown)(const View&); // of the contents of its room; null: the room is the page
    Room room;

    bool is_at(const View& view) const { return view.room == room && (!is_shown || is_shown(view)); }
};

// In the order in which they stand, those of a place side by side.
std::span<const NavigationPage> navigation();
// Every state of a view is on exactly one page.
const NavigationPage& present_page(const View& view);

} // namespace headlight
