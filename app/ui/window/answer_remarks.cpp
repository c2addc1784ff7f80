// What is to be said of the answer: that it is a guess, and what it means, read back.
#include "app/session/answer_trust.h"
#include "app/session/back_translation.h"
#include "app/ui/window/window_parts.h"

#include <cmath>

namespace headlight {

namespace {

bool reads_back(const Session& session) {
    const ModelMap& map = session.model().map();
    return map.source() && map.target() && opposite_model(session.model().folder).has_value();
}

} // namespace

bool is_a_guess(const Session& session) {
    const std::optional<double> trust = answer_trust(session.experiment());
    return trust && *trust < guess_below;
}

void answer_remarks(const ScreenRect& line, const Session& session, CommandSink& commands) {
    if (!session.has_model() || session.view().teaching.cover.words) return;
    const Strings& s = session.strings();
    float x = line.min.x;
    const auto say = [&](Colour ink, const std::string& text) {
        const float width = std::min(text_width(faces().caption, text) + 1, line.max.x - x);
        if (width < px(30)) return;
        draw_label(pen(), faces().caption, {{x, line.min.y}, {x + width, line.max.y}}, ink, text);
        x += width + px(10);
    };
    if (is_a_guess(session)) {
        const ScreenRect place{{x, line.min.y}, line.max};
        const int right = int(std::lround(100 * *answer_trust(session.experiment())));
        say(colours().warning, s.text("answer.guess"));
        tooltip_when_resting("answer.guess", {place.min, {x, line.max.y}},
                             place.contains(ImGui::GetIO().MousePos) && ImGui::GetIO().MousePos.x < x,
                             s.text("answer.guess.tip", {std::to_string(right)}));
        widgets().record("answer.guess", {place.min, {x, line.max.y}});
    }
    if (!reads_back(session) || session.sentence().output.empty()) return;
    const bool on = session.view().reads_back;
    const std::string& label = s.text("answer.back");
    const float width = text_width(faces().caption, label) + px(14);
    if (x + width > line.max.x) return;
    const ScreenRect chip = ScreenRect::at(x, line.min.y, width, line.height());
    const Pressable p = pressable("answer.back", chip);
    tooltip_when_resting("answer.back", chip, p.hovered, s.text("answer.back.tip"));
    pen().AddRectFilled(chip.min, chip.max, p.hovered ? colours().hovered : colours().raised, px(4));
    draw_text_in(pen(), faces().caption, chip, on ? colours().accent : colours().ink_soft, label, Align::centre);
    if (p.pressed) commands.emit("readback toggle");
    x += width + px(8);
    if (on) say(colours().ink, session.back_translation().text());
}

} // namespace headlight
