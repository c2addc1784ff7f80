// Attention as a filing cabinet: its commands.
#include "app/session/setting.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

namespace headlight {

namespace {

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

void add_cabinet_commands(CommandRegistry& commands, Inquiries& inquiries, View& view) {
    using namespace argument;
    SettingsOf cabinet(commands, of_page(inquiries, &SmallPagesSetting::cabinet));
    cabinet.add("cabinet note", &CabinetNumbers::note, {number("X", -10, 10), number("Y", -10, 10)});
    cabinet.change(
        "cabinet turn", {number("DEGREES", -360, 360)},
        [](CabinetNumbers& all, const Arguments& in) { all.w_q = turned_by(in.number("DEGREES")); });
    cabinet.add("cabinet w_q", &CabinetNumbers::w_q,
                {number("A", -1000, 1000), number("B", -1000, 1000), number("C", -1000, 1000),
                 number("D", -1000, 1000)});
    cabinet.add("cabinet want", &CabinetNumbers::wanted, "robot|a|it");
    commands.add("cabinet train", {}, [&view](const Arguments&) { view.cabinet_training = {true, 0}; });
    cabinet
        .change("cabinet train", {whole("STEPS", 1, most_steps)},
                [](CabinetNumbers& all, const Arguments& in) {
                    all.w_q = trained(*build_filing_cabinet(all), in.whole("STEPS"));
                })
        .replayable = false;
    commands.add("cabinet stop", {}, [&view](const Arguments&) { view.cabinet_training = {}; });
    cabinet.change("cabinet reset", {}, [&view](CabinetNumbers& all, const Arguments&) {
        view.cabinet_training = {};
        all = {};
    });
}

} // namespace headlight
