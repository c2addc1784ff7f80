// What is to be said of the answer: that it is a guess, and what it means, read back.
#include "app/session/answer_trust.h"
#include "app/session/back_translation.h"
#include "app/ui/window/window_parts.h"

#include <cmath>

namespace headlight {

namespace {

// Whether there is a model of the other direction is looked up on the disk once, not in every frame.
struct OppositeMemory {
    unsigned long version = 0; // of the model that is open; 0: of none yet
    bool is_there = false;
};

bool reads_back(const Session& session) {
    OppositeMemory& memory = ui().memory<OppositeMemory>();
    if (const unsigned long version = session.experiment().model_version(); memory.version != version) {
        const ModelMap& map = session.model().map();
        memory = {version, map.source() && map.target() && opposite_model(session.model().folder)};
    }
    return memory.is_there;
}

bool is_guess(std::optional<double> trust) { return trust && *trust < guess_below; }

} // namespace

bool is_a_guess(const Session& session) { return is_guess(answer_trust(session.experiment())); }

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
    if (const std::optional<double> trust = answer_trust(session.experiment()); is_guess(trust)) {
        const ScreenRect place{{x, line.min.y}, line.max};
        const int right = int(std::lround(100 * *trust));
        say(colours().warning, s.text("answer.guess"));
        tooltip_when_resting("answer.guess", {place.min, {x, line.max.y}},
                             place.contains(ImGui::GetIO().MousePos) && ImGui::GetIO().MousePos.x < x,
                             s.text("answer.guess.tip", {std::to_string(right)}));
        widgets().record("answer.guess", {place.min, {x, line.max.y}});
        // Typed in the language that this model writes: the way out is the other one.
        if (const std::filesystem::path& other = model_of_its_language(session); !other.empty()) {
            const std::string offer = s.text("window.unknown.model", {model_label(session, other)});
            if (remark_chip(x, line, "its_language", offer, s.text("answer.language.tip"),
                            colours().accent)) {
                commands.emit("model " + other.string());
                commands.emit("source " + session.question().source);
                return;
            }
        }
    }
    if (!reads_back(session) || session.sentence().output.empty()) return;
    const bool on = session.view().reads_back;
    if (remark_chip(x, line, "answer.back", s.text("answer.back"), s.text("answer.back.tip"),
                    on ? colours().accent : colours().ink_soft))
        commands.emit("readback toggle");
    if (on) say(colours().ink, session.back_translation().text());
}

} // namespace headlight
