#include "engine/inspect/formulas.h"

namespace headlight {

namespace {

class Writer {
public:
    Writer(const ModelMap& map, WrittenFormula& result, bool per_head)
        : map_(map), result_(result), per_head_(per_head) {}

    // What a value's formula is written with.
    Letters letters_of(const Node& value) {
        const Notation& notation = map_.notation(value);
        Letters letters;
        if (notation.is_named) letters.result = in_head(map_.symbol(value), value);
        for (std::size_t i = 0; i < value.inputs.size(); ++i)
            letters.inputs.push_back(
                operand(value.input(i), i < notation.inputs.size() ? notation.inputs[i] : std::string()));
        return letters;
    }

private:
    Symbol in_head(const Symbol& symbol, const Node& value) const {
        if (!per_head_ || !value.axes.per_head) return symbol;
        Symbol of_head = symbol;
        of_head.letter = Symbol{symbol.letter}.at("h");
        return of_head;
    }

    Operand operand(const Node& input, const std::string& called) {
        if (!called.empty()) {
            result_.letters.emplace_back(called, &input);
            return {{called}, {called}};
        }
        const Symbol symbol = in_head(map_.symbol(input), input);
        if (map_.notation(input).spelled_out) return {symbol, input.op->formula(input, letters_of(input))};
        result_.letters.emplace_back(symbol.text(), &input);
        return {symbol, {symbol.text()}};
    }

    const ModelMap& map_;
    WrittenFormula& result_;
    bool per_head_;
};

} // namespace

WrittenFormula formula_of(const ModelMap& map, const Node& value) {
    const Notation& notation = map.notation(value);
    WrittenFormula result;
    Letters letters = Writer(map, result, notation.per_head).letters_of(value);
    letters.by_cells = notation.by_cells;
    result.text = value.op->equation(value, letters);
    result.sized = value.op->sized_equation(value, letters);
    return result;
}

std::string sign_of(const ModelMap& map, const Node& value) {
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
