#include "app/ui/canvas/canvas_search.h"

#include "app/session/step_text.h"
#include "app/session/value_names.h"

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
                               .pixels = rect.width(),
                               .focus = focus_};
    const FieldEvent event = text_field("canvas.find", "", text_, options);
    const bool active = active_ = ImGui::IsItemActive();
    if (active) focus_ = false; // it takes a frame to arrive, and until then the field stands there
    if (event == FieldEvent::changed) {
        open_ = !text_.empty();
        chosen_ = 0;
    }
    if (active && key_pressed(Key::escape)) open_ = false;
    list_ = {};
    if (!open_ || text_.empty()) return;
    const std::vector<Found> found = search(session, canvas.layout(), text_);
    const std::size_t count = std::min(found.size(), most_shown);
    if (active && key_pressed(Key::down)) chosen_ = std::min(chosen_ + 1, int(count) - 1);
    if (active && key_pressed(Key::up)) chosen_ = std::max(chosen_ - 1, 0);

    const float line = faces().body.size * 1.7f, width = std::max(rect.width(), px(520));
    list_ = ScreenRect::at(rect.min.x, rect.max.y + px(4), width,
                           line * float(std::max<std::size_t>(count, 1)) + px(8));
    pen().AddRectFilled(list_.min, list_.max, colours().raised, px(6));
    pen().AddRect(list_.min, list_.max, colours().line, px(6));
    if (count == 0) {
        draw_text_in(pen(), faces().body, list_.inset(px(8)), colours().ink_faint,
                     s.text("window.canvas.find.none"));
        return;
    }
    const auto go = [&](const Found& one) {
        const Card& card = *one.card;
        if (card.step >= 0) commands.emit("goto " + card.node->path);
        if (one.head >= 0 && card.step >= 0) commands.emit("head " + std::to_string(one.head));
        if (card.step < 0) commands.emit("frame " + card.node->path);
        open_ = false;
        text_.clear();
    };
    for (std::size_t i = 0; i < count; ++i) {
        const Card& card = *found[i].card;
        const ScreenRect r =
            ScreenRect::at(list_.min.x + px(4), list_.min.y + px(4) + line * float(i), width - px(8), line);
        const Pressable p = pressable(("canvas.find." + std::to_string(i)).c_str(), r);
        if (p.hovered || int(i) == chosen_) pen().AddRectFilled(r.min, r.max, colours().hovered, px(4));
        const StoryStep* step = card.step >= 0 ? &session.model().story[std::size_t(card.step)] : nullptr;
        std::string title =
            step ? step_title(session, *step)
                 : value_name(session, *card.node) + "  ·  " + s.text("window.canvas.find.weight");
        if (found[i].head >= 0)
            title = s.text("story.head_number", {std::to_string(found[i].head + 1)}) + "  ·  " + title;
        const std::string place = step ? step_place(session, *step) : card.node->path;
        const float wide = std::min(text_width(faces().caption, place), width * 0.5f);
        draw_label(pen(), faces().body, {{r.min.x + px(6), r.min.y}, {r.max.x - wide - px(14), r.max.y}},
                   colours().ink, title);
        draw_label(pen(), faces().caption, {{r.max.x - wide - px(6), r.min.y}, {r.max.x - px(4), r.max.y}},
                   colours().ink_soft, place);
        if (p.pressed) {
            go(found[i]);
            return;
        }
    }
    if (event == FieldEvent::entered) go(found[std::size_t(std::clamp(chosen_, 0, int(count) - 1))]);
}

} // namespace headlight
