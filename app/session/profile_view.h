// Which times of the values are looked at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

class CommandRegistry;
struct Inquiries;
struct View;

// Of what the times are: a pass forward and back, or one of them.
enum class ProfilePart { both, forward, backward };
constexpr std::string_view profile_part_names[] = {"both", "forward", "backward"};

struct ProfileView {
    bool on = false;
    ProfilePart part = ProfilePart::both;
    bool operator==(const ProfileView&) const = default;
};

// Whether times are looked at: then they are measured.
bool is_profiled(const View& view);

// profile …
void add_profile_commands(CommandRegistry& commands, Inquiries& inquiries, View& view);

} // namespace headlight
