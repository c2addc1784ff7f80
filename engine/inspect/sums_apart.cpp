#include "engine/inspect/sums_apart.h"

#include "engine/inspect/expression_writer.h"

#include <utility>
#include <vector>

namespace headlight {

namespace {

// The same expression with `list`, a part of it, replaced by the result of step `apart`, and the steps that
// it uses renumbered.
Expr rewritten(const Expr& e, const std::vector<int>& place, const Expr* list, int apart) {
    if (&e == list) return Expr::result(apart);
    Expr copy = e;
    if (e.kind == Expr::Kind::step) copy.step = place[std::size_t(e.step)];
    for (std::size_t i = 0; i < e.operands.size(); ++i)
        copy.operands[i] = rewritten(e.operands[i], place, list, apart);
    return copy;
}

} // namespace

Explanation with_sums_apart(const Explanation& explanation) {
    Explanation result{explanation.formula, {}, explanation.note};
    std::vector<int> place; // where each step went
    for (const ExplanationStep& step : explanation.steps) {
        const Expr* list = list_of(step.expression);
        if (list == &step.expression) list = nullptr;
        if (list) {
            const bool sum = list->kind == Expr::Kind::sum;
            Expr apart = rewritten(*list, place, nullptr, -1);
            result.steps.push_back({sum ? "sum" : "largest", std::move(apart)});
        }
        const int apart = int(result.steps.size()) - 1;
        result.steps.push_back(
            {step.symbol, rewritten(step.expression, place, list, apart), step.reader, step.formula});
        place.push_back(int(result.steps.size()) - 1);
    }
    return result;
}

} // namespace headlight
