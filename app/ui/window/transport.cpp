#include "app/ui/window/window_parts.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

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

void transport(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    if (!session.has_model()) return;
    const Strings& s = session.strings();
    const View& view = session.view();
    // Where words are said one by one Play is theirs: of the steps of a pass there is the track alone.
    if (view.room == Room::say && session.saying()) return track(rect, session, commands);
    const float width = 44, gap = px(6), y = rect.centre().y - control_height() / 2;
    const Index last = Index(session.model().story.size()) - 1;
    float x = rect.min.x;
    const auto next = [&](const char* name, const char* label, const std::string& tip, const char* command,
                          bool enabled, ButtonKind kind = ButtonKind::plain) {
        ImGui::SetCursorScreenPos({x, y});
        if (button(name, label, {.tooltip = tip, .kind = kind, .enabled = enabled, .width = width}))
            commands.emit(command);
        x += px(width) + gap;
    };
    next("step.back", "←", s.text("window.step.back"), "step -1", view.step > 0);
    next("step.play", view.playing ? "❚❚" : "▶",
         s.text(view.playing ? "window.step.pause" : "window.step.play"), "toggle", true,
         ButtonKind::primary);
    next("step.forward", "→", s.text("window.step.forward"), "step +1", view.step < last);

    const float speed_width = 150, left = x + px(14), right = rect.max.x - px(speed_width) - px(28);
    const bool has_speed = view.playing && right - left >= px(80); // the track needs the room more
    track({{left, rect.min.y}, {has_speed ? right : rect.max.x, rect.max.y}}, session, commands);
    if (!has_speed) return;
    float speed = float(view.steps_per_second);
    ImGui::SetCursorScreenPos({rect.max.x - px(speed_width), rect.centre().y - px(18)});
    SliderOptions options{
        .tooltip = s.text("window.speed.tip"), .width = speed_width, .digits = 2, .logarithmic = true};
    if (slider("speed", s.text("window.speed.label"), speed, 0.1f, 10, options))
        commands.emit("speed " + plain_figures(double(speed), 3));
}

} // namespace headlight
