// The one line above what fills the window.
#include "app/session/navigation.h"
#include "app/ui/rooms/cabinet/cabinet_parts.h"
#include "app/ui/rooms/heads/heads_parts.h"
#include "app/ui/rooms/lesson/lesson_parts.h"
#include "app/ui/rooms/train/training_parts.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/formula.h"
#include "app/ui/window/window_parts.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// What fills the window, in words; of a step its formulas too, the fullest first, and which one it is.
struct AloneWords {
    std::string place, title, counter;
    std::vector<std::string> formulas;
};

AloneWords words_of_step(const Session& session) {
    const StoryStep& step = session.step();
    AloneWords words{
        step_place(session, step),
        step_title(session, step),
        session.strings().text("window.step.counter", {std::to_string(session.view().step + 1),
                                                       std::to_string(session.model().story.size())}),
        {}};
    for (const std::string* tex : {&step.formula, &step.sized})
        if (!tex->empty()) words.formulas.push_back(formula_in_language(session, *tex));
    return words;
}

AloneWords alone_words(const Session& session) {
    const Strings& s = session.strings();
    const View& view = session.view();
    switch (view.room) {
    case Room::heads: {
        const bool grid = view.heads.page == HeadsPage::grid;
        const MeasuredAttention* large =
            grid ? ui().memory<HeadsMemory>().data.find(session, view.heads.attention) : nullptr;
        return {"",
                large ? title_of_map(session, *large) : s.text("board.page." + name_of(view.heads.page)),
                "",
                {}};
    }
    case Room::lesson:
        return {"", s.text("window.room.lesson"), "", {lesson_formula(session.small_pages())}};
    case Room::cabinet:
        return {"", s.text("window.room.cabinet"), "", {cabinet_formula()}};
    case Room::descent:
    case Room::places:
    case Room::memory:
    case Room::norms:
    case Room::costs:
    case Room::library:
        return {"", s.text(present_page(view).title), "", {}};
    case Room::train: {
        if (session.trains_net()) return {"", s.text("ground.way.title"), "", {}};
        const DeskPage page = view.desk.page(session.training().training.run() != nullptr);
        if (page == DeskPage::backward) return words_of_step(session);
        return {"", s.text("learn.page." + std::string(name_of(page))), "", {}};
    }
    case Room::say:
        if (view.saying.page == SayingPage::words) break;
        return {
            "", s.text("say.page." + std::string(saying_page_names[std::size_t(view.saying.page)])), "", {}};
    case Room::explore:
    case Room::what_if:
        break;
    }
    return words_of_step(session);
}

} // namespace

float alone_line(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const AloneWords words = alone_words(session);
    const float row = control_height(), gap = px(18);
    const ScreenRect line = ScreenRect::at(rect.min.x, rect.min.y, rect.width(), row);
    const std::string& out = s.text("window.alone.out");
    const float out_width = text_width(faces().body, out) + px(24);
    float right = line.max.x - out_width;
    ImGui::SetCursorScreenPos({right, line.min.y});
    if (button("alone.off", out,
               {.tooltip = s.text("window.alone.out.tip"),
                .kind = ButtonKind::quiet,
                .width = out_width / theme().scale}))
        commands.emit("alone off");
    right -= px(10);
    if (is_unlike(session)) { // nothing is changed in secret
        const float title =
            std::min(std::ceil(text_width(faces().strong, words.title)) + 1, (right - line.min.x) * 0.4f);
        draw_label(pen(), faces().strong, ScreenRect::at(line.min.x, line.min.y, title, row), colours().ink,
                   words.title);
        unlike_strip({{line.min.x + title + gap, line.min.y + px(2)}, {right, line.max.y - px(2)}}, session,
                     commands);
        widgets().record("alone", line);
        return row + px(6);
    }
    const auto before = [&](const Face& face, Colour ink, const std::string& text) {
        if (text.empty()) return;
        const float width = std::ceil(text_width(face, text)) + 1;
        draw_text_in(pen(), face, {{right - width, line.min.y}, {right, line.max.y}}, ink, text,
                     Align::right);
        right -= width + gap;
    };
    before(faces().caption, colours().ink_faint, words.counter);
    // The title keeps its room; the formula and the place share what is left, the formula first.
    const Face* face = &faces().heading;
    if (text_width(*face, words.title) > right - line.min.x) face = &faces().strong;
    const float title = std::min(std::ceil(text_width(*face, words.title)) + 1, right - line.min.x);
    draw_label(pen(), *face, ScreenRect::at(line.min.x, line.min.y, title, row), colours().ink, words.title);
    const float left = line.min.x + title + gap;
    for (const std::string& tex : words.formulas) {
        const FormulaStyle style{MathSize::small, colours().ink};
        const FormulaExtent extent = measure_formula(tex, style);
        if (extent.width > right - left || extent.height() > row + px(4)) continue;
        draw_formula(pen(), {right - extent.width, line.centre().y + (extent.ascent - extent.descent) / 2},
                     tex, style);
        right -= extent.width + gap;
        break;
    }
    if (!words.place.empty() && text_width(faces().caption, words.place) <= right - left)
        draw_text_in(pen(), faces().caption, {{left, line.min.y}, {right, line.max.y}}, colours().accent,
                     words.place);
    widgets().record("alone", line);
    return row + px(6);
}

} // namespace headlight
