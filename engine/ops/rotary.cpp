#include "engine/ops/gather.h"

#include "engine/base/check.h"
#include "engine/graph/axes.h"
#include "engine/ops/eigen_view.h"

#include <cmath>
#include <numbers>
#include <sstream>

namespace headlight {

namespace {

std::string written_number(double x) {
    std::ostringstream text;
    text.precision(10);
    text << x;
    return text.str();
}

struct Rotate final : Op {
    explicit Rotate(const Rotation& how) : rotation(how) {}
    Rotation rotation;
    // cos and sin of every angle, row after row, d_k numbers a position; grows to the longest sequence seen.
    mutable std::vector<Real> table;

    std::string_view name() const override { return "rotate"; }
    std::string step_letter(std::string_view step) const override { return step == "angle" ? "\\alpha" : ""; }
    Shape shape(const Node& node) const override {
        const Shape& x = node.input(0).shape();
        HEADLIGHT_CHECK(x.columns % 2 == 0, node.path + ": pairs of " + to_string(x));
        return x;
    }

    void extend_table(Index positions, Index d_k) const {
        for (Index position = Index(table.size()) / d_k; position < positions; ++position)
            for (Index j = 0; j < d_k / 2; ++j) {
                const double angle = double(position) * rotation.frequency(j, d_k);
                table.push_back(Real(std::cos(angle)));
                table.push_back(Real(std::sin(angle)));
            }
    }
    // visit(first, second, cos, sin) for every pair, which lies at these places of the value's memory.
    template <class Visit>
    void for_each_pair(const Node& node, Visit visit) const {
        const Shape& s = node.shape();
        const Index before = node.graph->rows_before();
        extend_table(before + s.rows, s.columns);
        const Index half = s.columns / 2;
        for (Index r = 0; r < s.all_rows(); ++r) {
            const Real* turn = table.data() + (before + r % s.rows) * s.columns;
            const Index begin = r * s.columns;
            for (Index j = 0; j < half; ++j) visit(begin + j, begin + j + half, turn[2 * j], turn[2 * j + 1]);
        }
    }
    void forward(Node& node) const override {
        const Real* x = node.input(0).value.data();
        Real* y = node.value.data();
        for_each_pair(node, [&](Index a, Index b, Real cos, Real sin) {
            y[a] = x[a] * cos - x[b] * sin;
            y[b] = x[b] * cos + x[a] * sin;
        });
    }
    // Turned back by the same angle.
    void backward(Node& node) const override {
        GradientOf x(node.input(0));
        if (!x.needed()) return;
        x.start_from_zero();
        const Real* dy = node.grad.data();
        Real* dx = x.tensor().data();
        for_each_pair(node, [&](Index a, Index b, Real cos, Real sin) {
            dx[a] += dy[a] * cos + dy[b] * sin;
            dx[b] += dy[b] * cos - dy[a] * sin;
        });
    }

    Explanation explain(const Node& node, Cell cell) const override {
        return turned(
            node, cell, Expr::of, false,
            {"y_{j} = x_{j}\\cos\\alpha - x_{j+d_k/2}\\sin\\alpha, \\; \\alpha = pos \\cdot f_j",
             "y_{j+d_k/2} = x_{j+d_k/2}\\cos\\alpha + x_{j}\\sin\\alpha, \\; \\alpha = pos \\cdot f_j"});
    }
    Explanation explain_backward(const Node& node, std::size_t, Cell cell) const override {
        const std::string x = "\\frac{\\partial L}{\\partial x_{j}}",
                          y = "\\frac{\\partial L}{\\partial y_{j}}",
                          x2 = "\\frac{\\partial L}{\\partial x_{j+d_k/2}}",
                          y2 = "\\frac{\\partial L}{\\partial y_{j+d_k/2}}";
        return turned(
            node, cell, Expr::gradient_of, true,
            {x + " = " + y + "\\cos\\alpha + " + y2 + "\\sin\\alpha, \\; \\alpha = pos \\cdot f_j",
             x2 + " = " + y2 + "\\cos\\alpha - " + y + "\\sin\\alpha, \\; \\alpha = pos \\cdot f_j"});
    }
    std::optional<Regions> readers(const Node& node, std::size_t, Cell cell) const override {
        const Index half = node.value.columns() / 2;
        const Index other = cell.column < half ? cell.column + half : cell.column - half;
        return Regions{only(cell), {cell.batch, cell.row, other}};
    }

    Formula formula(const Node&, const Letters& letters) const override {
        return {letters.factor(0) + " \\odot \\cos\\alpha + {" + letters.factor(0)
                    + "}^{\\perp} \\odot \\sin\\alpha",
                true};
    }
    std::string sign(const Node&, const Letters&) const override { return "\\mathrm{RoPE}"; }
    std::string sized_equation(const Node& node, const Letters&) const override {
        std::string width = "d_k";
        if (node.value.columns() > 0) width = std::to_string(node.value.columns());
        const char* const scaled = rotation.scaling == Rotation::Scaling::none ? "" : "\\;\\mathrm{(scaled)}";
        return "\\alpha_{pos,\\,j} = pos \\cdot " + written_number(rotation.theta) + "^{-2j/" + width + "}"
               + scaled;
    }
    GradientTerm gradient_term(const Node&, std::size_t, const GradientLetters& letters) const override {
        const std::string dy = letters.slope();
        return {dy + " \\odot \\cos\\alpha - \\left(" + dy + "\\right)^{\\perp} \\odot \\sin\\alpha"};
    }

private:
    // The frequency of a pair as arithmetic, in as many steps as it takes.
    void add_frequency(Index pair, Index d_k, std::vector<ExplanationStep>& steps) const {
        const Expr exponent = Expr::function(Expr::Kind::negative, Expr::constant(double(2 * pair), "2j")
                                                                       / Expr::constant(double(d_k), "d_k"));
        steps.push_back(
            {"f", Expr::make(Expr::Kind::power, {Expr::constant(rotation.theta, "θ"), exponent})});
        if (rotation.scaling == Rotation::Scaling::none) return;
        const Expr f = Expr::result(0), factor = Expr::constant(rotation.factor, "factor");
        if (rotation.scaling == Rotation::Scaling::linear) {
            steps.push_back({"f_scaled", f / factor});
            return;
        }
        const double wavelength = 2 * std::numbers::pi / Rotation{rotation.theta}.frequency(pair, d_k);
        const Expr original = Expr::constant(rotation.original_length, "L");
        const Expr low = Expr::constant(rotation.low, "low"), high = Expr::constant(rotation.high, "high");
        steps.push_back({"wavelength", Expr::constant(2 * std::numbers::pi, "2π") / f});
        if (wavelength < rotation.original_length / rotation.high) {
            steps.push_back({"f_scaled", f});
        } else if (wavelength > rotation.original_length / rotation.low) {
            steps.push_back({"f_scaled", f / factor});
        } else {
            steps.push_back({"s", (original / Expr::result(1) - low) / (high - low)});
            const Expr s = Expr::result(2);
            steps.push_back({"f_scaled", f * ((Expr::constant(1) - s) / factor + s)});
        }
    }

    // One number of a vector of the plane that is turned, forward or back; `of` is a value or a gradient.
    template <class Of>
    Explanation turned(const Node& node, Cell cell, Of of, bool back,
                       const std::string (&formulas)[2]) const {
        const Index d_k = node.value.columns(), half = d_k / 2, pair = cell.column % half;
        const bool is_second = cell.column >= half;
        const Node& from = back ? node : node.input(0);
        Explanation result{formulas[is_second], {}, "note.turned"};
        add_frequency(pair, d_k, result.steps);
        const Expr f = Expr::result(int(result.steps.size()) - 1);
        result.steps.push_back({"angle", Expr::constant(double(cell.row), "pos") * f});
        const Expr angle = Expr::result(int(result.steps.size()) - 1);
        const Expr own = of(from, cell) * Expr::function(Expr::Kind::cos, angle);
        const Expr other = of(from, Cell{cell.batch, cell.row, is_second ? pair : pair + half})
                           * Expr::function(Expr::Kind::sin, angle);
        result.steps.push_back({back ? "g" : "y", is_second != back ? own + other : own - other});
        return result;
    }
};

} // namespace

double Rotation::frequency(Index pair, Index d_k) const {
    const double f = std::pow(theta, -2 * double(pair) / double(d_k));
    if (scaling == Scaling::none) return f;
    if (scaling == Scaling::linear) return f / factor;
    const double wavelength = 2 * std::numbers::pi / f;
    if (wavelength > original_length / low) return f / factor;
    if (wavelength < original_length / high) return f;
    const double s = (original_length / wavelength - low) / (high - low);
    return f * ((1 - s) / factor + s);
}

Node* rotate(Node* x, const Rotation& rotation) {
    return x->graph->add(std::make_unique<Rotate>(rotation), {x});
}

} // namespace headlight
