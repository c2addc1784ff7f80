// How the words are chosen, and the branches that a person made.
#include "app/ui/rooms/say/say_parts.h"
#include "app/ui/widgets/drop_list.h"

#include <cmath>

namespace headlight {

namespace {

struct Setting {
    const char* name; // of the command, and of its texts
    float now, low, high, step;
    int digits = 2;
};

void setting(SayContext& say, PanelColumn& column, const Setting& which) {
    float value = which.now;
    const std::string name = which.name;
    const bool is_off = (name == "top-k" && which.now == 0) || (name == "top-p" && which.now == 1);
    if (ControlRow(column).slider(
            "saying." + name, say.text("say." + name) + (is_off ? " " + say.text("say.off") : ""), value,
            which.low, which.high,
            {.tooltip = say.text("say." + name + ".tip"), .step = which.step, .digits = which.digits})
        && value != which.now)
        say.commands.emit("say " + name + " "
                          + (which.step == 1 ? std::to_string(std::lround(value))
                                             : exactly(std::round(double(value) * 100) / 100)));
}

void drawing(SayContext& say, PanelColumn& column) {
    const Sampling& sampling = say.settings().sampling;
    setting(say, column, {"temperature", float(sampling.temperature), 0, 3, 0, 3});
    setting(say, column, {"top-k", float(std::min<Index>(sampling.top_k, 20)), 0, 20, 1});
    setting(say, column, {"top-p", float(sampling.top_p), 0, 1, 0, 3});
    const std::string seed = std::to_string(say.settings().seed);
    if (column_chip(column, "saying.seed", {say.text("say.seed", {seed}), say.text("say.seed.tip")}))
        say.commands.emit("say seed " + std::to_string(say.settings().seed % 1'000'000 + 1));
}

void searching(SayContext& say, PanelColumn& column) {
    setting(say, column, {"width", float(say.settings().width), 1, float(widest_beam), 1});
    setting(say, column, {"penalty", float(say.settings().length_penalty), 0, 3, 0, 3});
}

void branches(SayContext& say, PanelColumn& column) {
    const SayingSettings& settings = say.settings();
    if (settings.branches.empty()) return;
    column_caption(column, say.text("say.branches"));
    std::vector<std::string> labels{say.text("say.branch.own")};
    for (const std::vector<TokenId>& begun : settings.branches)
        labels.push_back(say.text("say.branch", {std::to_string(begun.size()), say.label(begun.back())}));
    std::vector<Chip> choices;
    for (std::size_t i = 0; i < labels.size(); ++i)
        choices.push_back({labels[i], say.text("say.branch.tip"), settings.branch == Index(i)});
    if (const auto pressed = column_chips(column, "saying.branch", choices))
        say.commands.emit("say branch " + std::to_string(*pressed));
    if (column_chip(column, "saying.forget", {say.text("say.forget"), say.text("say.forget.tip")}))
        say.commands.emit("say forget all");
}

} // namespace

void ways(SayContext& say, PanelColumn& column) {
    branches(say, column);
    if (!say.is_low()) column_caption(column, say.text("say.method"));
    std::vector<Chip> methods;
    for (std::size_t i = 0; i < std::size(saying_method_names); ++i) {
        const std::string name(saying_method_names[i]);
        methods.push_back({say.text("say.method." + name), say.text("say.method." + name + ".tip"),
                           say.settings().method == SayingMethod(i)});
    }
    if (const auto pressed = column_chips(column, "saying.method", methods))
        say.commands.emit("say " + std::string(saying_method_names[std::size_t(*pressed)]));
    if (!say.session.model().map().source() && say.settings().method != SayingMethod::beam) {
        bool endless = say.settings().is_endless;
        if (ControlRow(column).toggle("saying.endless", say.text("say.endless"), endless,
                                      say.text("say.endless.tip")))
            say.commands.emit(endless ? "say endless on" : "say endless off");
    }
    if (say.settings().method == SayingMethod::draw) drawing(say, column);
    if (say.settings().method == SayingMethod::beam) searching(say, column);
}

} // namespace headlight
