#include "app/ui/step/step_panel.h"

#include "app/ui/base/ui.h"
#include "app/ui/step/matrices.h"
#include "app/ui/step/number_panel.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/formula.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

#include <algorithm>
#include <set>

namespace headlight {

namespace {

// The formula and, behind it, the same with this model's sizes; smaller where there is not the room.
void draw_formulas(ImDrawList& list, const ScreenRect& rect, const Session& session) {
    const StoryStep& step = session.step();
    const std::string formula = formula_in_language(session, step.formula);
    const Theme& t = theme();
    const float between = t.px(32);
    for (const MathSize size : {MathSize::normal, MathSize::small}) {
        const FormulaStyle style{size, t.colours.ink}, soft{size, t.colours.ink_soft};
        const FormulaExtent general = measure_formula(formula, style);
        const FormulaExtent sized = step.sized.empty() ? FormulaExtent{} : measure_formula(step.sized, soft);
        const bool both = !step.sized.empty() && general.width + between + sized.width <= rect.width();
        if (general.width > rect.width() && size == MathSize::normal) continue;
        const float height = std::max(general.height(), both ? sized.height() : 0);
        const float ascent = std::max(general.ascent, both ? sized.ascent : 0);
        const float baseline = rect.min.y + std::max(0.f, (rect.height() - height) / 2) + ascent;
        draw_formula(list, {rect.min.x, baseline}, formula, style);
        if (both) draw_formula(list, {rect.min.x + general.width + between, baseline}, step.sized, soft);
        return;
    }
}

bool is_there(const Session& session, const Selection& asked) {
    const Node* node = session.model().graph().find(asked.path);
    return node && Region{asked.cell.batch, asked.cell.row, asked.cell.column}.fits(node->shape());
}

struct PointedCell {
    std::optional<Selection> cell;
};

// The height of the longest text of the story at this width, so that nothing moves from step to step.
float words_height(const Session& session, float width) {
    struct For {
        unsigned long version = 0;
        float width = 0, size = 0;
        std::string language;
        bool operator==(const For&) const = default;
    };
    struct Known {
        For of;
        float height = 0;
    };
    auto& [of, height] = ui().memory<Known>();
    const Face& face = theme().faces.body;
    const For wanted{session.version(), width, face.size, session.strings().language()};
    if (of == wanted) return height;
    of = wanted;
    height = 0;
    std::set<std::string> seen; // layers repeat
    for (const StoryStep& step : session.model().story)
        if (seen.insert(step.role).second)
            height = std::max(height, wrapped_height(face, step_text(session, step), width));
    return height;
}

} // namespace

void step_panel(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    if (!session.has_model()) return;
    const Theme& t = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const StoryStep& step = session.step();
    float y = rect.min.y;

    // Words keep their places from step to step: heights are reserved, not measured.
    const std::string counter =
        session.strings().text("window.step.counter", {std::to_string(session.state().step + 1),
                                                       std::to_string(session.model().story.size())});
    const float counter_width = text_width(t.faces.caption, counter), line = t.faces.caption.size * 1.2f;
    draw_label(list, t.faces.caption, {{rect.min.x, y}, {rect.max.x - counter_width - t.px(16), y + line}},
               t.colours.accent, step_place(session, step));
    draw_text_in(list, t.faces.caption, {{rect.max.x - counter_width - 1, y}, {rect.max.x, y + line}},
                 t.colours.ink_faint, counter, Align::right);
    y += line + t.px(4);
    const float title_height = std::max(t.faces.title.size * 1.2f, control_height());
    const float heads =
        head_chooser(rect.min.x, {rect.max.x, y + (title_height - control_height()) / 2}, session, commands);
    draw_label(list, t.faces.title, {{rect.min.x, y}, {rect.max.x - heads - t.px(12), y + title_height}},
               t.colours.ink, step_title(session, step));
    y += title_height + t.px(6);

    const float between = t.px(36), number_height = number_panel_height(rect.height());
    const float text_width = std::min((rect.width() - between) * 0.62f, t.px(640));
    const float words = std::max(words_height(session, text_width), t.px(52));
    // A window too low for all of it shows the numbers.
    if (rect.max.y - y - words - number_height > t.px(120)) {
        draw_wrapped(list, t.faces.body, {rect.min.x, y}, text_width, t.colours.ink_soft,
                     step_text(session, step));
        draw_formulas(list, {{rect.min.x + text_width + between, y}, {rect.max.x, y + words}}, session);
        y += words + t.px(14);
    }

    const ScreenRect numbers{{rect.min.x, rect.max.y - number_height}, rect.max};
    const ScreenRect body{{rect.min.x, y}, {rect.max.x, numbers.min.y - t.px(10)}};

    // The numbers behind the one that is held, or else behind the one under the pointer in the frame before:
    // a frame later nobody sees.
    std::optional<Selection>& pointed = ui().memory<PointedCell>().cell;
    if (pointed && !is_there(session, *pointed)) pointed.reset(); // of a longer sentence, or another model
    const std::optional<Selection>& held = session.state().selection;
    const std::optional<Selection> hovered = matrices(body, session, commands, held ? held : pointed);
    pointed = hovered;
    number_panel(numbers, session, commands, hovered);
}

} // namespace headlight
