#include "app/ui/window/window_parts.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// Of a film: one stretch a scene, as long as it takes. Click or drag to any moment.
void film_track(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Film& film = session.model().film;
    const double now = session.view().film.seconds;
    const auto x_of = [&](double seconds) {
        return rect.min.x + rect.width() * float(seconds / film.seconds());
    };
    const Pressable p = pressable("track", rect);
    const double pointed =
        std::clamp(double(ImGui::GetIO().MousePos.x - rect.min.x) / double(rect.width()), 0.0, 1.0)
        * film.seconds();
    const float middle = rect.centre().y, half = px(4);
    for (std::size_t i = 0; i < film.scenes().size(); ++i) {
        const FilmScene& scene = film.scenes()[i];
        const ScreenRect part{{x_of(scene.begin) + 1, middle - half},
                              {x_of(scene.begin + scene.seconds) - 1, middle + half}};
        pen().AddRectFilled(part.min, part.max, colours().frame, px(2));
        if (now > scene.begin)
            pen().AddRectFilled(part.min, {std::min(part.max.x, x_of(now)), part.max.y}, colours().ink_soft,
                                px(2));
        widgets().record("film.scene." + std::to_string(i + 1),
                         {{part.min.x, rect.min.y}, {part.max.x, rect.max.y}});
    }
    const float x = x_of(now);
    pen().AddRectFilled({x - px(2), middle - px(9)}, {x + px(2), middle + px(9)}, colours().accent, px(2));
    if (!p.hovered && !p.held) return;
    const std::size_t under = film.at(pointed).scene;
    const FilmScene& scene = film.scenes()[under];
    show_tooltip(
        std::to_string(under + 1) + "  "
            + session.strings().text("film." + std::string(name_of(scene.kind)) + ".title"),
        {{x_of(scene.begin), middle - px(14)}, {x_of(scene.begin + scene.seconds), middle + px(14)}});
    if (p.held) commands.emit("film time " + plain_figures(pointed, 5));
}

// One stretch a block, wider where it has more steps; the present step is a bright mark. Click or drag to go.
void track(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const std::vector<StoryStep>& story = session.model().story;
    const float width = rect.width() / float(story.size());
    const auto x_of = [&](Index step) { return rect.min.x + float(step) * width; };
    const Index present = session.view().step;
    const Pressable p = pressable("track", rect);
    const auto under_pointer = [&] {
        const float place = (ImGui::GetIO().MousePos.x - rect.min.x) / width;
        return std::clamp<Index>(Index(std::floor(place)), 0, Index(story.size()) - 1);
    };
    const float middle = rect.centre().y, half = px(4);
    for (const StoryBlock& block : session.model().blocks) {
        const bool here = present >= block.first && present < block.first + block.count;
        const float height = block.attends ? half : half * 0.6f; // attention is what one looks for
        pen().AddRectFilled({x_of(block.first) + 1, middle - height},
                            {x_of(block.first + block.count) - 1, middle + height},
                            here ? colours().ink_soft : colours().frame, px(2));
    }
    const float x = x_of(present) + width / 2;
    pen().AddRectFilled({x - std::max(px(2), width / 2 - 1), middle - px(8)},
                        {x + std::max(px(2), width / 2 - 1), middle + px(8)}, colours().accent, px(2));
    if (!p.hovered && !p.held) return;
    const StoryStep& step = story[std::size_t(under_pointer())];
    show_tooltip(step_place(session, step) + "\n" + step_title(session, step),
                 {{x_of(under_pointer()), middle - px(14)}, {x_of(under_pointer() + 1), middle + px(14)}});
    if (p.held && under_pointer() != present) commands.emit("goto " + step.path());
}

} // namespace

namespace {

struct TransportButton {
    const char* name;
    std::string label, tip;
    const char* command;
    bool enabled = true, chosen = false;
    ButtonKind kind = ButtonKind::plain;
};

// Through the steps of a pass; through the passes, where words are said one by one; none beside beams and
// lanes.
std::vector<TransportButton> transport_buttons(const Session& session) {
    const Strings& s = session.strings();
    const View& view = session.view();
    if (view.room != Room::say || !session.generation()) {
        const Index last = Index(session.model().story.size()) - 1;
        return {{"step.back", "←", s.text("window.step.back"), "step -1", view.step > 0},
                {"step.play", view.playing ? "❚❚" : "▶",
                 s.text(view.playing ? "window.step.pause" : "window.step.play"), "toggle", true, false,
                 ButtonKind::primary},
                {"step.forward", "→", s.text("window.step.forward"), "step +1", view.step < last}};
    }
    const GenerationPage page = view.generation.page;
    if (page != GenerationPage::words && page != GenerationPage::cost) return {};
    const GenerationSettings& settings = session.question().generation;
    const bool playing = view.generation.playing, is_whole = settings.pass == 0 && settings.opened < 0;
    return {{"pass.back", "←", s.text("say.back.tip"), "say pass previous", settings.pass != 1},
            {"pass.play", playing ? "❚❚" : "▶", s.text("say.play.tip"), playing ? "say pause" : "say play",
             true, false, ButtonKind::primary},
            {"pass.forward", "→", s.text("say.forward.tip"), "say pass next"},
            {"pass.all", s.text("say.all"), s.text("say.all.tip"), "say pass all", true, is_whole}};
}

} // namespace

void transport(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    if (!session.has_model()) return;
    const Strings& s = session.strings();
    const View& view = session.view();
    constexpr float width = 44;
    const float y = rect.centre().y - control_height() / 2;
    float x = rect.min.x;
    for (const TransportButton& one : transport_buttons(session)) {
        ImGui::SetCursorScreenPos({x, y});
        const float wide = std::max(width, (text_width(faces().body, one.label) + px(20)) / theme().scale);
        if (button(one.name, one.label,
                   {.tooltip = one.tip,
                    .kind = one.kind,
                    .enabled = one.enabled,
                    .chosen = one.chosen,
                    .width = wide}))
            commands.emit(one.command);
        x += px(wide) + px(6);
    }
    const float speed_width = 150, left = x > rect.min.x ? x + px(14) : x,
                right = rect.max.x - px(speed_width) - px(28);
    const bool has_speed = view.playing && right - left >= px(80); // the track needs the room more
    const ScreenRect place{{left, rect.min.y}, {has_speed ? right : rect.max.x, rect.max.y}};
    view.film.on && !session.model().film.scenes().empty() ? film_track(place, session, commands)
                                                           : track(place, session, commands);
    if (!has_speed) return;
    float speed = float(view.steps_per_second);
    ImGui::SetCursorScreenPos({rect.max.x - px(speed_width), rect.centre().y - px(18)});
    SliderOptions options{
        .tooltip = s.text("window.speed.tip"), .width = speed_width, .digits = 2, .logarithmic = true};
    if (slider("speed", s.text("window.speed.label"), speed, 0.1f, 10, options))
        commands.emit("speed " + plain_figures(double(speed), 3));
}

} // namespace headlight
