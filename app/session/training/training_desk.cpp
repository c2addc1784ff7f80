#include "app/session/training/training_desk.h"

#include "app/session/setting.h"

#include <array>

namespace headlight {

namespace {

constexpr std::array<std::string_view, desk_pages> pages = {"settings", "curves",   "examples",
                                                            "words",    "backward", "moments"};
constexpr std::array<std::string_view, curves_offered> curves = {"loss", "tokens", "exact", "rate",
                                                                 "gradient"};

} // namespace

void add_desk_commands(CommandRegistry& commands, View& view) {
    using namespace argument;
    SettingsOf desk(commands, of_view(view, &View::desk));
    desk.add("desk", &TrainingDesk::chosen, one_of(pages));
    desk.add("desk", &TrainingDesk::of_runs, "net|runs", "runs");
    desk.add("curve", &TrainingDesk::curve, one_of(curves));
    desk.add("curve log", &TrainingDesk::logarithmic, "on|off");
    desk.add("curve smoothing", &TrainingDesk::smoothing, number("S", 0, 0.999));
    desk.add("goal", &TrainingDesk::row, whole("ROW", 0, 100'000));
}

std::string_view name_of(DeskPage page) { return pages[std::size_t(page)]; }
std::string_view name_of(Curve curve) { return curves[std::size_t(curve)]; }

} // namespace headlight
