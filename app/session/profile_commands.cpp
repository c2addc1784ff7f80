// The commands of the times.
#include "app/session/setting.h"

namespace headlight {

bool is_profiled(const View& view) {
    return view.profile.on && view.room == Room::explore && view.close_ups.open == CloseUp::none;
}

void add_profile_commands(CommandRegistry& commands, Inquiries& inquiries, View& view) {
    SettingsOf profile(commands, of_view(view, itself));
    // It stands beside the canvas: a room that has none, and a close-up, give way to it.
    profile.add_written(
        "profile", {a_switch()},
        [](View& all, const Arguments& in) {
            all.profile.on = switched(in, is_profiled(all));
            if (!all.profile.on) return;
            all.room = Room::explore;
            all.close_ups.open = CloseUp::none;
        },
        [](const View& all) { return all.profile.on ? "on" : "off"; });
    profile.add("profile", within(&View::profile, &ProfileView::part), argument::one_of(profile_part_names));
    commands.add_with_model("profile again", {},
                            [&](const Arguments&) { inquiries.experiment().end_profile(); });
    const auto finish = [&](const Arguments&) {
        if (is_profiled(view)) inquiries.experiment().finish_profile();
    };
    commands.add_of_person("profile finish", {}, finish).needs_model = true;
}

} // namespace headlight
