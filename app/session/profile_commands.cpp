// The commands of the times, and what of them is saved.
#include "app/session/session.h"

namespace headlight {

bool is_profiled(const View& view) {
    return view.profile.on && view.room == Room::explore && view.close_ups.open == CloseUp::none;
}

std::vector<std::string> commands_of(const ProfileView& view) {
    std::vector<std::string> lines;
    if (view.part != ProfilePart::both)
        lines.push_back("profile " + std::string(profile_part_names[std::size_t(view.part)]));
    if (view.on) lines.emplace_back("profile on");
    return lines;
}

void add_profile_commands(CommandRegistry& commands, Inquiries& inquiries, View& view) {
    // It stands beside the canvas: a room that has none, and a close-up, give way to it.
    commands.add("profile", {a_switch()}, [&](const Arguments& in) {
        view.profile.on = switched(in, is_profiled(view));
        if (!view.profile.on) return;
        view.room = Room::explore;
        view.close_ups.open = CloseUp::none;
    });
    commands.add("profile", {"both|forward|backward"},
                 [&](const Arguments& in) { view.profile.part = ProfilePart(in.place()); });
    commands.add_with_model("profile", {"again"},
                            [&](const Arguments&) { inquiries.experiment().end_profile(); });
    commands
        .add_with_model("profile", {"finish"},
                        [&](const Arguments&) {
                            if (is_profiled(view)) inquiries.experiment().finish_profile();
                        })
        .of_person = true;
}

} // namespace headlight
