// Attention as a filing cabinet: its commands.
#include "app/session/session.h"
#include "app/session/small_pages.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

namespace headlight {

namespace {

constexpr const char* folder_names[] = {"robot", "a", "it"};
constexpr double most_steps = 10000;

std::array<double, 4> turned_by(double degrees) {
    const double angle = degrees * std::numbers::pi / 180;
    return {std::cos(angle), std::sin(angle), -std::sin(angle), std::cos(angle)}; // rows are vectors
}

} // namespace

double degrees_of(const CabinetNumbers& numbers) {
    const auto& [a, b, c, d] = numbers.w_q;
    return std::atan2(b - c, a + d) * 180 / std::numbers::pi;
}

std::vector<std::string> commands_of(const CabinetNumbers& numbers) {
    const CabinetNumbers fresh;
    std::vector<std::string> lines;
    const auto add = [&](const char* command, const auto& all) {
        lines.emplace_back(command);
        for (const double number : all) lines.back() += " " + exactly(number);
    };
    if (numbers.note != fresh.note) add("cabinet note", numbers.note);
    if (numbers.w_q != fresh.w_q) add("cabinet w_q", numbers.w_q);
    if (numbers.wanted != fresh.wanted)
        lines.push_back(std::string("cabinet want ") + folder_names[numbers.wanted]);
    return lines;
}

void add_cabinet_commands(CommandRegistry& commands, Inquiries& inquiries, View& view) {
    using namespace argument;
    // `set` changes what is chosen.
    const auto add = [&](std::vector<Argument> arguments, auto set) {
        commands.add("cabinet", std::move(arguments), [&inquiries, set](const Arguments& in) {
            Question next = inquiries.experiment().question();
            set(next.small_pages.cabinet, in);
            return inquiries.experiment().ask(std::move(next));
        });
    };
    add({"note", number("X", -10, 10), number("Y", -10, 10)},
        [](CabinetNumbers& cabinet, const Arguments& in) {
            cabinet.note = {in.number("X"), in.number("Y")};
        });
    add({"turn", number("DEGREES", -360, 360)},
        [](CabinetNumbers& cabinet, const Arguments& in) { cabinet.w_q = turned_by(in.number("DEGREES")); });
    add({"w_q", number("A", -1000, 1000), number("B", -1000, 1000), number("C", -1000, 1000),
         number("D", -1000, 1000)},
        [](CabinetNumbers& cabinet, const Arguments& in) {
            cabinet.w_q = {in.number("A"), in.number("B"), in.number("C"), in.number("D")};
        });
    add({"want", "robot|a|it"},
        [](CabinetNumbers& cabinet, const Arguments& in) { cabinet.wanted = Index(in.place()); });
    commands.add("cabinet", {"train"}, [&view](const Arguments&) { view.cabinet_training = {true, 0}; });
    add({"train", whole("STEPS", 1, most_steps)}, [](CabinetNumbers& cabinet, const Arguments& in) {
        cabinet.w_q = trained(*build_filing_cabinet(cabinet), in.whole("STEPS"));
    });
    commands.add("cabinet", {"stop"}, [&view](const Arguments&) { view.cabinet_training = {}; });
    commands.add("cabinet", {"reset"}, [&](const Arguments&) {
        view.cabinet_training = {};
        Question next = inquiries.experiment().question();
        next.small_pages.cabinet = {};
        return inquiries.experiment().ask(std::move(next));
    });
}

} // namespace headlight
