#include "app/ui/canvas/first_steps.h"

#include "app/ui/base/ui.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

#include <array>

namespace headlight {

void FirstSteps::did(std::string_view command) {
    stepped_ = stepped_ || command.starts_with("step +");
    moved_ = moved_ || command.starts_with("zoom ");
    asked_ = asked_ || command.starts_with("select ");
}

float FirstSteps::draw(const ScreenRect& rect, const Session& session, float most) const {
    if (done()) return 0;
    const Strings& s = session.strings();
    struct Line {
        bool done;
        std::string text;
    };
    const std::array<Line, 3> lines = {{{stepped_, s.text("window.first.step")},
                                        {moved_, s.text("window.first.zoom")},
                                        {asked_, s.text("window.first.ask")}}};
    const Face& face = faces().caption;
    const float pad = px(10), mark = px(20), inside = rect.width() - 2 * pad;
    float height = 2 * pad + faces().strong.size * line_spacing;
    for (const Line& line : lines) height += wrapped_height(face, line.text, inside - mark) + px(3);
    if (height > rect.height() * most) return 0;
    const ScreenRect box = ScreenRect::at(rect.min.x, rect.min.y, rect.width(), height);
    pen().AddRectFilled(box.min, box.max, colours().raised, px(8));
    widgets().record("first_steps", box);
    float y = box.min.y + pad;
    draw_text(pen(), faces().strong, {box.min.x + pad, y}, colours().ink, s.text("window.first.title"));
    y += faces().strong.size * line_spacing + px(2);
    for (const Line& line : lines) {
        draw_text(pen(), face, {box.min.x + pad, y}, line.done ? colours().accent : colours().ink_faint,
                  line.done ? "✓" : "○");
        y += draw_wrapped(pen(), face, {box.min.x + pad + mark, y}, inside - mark,
                          line.done ? colours().ink_faint : colours().ink_soft, line.text)
             + px(3);
    }
    return height;
}

} // namespace headlight
