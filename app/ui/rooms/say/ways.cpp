// How the words are chosen, and the branches that a person made.
#include "app/ui/rooms/say/say_parts.h"
#include "app/ui/widgets/drop_list.h"

#include <array>
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
    ImGui::SetCursorScreenPos({column.left, column.y});
    const bool is_off = (name == "top-k" && which.now == 0) || (name == "top-p" && which.now == 1);
    if (slider("saying." + name, say.text("say." + name) + (is_off ? " " + say.text("say.off") : ""), value,
               which.low, which.high,
               {.tooltip = say.text("say." + name + ".tip"),
                .width = column.width() / theme().scale,
                .step = which.step,
                .digits = which.digits})
        && value != which.now)
        say.commands.emit("say " + name + " "
                          + (which.step == 1 ? std::to_string(std::lround(value))
                                             : exactly(std::round(double(value) * 100) / 100)));
    column.skip(ImGui::GetItemRectSize().y + px(8));
}

void drawing(SayContext& say, PanelColumn& column) {
    const Sampling& sampling = say.settings().sampling;
    setting(say, column, {"temperature", float(sampling.temperature), 0, 3, 0, 3});
    setting(say, column, {"top-k", float(std::min<Index>(sampling.top_k, 20)), 0, 20, 1});
    setting(say, column, {"top-p", float(sampling.top_p), 0, 1, 0, 3});
    const std::string seed = std::to_string(say.settings().seed);
    const std::array<Chip, 1> another = {Chip{say.text("say.seed", {seed}), say.text("say.seed.tip")}};
    if (chips("saying.seed", another, column))
        say.commands.emit("say seed " + std::to_string(say.settings().seed % 1'000'000 + 1));
    column.skip(px(10));
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
    if (const auto pressed = chips("saying.branch", choices, column))
        say.commands.emit("say branch " + std::to_string(*pressed));
    column.skip(px(6));
    const std::array<Chip, 1> forget = {Chip{say.text("say.forget"), say.text("say.forget.tip")}};
    if (chips("saying.forget", forget, column)) say.commands.emit("say forget all");
    column.skip(px(12));
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
    if (const auto pressed = chips("saying.method", methods, column))
        say.commands.emit("say " + std::string(saying_method_names[std::size_t(*pressed)]));
    column.skip(px(10));
    if (!say.session.model().map().source() && say.settings().method != SayingMethod::beam) {
        bool endless = say.settings().is_endless;
        ImGui::SetCursorScreenPos({column.left, column.y});
        if (toggle("saying.endless", say.text("say.endless"), endless, say.text("say.endless.tip")))
            say.commands.emit(endless ? "say endless on" : "say endless off");
        column.skip(control_height() + px(8));
    }
    if (say.settings().method == SayingMethod::draw) drawing(say, column);
    if (say.settings().method == SayingMethod::beam) searching(say, column);
}

} // namespace headlight
