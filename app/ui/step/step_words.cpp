#include "app/ui/step/step_words.h"

#include "app/ui/base/ui.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/formula.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

#include <algorithm>

namespace headlight {

namespace {

// In the largest size in which it fits the column; the general form, and below it that of this model.
float formulas(ImDrawList& list, const ScreenRect& rect, const Session& session) {
    const Theme& t = theme();
    const StoryStep& step = session.step();
    float y = rect.min.y;
    for (const std::string* tex : {&step.formula, &step.sized}) {
        if (tex->empty()) continue;
        const std::string formula = formula_in_language(session, *tex);
        for (const MathSize size : {MathSize::normal, MathSize::small}) {
            const FormulaStyle style{size, tex == &step.formula ? t.colours.ink : t.colours.ink_soft};
            const FormulaExtent extent = measure_formula(formula, style);
            if (extent.width > rect.width() && size == MathSize::normal) continue;
            if (extent.width > rect.width() || y + extent.height() > rect.max.y) break;
            draw_formula(list, {rect.min.x, y + extent.ascent}, formula, style);
            y += extent.height() + t.px(8);
            break;
        }
    }
    return y - rect.min.y;
}

// What else can be looked at of this step: its close-ups. Returns the height that they took.
float close_ups(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const StoryStep& step = session.step();
    struct Choice {
        const char* name;
        bool wanted;
    };
    const Choice choices[] = {{"positions", step.role == "embed.positions"},
                              {"workings", !step.operands.empty()},
                              {"word", session.model().map().attention_of(*step.node) != nullptr}};
    const Theme& t = theme();
    const Strings& s = session.strings();
    float x = rect.min.x, y = rect.min.y;
    for (const Choice& choice : choices) {
        if (!choice.wanted) continue;
        const std::string key = std::string("window.closeup.") + choice.name;
        const float width = text_width(t.faces.body, s.text(key)) + t.px(24);
        if (x > rect.min.x && x + width > rect.max.x) {
            x = rect.min.x;
            y += control_height() + t.px(6);
        }
        if (y + control_height() > rect.max.y) return y - rect.min.y;
        ImGui::SetCursorScreenPos({x, y});
        if (button(std::string("closeup.") + choice.name, s.text(key),
                   {.tooltip = s.text(key + ".tip"), .width = std::min(width, rect.width()) / t.scale}))
            commands.emit(std::string("closeup ") + choice.name);
        x += width + t.px(6);
    }
    return x == rect.min.x ? y - rect.min.y : y + control_height() + t.px(8) - rect.min.y;
}

} // namespace

float step_words(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Theme& t = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const StoryStep& step = session.step();
    float y = rect.min.y;
    const std::string counter =
        session.strings().text("window.step.counter", {std::to_string(session.state().step + 1),
                                                       std::to_string(session.model().story.size())});
    const float counter_width = text_width(t.faces.caption, counter) + 1, line = t.faces.caption.size * 1.25f;
    draw_text_in(list, t.faces.caption, {{rect.max.x - counter_width, y}, {rect.max.x, y + line}},
                 t.colours.ink_faint, counter, Align::right);
    draw_label(list, t.faces.caption, {{rect.min.x, y}, {rect.max.x - counter_width - t.px(8), y + line}},
               t.colours.accent, step_place(session, step));
    y += line + t.px(4);
    const std::string title = step_title(session, step);
    y += draw_wrapped(list, t.faces.heading, {rect.min.x, y}, rect.width(), t.colours.ink, title) + t.px(6);
    const std::string text = step_text(session, step);
    const float words = wrapped_height(t.faces.body, text, rect.width());
    if (y + words < rect.max.y) {
        draw_wrapped(list, t.faces.body, {rect.min.x, y}, rect.width(), t.colours.ink_soft, text);
        y += words + t.px(10);
    }
    y += formulas(list, {{rect.min.x, y}, rect.max}, session);
    y += close_ups({{rect.min.x, y + t.px(4)}, rect.max}, session, commands);
    return y - rect.min.y;
}

} // namespace headlight
