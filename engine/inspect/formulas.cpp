#include "engine/inspect/formulas.h"

#include "engine/text/words.h"

#include <cmath>

namespace headlight {

namespace {

// Of one head, where that is what the formula is about.
Symbol symbol_in(const ModelMap& map, const Node& value, bool per_head) {
    Symbol symbol = map.symbol(value);
    if (per_head && value.axes.per_head) symbol.letter = Symbol{symbol.letter}.at("h");
    return symbol;
}

class Writer {
public:
    Writer(const ModelMap& map, WrittenFormula& result, bool per_head)
        : map_(map), result_(result), per_head_(per_head) {}

    // What a value's formula is written with.
    Letters letters_of(const Node& value) {
        const Notation& notation = map_.notation(value);
        Letters letters;
        if (notation.is_named) letters.result = symbol_in(map_, value, per_head_);
        for (std::size_t i = 0; i < value.inputs.size(); ++i)
            letters.inputs.push_back(
                operand(value.input(i), i < notation.inputs.size() ? notation.inputs[i] : std::string()));
        return letters;
    }

private:
    Operand operand(const Node& input, const std::string& called) {
        if (!called.empty()) {
            result_.letters.emplace_back(called, &input);
            return {{called}, {called}};
        }
        const Symbol symbol = symbol_in(map_, input, per_head_);
        if (map_.notation(input).spelled_out) return {symbol, input.op->formula(input, letters_of(input))};
        result_.letters.emplace_back(symbol.text(), &input);
        return {symbol, {symbol.text()}};
    }

    const ModelMap& map_;
    WrittenFormula& result_;
    bool per_head_;
};

// The edits that make the whole value, or all of its heads, what it is; those before the last replacement do
// not count.
std::vector<const Edit*> edits_of_all(const Node& value) {
    std::vector<const Edit*> found;
    for (const Edit& edit : value.graph->edits()) {
        if (edit.region != Region{} || value.graph->find(edit.path) != &value) continue;
        const bool copies_at_place = !edit.from.empty() && edit.from_region == Region{};
        if (edit.kind == Edit::Kind::replace || edit.silences()) found.clear();
        if (edit.is_one_number() || copies_at_place) found.push_back(&edit);
    }
    return found;
}

std::string number_in_formula(Real number) {
    if (std::isinf(number)) return number > 0 ? "\\infty" : "-\\infty";
    return std::isnan(number) ? "\\mathrm{NaN}" : exactly(double(number));
}

// As the formula is once the value is edited: a removed step is not done.
void follow_edits(WrittenFormula& formula, const ModelMap& map, const Node& value, bool per_head) {
    const std::string itself = symbol_in(map, value, per_head).text();
    for (const Edit* edit : edits_of_all(value)) {
        const Node* from = edit->from.empty() ? nullptr : value.graph->find(edit->from);
        const std::string by =
            from ? symbol_in(map, *from, per_head).text() : number_in_formula(edit->number);
        if (edit->silences() || edit->kind == Edit::Kind::replace) {
            formula = {itself + " = " + (edit->silences() ? "0" : by), {}, {}};
            if (from) formula.letters.emplace_back(by, from);
        } else {
            const char* sign = edit->kind == Edit::Kind::scale ? "\\cdot " : "+";
            formula.sized = itself + "\\leftarrow " + itself + sign + by;
        }
    }
}

} // namespace

WrittenFormula formula_of(const ModelMap& map, const Node& value) {
    const Notation& notation = map.notation(value);
    WrittenFormula result;
    Letters letters = Writer(map, result, notation.per_head).letters_of(value);
    letters.by_cells = notation.by_cells;
    result.text = value.op->equation(value, letters);
    result.sized = value.op->sized_equation(value, letters);
    follow_edits(result, map, value, notation.per_head);
    return result;
}

std::string sign_of(const ModelMap& map, const Node& value) {
    if (const auto edits = edits_of_all(value); !edits.empty()) {
        if (edits.front()->silences()) return "\\times\\,0";
        if (edits.front()->kind == Edit::Kind::replace) return {}; // the operation is not done
    }
    Letters letters{map.symbol(value)};
    for (const Node* input : value.inputs) {
        const Symbol symbol = map.symbol(*input);
        letters.inputs.push_back({symbol, {symbol.text()}});
    }
    return value.op->sign(value, letters);
}

std::string symbol_of(const ModelMap& map, const Node& value) {
    const Symbol symbol = map.symbol(value);
    return value.axes.per_head ? symbol.at("h") : symbol.text();
}

} // namespace headlight
