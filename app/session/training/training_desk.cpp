#include "app/session/training/training_desk.h"

#include "app/session/command.h"

#include <array>

namespace headlight {

namespace {

constexpr std::array<std::string_view, desk_pages> pages = {"settings", "curves",   "examples",
                                                            "words",    "backward", "moments"};
constexpr std::array<std::string_view, curves_offered> curves = {"loss", "tokens", "exact", "rate",
                                                                 "gradient"};

} // namespace

void add_desk_commands(CommandRegistry& commands, TrainingDesk& desk) {
    using namespace argument;
    commands.add("desk", {"settings|curves|examples|words|backward|moments"},
                 [&](const Arguments& in) { desk.chosen = DeskPage(in.place()); });
    commands.add("desk", {"net|runs"}, [&](const Arguments& in) { desk.of_runs = in.said("runs"); });
    commands.add("curve", {"loss|tokens|exact|rate|gradient"},
                 [&](const Arguments& in) { desk.curve = Curve(in.place()); });
    commands.add("curve", {"log", "on|off"}, [&](const Arguments& in) { desk.logarithmic = in.said("on"); });
    commands.add("curve", {"smoothing", number("S", 0, 0.999)},
                 [&](const Arguments& in) { desk.smoothing = in.number("S"); });
    commands.add("goal", {whole("ROW", 0, 100'000)},
                 [&](const Arguments& in) { desk.row = in.whole("ROW"); });
}

std::string_view name_of(DeskPage page) { return pages[std::size_t(page)]; }
std::string_view name_of(Curve curve) { return curves[std::size_t(curve)]; }

} // namespace headlight
