#include "app/ui/canvas/first_steps.h"

#include "app/ui/base/ui.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

#include <array>

namespace headlight {

float FirstSteps::draw(const ScreenRect& rect, const Session& session, const Canvas& canvas) {
    const Strings& s = session.strings();
    // Done by whatever means: key, button, wheel or command.
    const Index step = session.view().step;
    if (step_ < 0) step_ = step;
    if (step != step_) stepped_ = true;
    if (canvas.moved_by_hand()) zoomed_ = true;
    if (session.view().asking.held) asked_ = true;
    if (done()) return 0;

    struct Line {
        bool done;
        std::string text;
    };
    const std::array<Line, 3> lines = {{{stepped_, s.text("window.first.step")},
                                        {zoomed_, s.text("window.first.zoom")},
                                        {asked_, s.text("window.first.ask")}}};
    const Face& face = faces().caption;
    const float pad = px(10), mark = px(20), inside = rect.width() - 2 * pad;
    float height = 2 * pad + faces().strong.size * line_spacing;
    for (const Line& line : lines) height += wrapped_height(face, line.text, inside - mark) + px(3);
    if (height > rect.height() * 0.5f) return 0;
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
