// Where one gradient came from: the chain rule, told of one cell.
#include "engine/base/check.h"
#include "engine/graph/graph.h"

#include <algorithm>
#include <utility>

namespace headlight {

namespace {

using Edits = std::vector<ActiveEdit>;

// Of the gradient of a cell in use, what passes all edits but the first `count`, the last edit first.
Expr past_edits(Expr grad, const Node& node, Cell cell, const Edits& edits, std::size_t count = 0) {
    for (std::size_t i = edits.size(); i > count; --i)
        grad = gradient_through(*edits[i - 1].edit, node.shape(), cell, std::move(grad),
                                edits[i - 1].numbers(node));
    return grad;
}

// What reaches a cell because edits of `node` copied it, from the node itself or from another: the gradients
// of the cells that it was copied to, past the edits that came after.
std::vector<Expr> through_copies(const Node& node, const Edits& edits, const Node& from, Cell cell) {
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < edits.size(); ++i) {
        const Edit& edit = *edits[i].edit;
        if (edits[i].from != &from || !edit.region.fits(node.shape())) continue;
        const CopySource numbers = edits[i].numbers(node);
        for (Index b = 0; b < node.shape().batch; ++b)
            for (Index r = 0; r < node.shape().rows; ++r)
                for (Index c = 0; c < node.shape().columns; ++c)
                    if (const Cell to{b, r, c}; edit.region.contains(to) && copied_cell(edit, to) == cell
                                                && edit_number(edit, node.shape(), to, numbers))
                        terms.push_back(past_edits(Expr::gradient_of(node, to), node, to, edits, i + 1));
    }
    return terms;
}

// What an edited value hands back is worked out where its operation computed: from the value before the
// edits, and from what of its gradient the edits let through. See Graph::backward.
Expr before_edits(Expr e, const Node& node, const Edits& edits) {
    for (Expr& operand : e.operands) operand = before_edits(std::move(operand), node, edits);
    if (e.kind != Expr::Kind::cell || e.cell.node != &node) return e;
    const Cell cell = e.cell.cell;
    if (!e.cell.gradient) {
        const double computed = node.computed(cell.batch, cell.row, cell.column);
        return computed == e.cell.value() ? e : Expr::constant(computed);
    }
    std::vector<Expr> terms = through_copies(node, edits, node, cell);
    e = past_edits(std::move(e), node, cell, edits);
    if (terms.empty()) return e;
    terms.insert(terms.begin(), std::move(e));
    return Expr::sum(std::move(terms));
}

// The steps of an explanation that stand behind `by` others.
Expr moved(Expr e, int by) {
    for (Expr& operand : e.operands) operand = moved(std::move(operand), by);
    if (e.kind == Expr::Kind::step) e.step += by;
    return e;
}

struct Share {
    const Node* reader;
    Explanation explanation;

    // Nothing is computed: a residual sum hands its own gradient back.
    bool is_number() const {
        return explanation.steps.size() == 1 && explanation.steps[0].expression.operands.empty();
    }
};

// "g_query"; where two readers have the same last name, the whole path.
std::string symbol_of(const Share& share, const std::vector<Share>& all) {
    const auto last_name = [](const Share& s) {
        return s.reader->path.substr(s.reader->path.rfind('.') + 1);
    };
    const std::string name = last_name(share);
    const auto same =
        std::count_if(all.begin(), all.end(), [&](const Share& s) { return last_name(s) == name; });
    return "g_" + (same > 1 ? share.reader->path : name);
}

Explanation sum_of(std::vector<Share> shares) {
    Explanation result{"\\frac{\\partial L}{\\partial x_{ij}} = \\sum_{r} g^{(r)}_{ij}", {}};
    std::vector<Expr> terms;
    for (Share& share : shares) {
        std::vector<ExplanationStep>& steps = share.explanation.steps;
        if (share.is_number()) {
            terms.push_back(std::move(steps[0].expression));
            continue;
        }
        const int first = int(result.steps.size());
        steps.back().symbol = symbol_of(share, shares);
        steps.back().reader = share.reader;
        steps.back().formula = std::move(share.explanation.formula);
        for (ExplanationStep& step : steps) {
            step.expression = moved(std::move(step.expression), first);
            result.steps.push_back(std::move(step));
        }
        terms.push_back(Expr::result(int(result.steps.size()) - 1));
    }
    result.steps.push_back({"g", Expr::sum(std::move(terms))});
    return result;
}

} // namespace

Explanation Graph::share_of(const Node& reader, std::size_t input, Cell cell) const {
    Explanation share = reader.op->explain_backward(reader, input, cell);
    const Edits* edits = edits_of(reader);
    if (share.steps.empty() || !edits || reader.computed.empty()) return share;
    for (ExplanationStep& step : share.steps)
        step.expression = before_edits(std::move(step.expression), reader, *edits);
    share.note = "note.gradient.past_edit";
    return share;
}

// What a value hands back to another that edits copied into it.
Explanation Graph::share_of_copy(const Node& reader, const Node& node, Cell cell) const {
    const Edits* edits = edits_of(reader);
    if (!edits || reader.computed.empty()) return {};
    std::vector<Expr> terms = through_copies(reader, *edits, node, cell);
    if (terms.empty()) return {};
    return {"g_{ij}", {{"g", Expr::sum(std::move(terms))}}, "note.gradient.past_edit"};
}

Explanation Graph::explain_gradient(const Node& node, Cell cell) const {
    HEADLIGHT_CHECK(has_gradient(node), "no gradient of " + node.path + " is known");
    HEADLIGHT_CHECK(Region({cell.batch, cell.row, cell.column}).fits(node.shape()),
                    "no such cell in " + node.path + " " + to_string(node.shape()));
    if (&node == differentiated_)
        return {"\\frac{\\partial L}{\\partial L} = 1", {{"g", Expr::constant(1)}}, "note.gradient.loss"};
    std::vector<Share> shares;
    // In a recurrence what comes before it reads its rows too, one later.
    const Index first = node.recurrence ? node.recurrence->first : node.index + 1;
    for (Index i = first; i <= differentiated_->index; ++i) {
        const Node& reader = nodes_[std::size_t(i)];
        if (!reader.needs_grad || !reader.grad_started) continue; // the loss does not depend on it
        for (std::size_t input = 0; input < reader.inputs.size(); ++input)
            if (reader.inputs[input] == &node)
                if (Explanation share = share_of(reader, input, cell); !share.steps.empty())
                    shares.push_back({&reader, std::move(share)});
        if (&reader == &node) continue; // what it copies within itself it takes from before its edits
        if (Explanation share = share_of_copy(reader, node, cell); !share.steps.empty())
            shares.push_back({&reader, std::move(share)});
    }
    if (shares.empty())
        return {
            "\\frac{\\partial L}{\\partial x_{ij}} = 0", {{"g", Expr::constant(0)}}, "note.gradient.unread"};
    return shares.size() == 1 ? std::move(shares.front().explanation) : sum_of(std::move(shares));
}

} // namespace headlight
