#include "engine/inspect/formulas.h"
#include "engine/inspect/explanation_text.h"
#include "engine/tensor/gemm.h"
#include "engine/tensor/random.h"
#include "engine/text/words.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace headlight {

BareProducts::BareProducts(const Graph& graph) {
    const auto numbers = [&](Index count, Index rows, Index columns) {
        Tensor tensor = memory_.allocate({count, rows, columns});
        std::fill_n(tensor.data(), tensor.size(), Real(0.01));
        return tensor;
    };
    for (const Node& node : graph.nodes()) {
        if (node.value.empty()) continue;
        const MatrixProduct sizes = node.op->product(node);
        if (sizes.multiplications() == 0) continue;
        Product product;
        product.sizes = sizes;
        product.is_transposed = node.input(1).value.columns() == sizes.inner;
        const bool is_differentiated = graph.has_gradient(node);
        product.of_a = is_differentiated && node.input(0).needs_grad;
        product.of_b = is_differentiated && node.input(1).needs_grad;
        const auto [count, rows, inner, columns] = sizes;
        const Index b_rows = product.is_transposed ? columns : inner,
                    b_columns = product.is_transposed ? inner : columns;
        product.a = numbers(count, rows, inner);
        product.b = numbers(count, b_rows, b_columns);
        product.c = numbers(count, rows, columns);
        if (product.of_a) product.gradient_a = numbers(count, rows, inner);
        if (product.of_b) product.gradient_b = numbers(count, b_rows, b_columns);
        products_.push_back(product);
    }
}

void BareProducts::run() {
    const auto view = [](const Tensor& t, Index i) { return MatrixView{t.matrix(i), t.columns(), 1}; };
    const auto write = [](Tensor& to, Index i, MatrixView left, Index inner, MatrixView right) {
        gemm(to.rows(), inner, to.columns(), left, right, {}, to.matrix(i), to.columns());
    };
    for (Product& p : products_)
        for (Index i = 0; i < p.sizes.count; ++i)
            write(p.c, i, view(p.a, i), p.sizes.inner,
                  p.is_transposed ? view(p.b, i).transposed() : view(p.b, i));
    for (auto product = products_.rbegin(); product != products_.rend(); ++product) {
        Product& p = *product;
        const auto [count, rows, inner, columns] = p.sizes;
        for (Index i = 0; i < count; ++i) {
            const MatrixView a = view(p.a, i), b = view(p.b, i), slope = view(p.c, i);
            if (p.of_a) write(p.gradient_a, i, slope, columns, p.is_transposed ? b : b.transposed());
            if (!p.of_b) continue;
            if (p.is_transposed)
                write(p.gradient_b, i, slope.transposed(), rows, a);
            else
                write(p.gradient_b, i, a.transposed(), rows, slope);
        }
    }
}

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

namespace {

using Numbers = std::vector<double>;

constexpr Index numbers_for_variance = 1 << 16;

Numbers normal_numbers(Index count, Random& random) {
    Numbers numbers(std::size_t(count), 0);
    for (double& x : numbers) x = random.normal();
    return numbers;
}

struct Saturation {
    double largest = 0, slope = 0;
};

Saturation saturation(const Numbers& scores, double divisor) {
    const double most = *std::max_element(scores.begin(), scores.end());
    double total = 0;
    for (const double s : scores) total += std::exp((s - most) / divisor);
    Saturation result;
    result.largest = 1 / total;
    for (const double s : scores) {
        const double p = std::exp((s - most) / divisor) / total;
        result.slope += p * (1 - p) / double(scores.size());
    }
    return result;
}

// Σ_i x_i x_iᵀ, [d × d], of vectors that lie one behind another.
Numbers gram(const Numbers& vectors, Index d) {
    Numbers sum(std::size_t(d * d), 0);
    for (const double* x = vectors.data(); x != vectors.data() + vectors.size(); x += d)
        for (Index a = 0; a < d; ++a)
            for (Index b = 0; b < d; ++b) sum[std::size_t(a * d + b)] += x[a] * x[b];
    return sum;
}

// Σ_ij (q_i · k_j)², pair by pair, or at once as the inner product of Σ q qᵀ and Σ k kᵀ: whichever is less.
double sum_of_squares(const Numbers& q, const Numbers& k, Index d, Index count) {
    if (count > d) {
        const Numbers of_q = gram(q, d), of_k = gram(k, d);
        return std::inner_product(of_q.begin(), of_q.end(), of_k.begin(), 0.0);
    }
    double sum = 0;
    for (Index i = 0; i < count; ++i)
        for (Index j = 0; j < count; ++j) {
            const double s = std::inner_product(&q[std::size_t(i * d)], &q[std::size_t(i * d)] + d,
                                                &k[std::size_t(j * d)], 0.0);
            sum += s * s;
        }
    return sum;
}

// Of all pairs of so many queries and keys that a steady number comes out.
double variance_of_pairs(Index d_k, double& mean, Random& random) {
    const Index count = std::max<Index>(numbers_for_variance / d_k, 1);
    const Numbers q = normal_numbers(count * d_k, random), k = normal_numbers(count * d_k, random);
    Numbers mean_q(std::size_t(d_k), 0), mean_k = mean_q;
    for (std::size_t i = 0; i < q.size(); ++i) {
        mean_q[i % std::size_t(d_k)] += q[i] / double(count);
        mean_k[i % std::size_t(d_k)] += k[i] / double(count);
    }
    mean = std::inner_product(mean_q.begin(), mean_q.end(), mean_k.begin(), 0.0);
    return sum_of_squares(q, k, d_k, count) / double(count) / double(count) - mean * mean;
}

void count_in(std::array<int, DotProducts::bins>& parts, double x, double end) {
    const double place = (x + end) / (2 * end) * double(parts.size());
    if (place >= 0 && place < double(parts.size())) ++parts[std::size_t(place)];
}

} // namespace

DotProducts measure_dot_products(Index d_k, Index queries, Index keys, std::uint64_t seed) {
    Random random({seed, std::uint64_t(d_k)});
    const Numbers q = normal_numbers(queries * d_k, random), k = normal_numbers(keys * d_k, random);
    DotProducts result;
    result.d_k = d_k;
    const double root = std::sqrt(double(d_k));
    result.end = std::max(3.2 * root, 10.0);
    for (Index i = 0; i < queries; ++i) {
        Numbers scores(std::size_t(keys), 0);
        for (Index j = 0; j < keys; ++j)
            for (Index c = 0; c < d_k; ++c)
                scores[std::size_t(j)] += q[std::size_t(i * d_k + c)] * k[std::size_t(j * d_k + c)];
        for (const double s : scores) {
            count_in(result.unscaled, s, result.end);
            count_in(result.scaled, s / root, result.end);
        }
        const Saturation plain = saturation(scores, 1), scaled = saturation(scores, root);
        result.largest_unscaled += plain.largest / double(queries);
        result.largest_scaled += scaled.largest / double(queries);
        result.slope_unscaled += plain.slope / double(queries);
        result.slope_scaled += scaled.slope / double(queries);
    }
    result.variance = variance_of_pairs(d_k, result.mean, random);
    return result;
}

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
