#include "app/web/mirror.h"

#include "app/session/step_text.h"
#include "app/ui/asking/asked_arithmetic.h"

namespace headlight {

std::string mirrored_text(const Session& session) {
    std::string text;
    const auto line = [&text](const std::string& one) {
        if (!one.empty()) text += one + "\n";
    };
    if (session.opened().has_model()) {
        line(step_place(session, session.step()));
        line(step_title(session, session.step()));
        line(step_text(session, session.step()));
    }
    const std::optional<NamedCell>& held = session.view().asking.held;
    const Node* node = held ? session.find(held->path) : nullptr;
    if (!node || !session.has(*held)) return text;
    const AskedArithmetic& arithmetic = known_arithmetic(session, *held);
    text += "\n";
    line(value_title(session, *node, held->cell.batch, session.shows_gradient(*node)));
    line(cell_place(session, *node, held->cell) + " = " + arithmetic.value());
    for (const AskedLine& one : arithmetic.lines) line(one.line.text());
    return text;
}

} // namespace headlight
