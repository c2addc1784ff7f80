#include "app/ui/canvas/canvas_search.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr std::size_t most_shown = 8;

} // namespace

void CanvasSearch::draw(const ScreenRect& rect, const Session& session, const Canvas& canvas,
                        CommandSink& commands) {
    const Strings& s = session.strings();
    ImGui::SetCursorScreenPos(rect.min);
    const FieldOptions options{.tooltip = s.text("window.canvas.find.tip"),
                               .hint = s.text("window.canvas.find"),
                               .width = rect.width() / theme().scale,
                               .focus = focus_};
    focus_ = false;
    const FieldEvent event = text_field("canvas.find", "", text_, options);
    const bool active = ImGui::IsItemActive();
    if (event == FieldEvent::changed) {
        open_ = !text_.empty();
        chosen_ = 0;
    }
    if (active && key_pressed(Key::escape)) open_ = false;
    list_ = {};
    if (!open_ || text_.empty()) return;
    const std::vector<const Card*> found = canvas.search(text_);
    const std::size_t count = std::min(found.size(), most_shown);
    if (active && key_pressed(Key::down)) chosen_ = std::min(chosen_ + 1, int(count) - 1);
    if (active && key_pressed(Key::up)) chosen_ = std::max(chosen_ - 1, 0);

    const float line = faces().body.size * 1.7f, width = std::max(rect.width(), px(340));
    list_ = ScreenRect::at(rect.min.x, rect.max.y + px(4), width,
                           line * float(std::max<std::size_t>(count, 1)) + px(8));
    pen().AddRectFilled(list_.min, list_.max, colours().raised, px(6));
    pen().AddRect(list_.min, list_.max, colours().line, px(6));
    if (count == 0) {
        draw_text_in(pen(), faces().body, list_.inset(px(8)), colours().ink_faint,
                     s.text("window.canvas.find.none"));
        return;
    }
    const auto go = [&](const Card& card) {
        commands.emit((card.step >= 0 ? "goto " : "frame ") + card.node->path);
        open_ = false;
        text_.clear();
    };
    for (std::size_t i = 0; i < count; ++i) {
        const Card& card = *found[i];
        const ScreenRect r =
            ScreenRect::at(list_.min.x + px(4), list_.min.y + px(4) + line * float(i), width - px(8), line);
        const Pressable p = pressable(("canvas.find." + std::to_string(i)).c_str(), r);
        if (p.hovered || int(i) == chosen_) pen().AddRectFilled(r.min, r.max, colours().hovered, px(4));
        const std::string title = card.step >= 0
                                      ? step_title(session, session.model().story[std::size_t(card.step)])
                                      : s.text("window.canvas.find.weight");
        const float path = std::min(text_width(faces().caption, card.node->path), width * 0.55f);
        draw_text_in(pen(), faces().body, {{r.min.x + px(6), r.min.y}, {r.max.x - path - px(14), r.max.y}},
                     colours().ink, title);
        draw_text_in(pen(), faces().caption, {{r.max.x - path - px(6), r.min.y}, {r.max.x - px(4), r.max.y}},
                     colours().ink_faint, card.node->path);
        if (p.pressed) {
            go(card);
            return;
        }
    }
    if (event == FieldEvent::entered) go(*found[std::size_t(std::clamp(chosen_, 0, int(count) - 1))]);
}

} // namespace headlight
