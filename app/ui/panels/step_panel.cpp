#include "app/ui/panels/step_panel.h"

#include "app/ui/panels/matrices.h"
#include "app/ui/panels/number_panel.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/formula.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

#include <algorithm>

namespace headlight {

void step_panel(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    if (!session.has_model()) return;
    const Theme& t = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const StoryStep& step = session.step();
    float y = rect.min.y;

    // Words keep their places from step to step: heights are reserved, not measured.
    draw_text(list, t.faces.caption, {rect.min.x, y}, t.colours.accent, step_place(session, step));
    const std::string counter =
        session.strings().text("window.step.counter", {std::to_string(session.state().step + 1),
                                                       std::to_string(session.model().story.size())});
    draw_text_in(list, t.faces.caption, {{rect.min.x, y}, {rect.max.x, y + t.faces.caption.size}},
                 t.colours.ink_faint, counter, Align::right);
    y += t.faces.caption.size + t.px(6);
    draw_text_in(list, t.faces.title, {{rect.min.x, y}, {rect.max.x, y + t.faces.title.size * 1.2f}},
                 t.colours.ink, step_title(session, step));
    y += t.faces.title.size * 1.2f + t.px(8);

    const float formula_width = std::min(rect.width() * 0.46f, t.px(440)), words_height = t.px(68);
    const float text_width = std::min(rect.width() - formula_width - t.px(28), t.px(560));
    draw_wrapped(list, t.faces.body, {rect.min.x, y}, text_width, t.colours.ink_soft,
                 step_text(session, step));
    const ScreenRect board{{rect.min.x + text_width + t.px(28), y - t.px(6)},
                           {rect.max.x, y + words_height - t.px(6)}};
    const FormulaExtent general = measure_formula(step.formula), sized = measure_formula(step.sized);
    const float lines = general.height() + (step.sized.empty() ? 0 : sized.height() + t.px(8));
    float baseline = board.min.y + std::max(0.f, (board.height() - lines) / 2) + general.ascent;
    draw_formula(list, {board.min.x, baseline}, step.formula);
    if (!step.sized.empty()) {
        baseline += general.descent + t.px(8) + sized.ascent;
        draw_formula(list, {board.min.x, baseline}, step.sized, {MathSize::normal, t.colours.ink_soft});
    }
    y += words_height;

    const float number_height = number_panel_height();
    const ScreenRect numbers{{rect.min.x, rect.max.y - number_height}, rect.max};
    const ScreenRect body{{rect.min.x, y}, {rect.max.x, numbers.min.y - t.px(12)}};

    // The numbers behind the one that is held, or else behind the one under the pointer in the frame before:
    // a frame later nobody sees.
    static std::optional<Selection> pointed;
    const std::optional<Selection>& held = session.state().selection;
    const std::optional<Selection> hovered = matrices(body, session, commands, held ? held : pointed);
    pointed = hovered;
    number_panel(numbers, session, commands, hovered);
}

} // namespace headlight
