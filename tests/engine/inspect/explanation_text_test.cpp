#include "engine/inspect/explanation_text.h"

#include "tests/engine/inspect/arithmetic.h"
#include "tests/engine/inspect/inspected_model.h"
#include "tests/support/soak.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace headlight;
using test::calculate;
using test::decimals_of;
using test::soaks;
using Kind = Expr::Kind;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Expr number(double x) { return Expr::constant(x); }

// The text of one step, with its true value.
std::string text_of(const Expr& expression, ExplanationTextOptions options = {}) {
    const Explanation explanation{"", {{"y", expression}}};
    return explanation_text(explanation, explanation.evaluate(), options).text();
}

bool agree(double a, double b, double tolerance) {
    if (std::isfinite(a) && std::isfinite(b))
        return std::abs(a - b) <= tolerance * (1 + 1e-6) + 1e-13 * std::abs(a);
    return a == b || (std::isnan(a) && std::isnan(b));
}

double unit(std::string_view number) { return std::pow(10.0, -decimals_of(number)); }

// All that is promised of a line, checked from its texts alone.
void check_arithmetic(const ExplanationLine& line) {
    INFO(line.text());
    REQUIRE(line.exact);
    const double result = calculate(line.result);
    REQUIRE(agree(line.value, result, unit(line.result) / 2));
    REQUIRE(agree(calculate(line.expression()), result, unit(line.result) / 2));

    double shown = 0;
    bool subtracted = false;
    for (const TermText& term : line.terms) {
        INFO("term ", term.text, " shown ", term.shown);
        for (const NumberLink& link : term.links) {
            if (!link.cell.node) continue;
            std::string digits = term.text.substr(link.begin, link.end - link.begin);
            REQUIRE(
                agree(calculate(digits), link.cell.value(), unit(digits.substr(0, digits.find(')'))) / 2));
        }
        if (term.kind == TermText::Kind::mark) {
            subtracted = term.text.ends_with("−") || term.text.ends_with("− ");
            continue;
        }
        if (term.kind == TermText::Kind::rest && line.total.empty()) continue; // "… 3" of a maximum
        // A product agrees with its factors within the last digit of the result.
        REQUIRE(agree(subtracted ? -calculate(term.text) : calculate(term.text), calculate(term.shown),
                      std::max(unit(line.result), unit(term.shown))));
        shown += calculate(term.shown);
    }
    if (!line.total.empty()) REQUIRE(agree(shown, calculate(line.total), unit(line.total) / 2));
}

enum class Asked { values, gradients };

void check_random_cells(InspectedModel& m, Index count, std::uint64_t seed, Asked asked = Asked::values) {
    Random random(seed);
    Index lines = 0, rests = 0;
    const bool gradients = asked == Asked::gradients;
    if (gradients) m.graph().backward(m.model->map.output.loss);
    for (Index i = 0; i < count; ++i) {
        const Node& node = m.graph().nodes()[std::size_t(random.below(Index(m.graph().nodes().size())))];
        if (gradients && !m.graph().has_gradient(node)) continue;
        const Shape& s = node.shape();
        const Cell cell{random.below(s.batch), random.below(s.rows), random.below(s.columns)};
        ExplanationTextOptions options;
        options.max_terms = 1 + int(random.below(9));
        options.decimals = 1 + int(random.below(4));
        options.order = random.below(2) ? TermOrder::as_computed : TermOrder::by_contribution;
        INFO(node.path, " ", cell.batch, " ", cell.row, " ", cell.column);
        const CellRef number{&node, cell, gradients};
        const ExplanationText text = explanation_text(number, options);
        REQUIRE(text.lines.back().value == number.value());
        for (const ExplanationLine& line : text.lines) {
            check_arithmetic(line);
            ++lines;
            for (const TermText& term : line.terms) rests += term.kind == TermText::Kind::rest;
        }
    }
    CHECK(lines >= (gradients ? count / 2 : count));
    CHECK(rests > count / 10);
}

const Index many = soaks() ? 2000 : 500;

} // namespace

TEST_CASE("the arithmetic of hundreds of random cells, read again from its text, gives what it says") {
    InspectedModel fresh;
    check_random_cells(fresh, many, 1);
}

TEST_CASE("it does so with large weights, gelu, pre-norm and learned positions") {
    ModelConfig config = inspected_config();
    config.norm_position = NormPosition::pre;
    config.final_norm = true;
    config.activation = Activation::gelu;
    config.positional_encoding = PositionalEncoding::learned;
    InspectedModel wild(config, 3, 1.0);
    check_random_cells(wild, many, 2);
}

TEST_CASE("so it does of hundreds of random gradients, each number of the text being that of the graph") {
    InspectedModel fresh;
    check_random_cells(fresh, many, 4, Asked::gradients);
    ModelConfig config = inspected_config();
    config.norm_position = NormPosition::pre;
    config.final_norm = true;
    config.activation = Activation::gelu;
    config.positional_encoding = PositionalEncoding::learned;
    InspectedModel wild(config, 3, 1.0);
    check_random_cells(wild, many, 5, Asked::gradients);
}

TEST_CASE("it does so for edited cells, and says that they are") {
    InspectedModel m;
    m.graph().set_edits({{"encoder.0.add1", {0, -1, -1}, Edit::Kind::add, Real(0.3)},
                         {"encoder.0.self_attn.scaled", {-1, -1, -1}, Edit::Kind::scale, 3},
                         {"output.w", {0, 0, 0}, Edit::Kind::replace, Real(1.5)},
                         {"output.b", {0, 0, -1}, Edit::Kind::add, 1}});
    m.graph().forward();
    check_random_cells(m, 500, 3);
    check_random_cells(m, 500, 6, Asked::gradients);
    const ExplanationText replaced = explanation_text(m.graph(), m.node("output.w"), {0, 0, 0});
    CHECK(replaced.text() == "edited = 1.50");
    CHECK(replaced.note == "note.set_by_hand");
    const ExplanationText moved = explanation_text(m.graph(), m.node("encoder.0.add1"), {0, 1, 2});
    CHECK(moved.note == "note.set_by_hand");
    CHECK(moved.lines.back().symbol == "edited");
}

TEST_CASE("a sum of products is written with its factors, negative ones in parentheses") {
    const Expr sum = Expr::sum({number(0.42) * number(1.1), number(-0.31) * number(0.77), number(-0.5)});
    CHECK(text_of(sum) == "y = 0.42·1.1 + (−0.31)·0.77 + (−0.5) = −0.28");
}

TEST_CASE("of a long sum the first terms are listed, or the largest, and the rest is one number") {
    std::vector<Expr> terms;
    for (int i = 1; i <= 60; ++i) terms.push_back(number(i % 2 ? i : -i));
    const Expr sum = Expr::sum(terms);
    CHECK(text_of(sum, {.max_terms = 2}) == "y = 1 + (−2) + (−29.00) (… 58) = −30.00");
    CHECK(text_of(sum, {.max_terms = 2, .order = TermOrder::by_contribution})
          == "y = −60 + 59 + (−29.00) (… 58) = −30.00");
    CHECK(text_of(sum, {.max_terms = 1, .rest_of_sum = "{1} more: {0}"})
          == "y = 1 + 59 more: (−31.00) = −30.00");
}

TEST_CASE("a single term left out is listed after all") {
    CHECK(text_of(Expr::sum({number(1), number(2), number(3)}), {.max_terms = 2}) == "y = 1 + 2 + 3 = 6.00");
}

TEST_CASE("the listed part of a maximum holds the largest") {
    const Expr maximum =
        Expr::make(Kind::maximum, {number(1), number(2), number(3), number(9), number(-infinity)});
    CHECK(text_of(maximum, {.max_terms = 2}) == "y = max(1, 9, … 3) = 9.00");
    CHECK(text_of(maximum, {.max_terms = 2, .order = TermOrder::by_contribution})
          == "y = max(9, 3, … 3) = 9.00");
    CHECK(text_of(maximum, {.rest_of_maximum = "{1} more"}) == "y = max(1, 2, 3, 9, −∞) = 9.00");
}

TEST_CASE("every function is written, and parentheses stand where the arithmetic needs them") {
    const auto f = [](Kind kind, Expr x) { return Expr::function(kind, std::move(x)); };
    const auto power = [](Expr x, Expr by) { return Expr::make(Kind::power, {std::move(x), std::move(by)}); };
    CHECK(text_of(f(Kind::exp, number(0.5) - number(-1))) == "y = exp(0.5 − (−1)) = 4.48");
    CHECK(text_of(f(Kind::log, number(2))) == "y = log(2) = 0.69");
    CHECK(text_of(f(Kind::sqrt, number(2.65) + number(1e-5))) == "y = √(2.65 + 10⁻⁵) = 1.63");
    CHECK(text_of(f(Kind::sin, number(1))) == "y = sin(1) = 0.84");
    CHECK(text_of(f(Kind::cos, number(-1))) == "y = cos(−1) = 0.54");
    CHECK(text_of(f(Kind::erf, number(0.5))) == "y = erf(0.5) = 0.52");
    CHECK(text_of(f(Kind::tanh, number(0.5))) == "y = tanh(0.5) = 0.46");
    CHECK(text_of(power(number(3) - number(1), number(2))) == "y = (3 − 1)² = 4.00");
    CHECK(text_of(power(number(-3), number(2))) == "y = (−3)² = 9.00");
    CHECK(text_of(power(number(10000), number(2) / number(64))) == "y = 10000^(2 / 64) = 1.33");
    CHECK(text_of((number(1) + number(2)) / (number(4) * number(0.5))) == "y = (1 + 2) / (4·0.5) = 1.50");
    CHECK(text_of(number(1) / number(2) * number(3)) == "y = (1 / 2)·3 = 1.50");
    CHECK(text_of(number(-9) / number(2)) == "y = −9 / 2 = −4.50");
    CHECK(text_of(number(1) - (number(2) + number(3))) == "y = 1 − (2 + 3) = −4.00");
    CHECK(text_of(number(1) - number(-9) / number(2)) == "y = 1 − (−9) / 2 = 5.50");
    CHECK(text_of(f(Kind::negative, number(2) + number(3))) == "y = −(2 + 3) = −5.00");
    CHECK(text_of(number(2) * f(Kind::negative, number(3))) == "y = 2·(−3) = −6.00");
}

TEST_CASE("small results have two digits that say something, and only zero is zero") {
    CHECK(text_of(number(0.004) + number(0.0002)) == "y = 0.004 + 0.0002 = 0.0042");
    CHECK(text_of(number(1e-4) * number(1e-4)) == "y = 0.0001·0.0001 = 1.0·10⁻⁸");
    CHECK(text_of(number(1) - number(1)) == "y = 1 − 1 = 0");
}

TEST_CASE("operands get the decimals that the result needs") {
    // 0.33·0.67 = 0.2211, but 1/3 · 2/3 = 0.2222…
    CHECK(text_of(number(1.0 / 3) * number(2.0 / 3)) == "y = 0.33·0.67 = 0.22");
    CHECK(text_of(number(10.0 / 3) * number(20.0 / 3)) == "y = 3.333·6.667 = 22.22");
    // At a tie of rounding the result takes a digit more rather than say what its operands do not.
    const Explanation tie{"", {{"y", number(0.1) + number(0.025)}}};
    CHECK(explanation_text(tie, std::nextafter(0.125, 0.0)).text() == "y = 0.1 + 0.025 = 0.12");
}

TEST_CASE("where float and double lie on different sides of a rounding, one digit fewer is said") {
    const Explanation near{"", {{"y", number(0.03177) + number(0.03177)}}};
    const ExplanationText text = explanation_text(near, 0.063449, {.decimals = 1});
    check_arithmetic(text.lines.front());
    CHECK(text.lines.front().result == "0.06");
}

TEST_CASE("a line has no more digits than the model's float arithmetic carries") {
    const Explanation thirds{"", {{"y", number(1.0 / 3) + number(1.0 / 3)}}};
    const double in_float = double(1.0f / 3 + 1.0f / 3);
    const ExplanationText text = explanation_text(thirds, in_float, {.decimals = 12});
    check_arithmetic(text.lines.front());
    CHECK(decimals_of(text.lines.front().result) == 6);
}

TEST_CASE("a line whose value is not what its arithmetic gives says so") {
    const Explanation wrong{"", {{"y", number(1) + number(1)}}};
    const ExplanationText text = explanation_text(wrong, std::numeric_limits<double>::quiet_NaN());
    CHECK_FALSE(text.lines.front().exact);
    CHECK(text.text() == "y = 1 + 1 ≈ NaN");
}

TEST_CASE("forbidden cells are −∞ before softmax and 0 after, and their remark is the mask's") {
    InspectedModel m;
    const ExplanationText masked =
        explanation_text(m.graph(), m.node("decoder.0.self_attn.masked"), {1, 1, 3});
    CHECK(masked.note == "note.mask.look_ahead");
    CHECK(masked.lines.back().result == "−∞");
    CHECK(masked.text().find(" + (−∞) = −∞") != std::string::npos);
    const ExplanationText weight =
        explanation_text(m.graph(), m.node("decoder.0.self_attn.weights"), {1, 1, 3});
    CHECK(weight.lines.back().result == "0");
}

TEST_CASE("softmax, layer norm and positions are told in their named steps") {
    InspectedModel m;
    const auto symbols = [&](const std::string& path) {
        std::string text;
        for (const ExplanationLine& line : explanation_text(m.graph(), m.node(path), {0, 1, 3}).lines)
            text += line.symbol + " ";
        return text;
    };
    CHECK(symbols("encoder.0.self_attn.weights") == "largest e total y ");
    CHECK(symbols("encoder.0.norm1") == "mean variance deviation normal y ");
    CHECK(explanation_text(m.graph(), m.node("encoder.embed.positions"), {0, 1, 3}).text()
          == "angle = 1 / 10000^(2 / 16) = 0.32\nPE = cos(0.32) = 0.95");
}

TEST_CASE("a term leads to the cells it is made of, and a step to its line") {
    InspectedModel m;
    const Node& scores = m.node("encoder.0.self_attn.scores");
    const ExplanationText text = explanation_text(m.graph(), scores, {1, 2, 4}, {.max_terms = 8});
    Index c = 0;
    for (const TermText& term : text.lines.front().terms) {
        if (term.kind != TermText::Kind::term) continue;
        REQUIRE(term.links.size() == 2);
        CHECK(term.links[0].cell.node == &m.node("encoder.0.self_attn.q"));
        CHECK(term.links[0].cell.cell == Cell{1, 2, c});
        CHECK(term.links[1].cell.node == &m.node("encoder.0.self_attn.k"));
        CHECK(term.links[1].cell.cell == Cell{1, 4, c});
        ++c;
    }
    CHECK(c == 8);
    const ExplanationText norm = explanation_text(m.graph(), m.node("encoder.0.norm1"), {0, 1, 3});
    CHECK(norm.lines.back().terms.front().links.front().step == 3); // normal · γ
    CHECK(norm.lines[0].total != norm.lines[0].result);             // the sum is yet to be divided
}

TEST_CASE("a gradient is told as the shares of all that read the value, each with its own formula") {
    InspectedModel m;
    m.graph().backward(m.model->map.output.loss);
    // The encoder's output of post-norm is read by K and V of the decoder's cross-attention.
    const Node& memory = m.node("encoder.output");
    const ExplanationText text = explanation_text({&memory, {0, 1, 3}, true});
    REQUIRE(text.lines.size() == 3);
    CHECK(text.lines[0].symbol == "g_key");
    CHECK(text.lines[0].reader == &m.node("decoder.0.cross_attn.key"));
    CHECK(text.lines[0].formula.starts_with("\\frac{\\partial L}{\\partial x_{ic}}"));
    CHECK(text.lines[1].reader == &m.node("decoder.0.cross_attn.value"));
    CHECK(text.lines[2].reader == nullptr);
    const NumberLink& link = text.lines[0].terms.front().links.front();
    CHECK(link.cell.gradient);
    CHECK(link.cell.node == &m.node("decoder.0.cross_attn.key"));
    CHECK(explanation_text({m.model->map.output.loss, {0, 0, 0}, true}).text() == "g = 1");
    CHECK(explanation_text({&m.node("decoder.embed.table"), {0, 9, 0}, true}).note == "note.gradient.unread");
    CHECK(explanation_text({&m.node("encoder.0.self_attn.masked"), {0, 1, 5}, true}).note
          == "note.gradient.forbidden");
}

TEST_CASE("what was copied or learned is its own result, and can be followed") {
    InspectedModel m;
    const ExplanationText gathered = explanation_text(m.graph(), m.node("encoder.embed.tokens"), {0, 1, 3});
    REQUIRE(gathered.lines.size() == 1);
    CHECK(gathered.lines[0].leaf);
    CHECK(gathered.lines[0].text() == "x = " + gathered.lines[0].result);
    CHECK(gathered.lines[0].terms[0].links[0].cell.cell == Cell{0, 9, 3}); // row of token 9
    CHECK(explanation_text(m.graph(), m.node("output.w"), {0, 1, 3}).note == "note.learned");
    CHECK(explanation_text(m.graph(), m.node("decoder.tokens"), {0, 2, 0}).text() == "t = 12");
}
