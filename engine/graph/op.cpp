#include "engine/graph/op.h"

#include "engine/graph/node.h"

namespace headlight {

Axes Op::axes(const Node& node) const { return node.inputs.empty() ? Axes{} : node.input(0).axes; }

Formula Op::formula(const Node&, const Letters& letters) const {
    std::string text = "\\mathrm{" + std::string(name()) + "}\\left(";
    for (std::size_t i = 0; i < letters.inputs.size(); ++i) text += (i > 0 ? ",\\, " : "") + letters.text(i);
    return {text + "\\right)"};
}

std::string Op::equation(const Node& node, const Letters& letters) const {
    const std::string left = letters.result.letter.empty() ? "" : letters.result.text() + " = ";
    return left + formula(node, letters).text;
}

} // namespace headlight
