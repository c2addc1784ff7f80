#include "app/ui/panels/asked.h"

#include <algorithm>

namespace headlight {

namespace {

void collect(const Expr& e, LitCells& lit) {
    if (e.kind == Expr::Kind::cell)
        lit[{e.cell.node, e.cell.cell.batch}].push_back({int(e.cell.cell.row), int(e.cell.cell.column)});
    for (const Expr& operand : e.operands) collect(operand, lit);
}

LitCells find(const Session& session, const Selection& asked) {
    LitCells lit;
    const Node* node = session.model().graph().find(asked.path);
    if (!node) return lit;
    const Explanation explanation = session.model().graph().explain(*node, asked.cell);
    for (const ExplanationStep& step : explanation.steps) collect(step.expression, lit);
    for (auto& [value, cells] : lit) { // an explanation may name a cell several times
        const auto before = [](const MatrixCell& a, const MatrixCell& b) {
            return a.row != b.row ? a.row < b.row : a.column < b.column;
        };
        std::sort(cells.begin(), cells.end(), before);
        cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    }
    return lit;
}

} // namespace

const LitCells& cells_behind(const Session& session, const std::optional<Selection>& asked) {
    static std::optional<Selection> known;
    static unsigned long version = 0;
    static LitCells lit;
    if (known != asked || version != session.version()) {
        lit = asked ? find(session, *asked) : LitCells{};
        known = asked;
        version = session.version();
    }
    return lit;
}

} // namespace headlight
