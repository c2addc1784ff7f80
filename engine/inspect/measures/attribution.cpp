#include "engine/inspect/measures/measures.h"

#include "engine/base/check.h"
#include "engine/inspect/measures/measures.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// The rows of the model that a direction reads: of words one, of a mean over the sentence all.
struct RowsRead {
    Index first = 0, count = 1;
};

// W[w] − W[w']: of a matrix [1 × words × d] the rows; of a row, its columns.
struct WordDirection final : MeasureOp {
    explicit WordDirection(SweepTarget of) : target(of) {}
    SweepTarget target;

    std::string_view name() const override { return "word_direction"; }
    Axes axes(const Node&) const override { return {axis::single, axis::features}; }
    Shape shape(const Node& node) const override { return {1, 1, node.input(0).value.columns()}; }
    void forward(Node& node) const override {
        const Tensor& w = node.input(0).value;
        for (Index j = 0; j < w.columns(); ++j)
            node.value(0, 0, j) =
                w(0, target.word, j) - (target.against ? w(0, *target.against, j) : Real(0));
    }
    Explanation explain(const Node& node, Cell cell) const override {
        Expr of_word = Expr::of(node.input(0), {0, target.word, cell.column});
        if (!target.against) return {"u_j = w_{wj}", {{"y", std::move(of_word)}}};
        return {"u_j = w_{wj} - w_{w'j}",
                {{"y", std::move(of_word) - Expr::of(node.input(0), {0, *target.against, cell.column})}}};
    }
};

// z[w] − z[w'] of one row; of a value with a change made by hand, what the change adds to that.
struct LogitDifference final : MeasureOp {
    LogitDifference(SweepTarget of, bool changed) : target(of), of_change(changed) {}
    SweepTarget target;
    bool of_change;

    std::string_view name() const override { return "logit_difference"; }
    Axes axes(const Node&) const override { return {axis::single, axis::single}; }
    Shape shape(const Node&) const override { return {1, 1, 1}; }
    Index row(const Node& node) const { return std::min(target.row, node.input(0).value.rows() - 1); }
    double of(const Tensor& z, Index r) const {
        return double(z(0, r, target.word)) - (target.against ? double(z(0, r, *target.against)) : 0);
    }
    void forward(Node& node) const override {
        const Node& z = node.input(0);
        const double computed = of_change ? of(z.computed, row(node)) : 0;
        node.value(0, 0, 0) = Real(of(z.value, row(node)) - computed);
    }
    Explanation explain(const Node& node, Cell) const override {
        const Node& z = node.input(0);
        Expr y = Expr::of(z, {0, row(node), target.word});
        if (target.against) y = std::move(y) - Expr::of(z, {0, row(node), *target.against});
        if (of_change) y = std::move(y) - Expr::constant(of(z.computed, row(node)));
        return {target.against ? "y = z_w - z_{w'}" : "y = z_w", {{"y", std::move(y)}}};
    }
};

// Back through a norm whose statistics are held. Inputs: the direction behind it [1 × rows × d], γ, and x,
// whose rows it normed.
struct ThroughNorm final : MeasureOp {
    ThroughNorm(Normalisation what, Index row) : norm(what), first(row) {}
    Normalisation norm;
    Index first;

    std::string_view name() const override { return "through_norm"; }
    Shape shape(const Node& node) const override { return node.input(0).shape(); }
    void forward(Node& node) const override {
        const Tensor &u = node.input(0).value, &gamma = node.input(1).value, &x = node.input(2).value;
        const Index d = u.columns();
        for (Index r = 0; r < u.rows(); ++r) {
            double mean = 0, squares = 0, centre = 0;
            for (Index j = 0; j < d && norm.centres; ++j) {
                mean += double(x(0, first + r, j)) / double(d);
                centre += double(u(0, r, j)) * double(gamma(0, 0, j)) / double(d);
            }
            for (Index j = 0; j < d; ++j) squares += std::pow(double(x(0, first + r, j)) - mean, 2);
            const double deviation = std::sqrt(squares / double(d) + norm.epsilon);
            for (Index j = 0; j < d; ++j)
                node.value(0, r, j) =
                    Real((double(u(0, r, j)) * double(gamma(0, 0, j)) - centre) / deviation);
        }
    }
    Explanation explain(const Node& node, Cell cell) const override {
        const Node &u = node.input(0), &gamma = node.input(1), &x = node.input(2);
        const Expr d = Expr::constant(double(u.value.columns()), "d"),
                   epsilon = Expr::constant(norm.epsilon, "ε");
        const auto scaled = [&](Index j) {
            return Expr::of(u, {0, cell.row, j}) * Expr::of(gamma, {0, 0, j});
        };
        std::vector<Expr> cells, squares, directions;
        for (Index j = 0; j < u.value.columns(); ++j) {
            Expr there = Expr::of(x, {0, first + cell.row, j});
            if (norm.centres) {
                cells.push_back(there);
                there = std::move(there) - Expr::result(0);
                directions.push_back(scaled(j));
            }
            squares.push_back(Expr::make(Expr::Kind::power, {std::move(there), Expr::constant(2)}));
        }
        if (!norm.centres)
            return {"g_j = \\frac{u_j\\,\\gamma_j}{\\sqrt{m + \\epsilon}}",
                    {{"mean", Expr::sum(std::move(squares)) / d},
                     {"rms", Expr::function(Expr::Kind::sqrt, Expr::result(0) + epsilon)},
                     {"y", scaled(cell.column) / Expr::result(1)}}};
        return {"g_j = \\frac{u_j\\,\\gamma_j - \\overline{u \\gamma}}{\\sqrt{\\sigma^2 + \\epsilon}}",
                {{"mean", Expr::sum(std::move(cells)) / d},
                 {"variance", Expr::sum(std::move(squares)) / d},
                 {"deviation", Expr::function(Expr::Kind::sqrt, Expr::result(1) + epsilon)},
                 {"centre", Expr::sum(std::move(directions)) / d},
                 {"y", (scaled(cell.column) - Expr::result(3)) / Expr::result(2)}}};
    }
};

// Back through the mean over the words of a sentence: every word that counts has an equal part. Inputs: the
// direction behind it [1 × 1 × d], the mean, and what it is the mean of.
struct ThroughMean final : MeasureOp {
    std::string_view name() const override { return "through_mean"; }
    Axes axes(const Node& node) const override { return {node.input(2).axes.rows, axis::features}; }
    Shape shape(const Node& node) const override {
        const Shape& x = node.input(2).shape();
        return {1, x.rows, x.columns};
    }
    static bool counts(const Node& node, Index row) {
        const Node& mean = node.input(1);
        const std::optional<Op::Regions> readers = mean.op->readers(mean, 0, {0, row, 0});
        return !readers || !readers->empty();
    }
    static Index words(const Node& node) {
        Index all = 0;
        for (Index r = 0; r < node.input(2).value.rows(); ++r) all += counts(node, r);
        return std::max<Index>(all, 1);
    }
    void forward(Node& node) const override {
        for (Index r = 0; r < node.value.rows(); ++r)
            for (Index j = 0; j < node.value.columns(); ++j)
                node.value(0, r, j) =
                    counts(node, r) ? node.input(0).value(0, 0, j) / Real(words(node)) : Real(0);
    }
    Explanation explain(const Node& node, Cell cell) const override {
        if (!counts(node, cell.row)) return {"0", {{"y", Expr::constant(0)}}};
        return {
            "g_{ij} = \\frac{u_j}{n}",
            {{"y", Expr::of(node.input(0), {0, 0, cell.column}) / Expr::constant(double(words(node)), "n")}}};
    }
};

// Back through W_O to the vectors of the heads. Inputs: the direction [1 × rows × d], W_O [1 × d × h·d_k].
struct ThroughHeads final : MeasureOp {
    explicit ThroughHeads(Index count) : heads(count) {}
    Index heads;

    std::string_view name() const override { return "through_heads"; }
    Axes axes(const Node& node) const override { return {node.input(0).axes.rows, axis::features, true}; }
    Shape shape(const Node& node) const override {
        return {heads, node.input(0).value.rows(), node.input(1).value.columns() / heads};
    }
    void forward(Node& node) const override {
        const Tensor &g = node.input(0).value, &w = node.input(1).value;
        const Index d_k = node.value.columns();
        std::vector<double> sum(static_cast<std::size_t>(w.columns()));
        for (Index r = 0; r < g.rows(); ++r) {
            std::fill(sum.begin(), sum.end(), 0);
            for (Index j = 0; j < g.columns(); ++j)
                for (Index c = 0; c < w.columns(); ++c)
                    sum[std::size_t(c)] += double(g(0, r, j)) * double(w(0, j, c));
            for (Index c = 0; c < w.columns(); ++c)
                node.value(c / d_k, r, c % d_k) = Real(sum[std::size_t(c)]);
        }
    }
    Explanation explain(const Node& node, Cell cell) const override {
        const Index column = cell.batch * node.value.columns() + cell.column;
        std::vector<Expr> terms;
        for (Index j = 0; j < node.input(0).value.columns(); ++j)
            terms.push_back(Expr::of(node.input(0), {0, cell.row, j})
                            * Expr::of(node.input(1), {0, j, column}));
        return {"g^{h}_{c} = \\sum_{j} w^{O}_{(h-1) d_k + c,\\,j}\\,g_j",
                {{"y", Expr::sum(std::move(terms))}}};
    }
};

// Which of a value's numbers: those in use; before the changes by hand; what these add.
enum class Numbers { in_use, computed, added };

// Σ c · g over the rows that the direction reads. Inputs: the part [1 × T × d], or a vector that every row
// has, and the direction.
struct ShareOfPart final : MeasureOp {
    ShareOfPart(Index row, Numbers which) : first(row), of(which) {}
    Index first;
    Numbers of;

    std::string_view name() const override { return "share"; }
    Axes axes(const Node&) const override { return {axis::single, axis::single}; }
    Shape shape(const Node&) const override { return {1, 1, 1}; }
    Index row(const Node& node, Index r) const { return node.input(0).value.rows() == 1 ? 0 : first + r; }
    void forward(Node& node) const override {
        const Node& c = node.input(0);
        const Tensor& g = node.input(1).value;
        double sum = 0;
        for (Index r = 0; r < g.rows(); ++r)
            for (Index j = 0; j < g.columns(); ++j) {
                const double in_use = of == Numbers::computed ? 0 : double(c.value(0, row(node, r), j));
                const double computed = of == Numbers::in_use ? 0 : double(c.computed(0, row(node, r), j));
                sum += (of == Numbers::computed ? computed : in_use - computed) * double(g(0, r, j));
            }
        node.value(0, 0, 0) = Real(sum);
    }
    Explanation explain(const Node& node, Cell) const override {
        const Node &c = node.input(0), &g = node.input(1);
        std::vector<Expr> terms;
        for (Index r = 0; r < g.value.rows(); ++r)
            for (Index j = 0; j < g.value.columns(); ++j) {
                const auto computed = [&] { return Expr::constant(double(c.computed(0, row(node, r), j))); };
                Expr part = of == Numbers::computed ? computed() : Expr::of(c, {0, row(node, r), j});
                if (of == Numbers::added) part = std::move(part) - computed();
                terms.push_back(std::move(part) * Expr::of(g, {0, r, j}));
            }
        return {"y = \\sum_{j} c_j\\,g_j", {{"y", Expr::sum(std::move(terms))}}};
    }
};

// The same of every head. Inputs: the heads side by side [1 × T × h·d_k], and the directions [h × rows ×
// d_k].
struct ShareOfHeads final : MeasureOp {
    explicit ShareOfHeads(Index row) : first(row) {}
    Index first;

    std::string_view name() const override { return "share_of_heads"; }
    Axes axes(const Node&) const override { return {axis::single, axis::single, true}; }
    Shape shape(const Node& node) const override { return {node.input(1).value.batch(), 1, 1}; }
    void forward(Node& node) const override {
        const Tensor &x = node.input(0).value, &g = node.input(1).value;
        for (Index h = 0; h < g.batch(); ++h) {
            double sum = 0;
            for (Index r = 0; r < g.rows(); ++r)
                for (Index c = 0; c < g.columns(); ++c)
                    sum += double(x(0, first + r, h * g.columns() + c)) * double(g(h, r, c));
            node.value(h, 0, 0) = Real(sum);
        }
    }
    Explanation explain(const Node& node, Cell cell) const override {
        const Node &x = node.input(0), &g = node.input(1);
        std::vector<Expr> terms;
        for (Index r = 0; r < g.value.rows(); ++r)
            for (Index c = 0; c < g.value.columns(); ++c)
                terms.push_back(Expr::of(x, {0, first + r, cell.batch * g.value.columns() + c})
                                * Expr::of(g, {cell.batch, r, c}));
        return {"y^{h} = \\sum_{c} \\mathrm{head}^{h}_{c}\\,g^{h}_{c}", {{"y", Expr::sum(std::move(terms))}}};
    }
};

// A[t,s] (v_s · g): through which key a head brings its share. Inputs: weights, values, directions.
struct ShareByKey final : MeasureOp {
    explicit ShareByKey(Index row) : first(row) {}
    Index first;

    std::string_view name() const override { return "share_by_key"; }
    Axes axes(const Node& node) const override { return {axis::single, node.input(0).axes.columns, true}; }
    Shape shape(const Node& node) const override {
        return {node.input(0).value.batch(), 1, node.input(0).value.columns()};
    }
    static Index shared(const Node& node, Index head) {
        return head / (node.input(0).value.batch() / node.input(1).value.batch());
    }
    void forward(Node& node) const override {
        const Tensor &a = node.input(0).value, &v = node.input(1).value, &g = node.input(2).value;
        for (Index h = 0; h < a.batch(); ++h)
            for (Index s = 0; s < a.columns(); ++s) {
                double sum = 0;
                for (Index r = 0; r < g.rows(); ++r)
                    for (Index c = 0; c < g.columns(); ++c)
                        sum += double(a(h, first + r, s)) * double(v(shared(node, h), s, c))
                               * double(g(h, r, c));
                node.value(h, 0, s) = Real(sum);
            }
    }
    Explanation explain(const Node& node, Cell cell) const override {
        const Node &a = node.input(0), &v = node.input(1), &g = node.input(2);
        std::vector<Expr> terms;
        for (Index r = 0; r < g.value.rows(); ++r)
            for (Index c = 0; c < g.value.columns(); ++c)
                terms.push_back(
                    Expr::make(Expr::Kind::product, {Expr::of(a, {cell.batch, first + r, cell.column}),
                                                     Expr::of(v, {shared(node, cell.batch), cell.column, c}),
                                                     Expr::of(g, {cell.batch, r, c})}));
        return {"y^{h}_{s} = A^{h}_{ts} \\sum_{c} v^{h}_{sc}\\,g^{h}_{c}",
                {{"y", Expr::sum(std::move(terms))}}};
    }
};

// All cells of all inputs.
struct SumOfShares final : MeasureOp {
    std::string_view name() const override { return "sum_of_shares"; }
    Axes axes(const Node&) const override { return {axis::single, axis::single}; }
    Shape shape(const Node&) const override { return {1, 1, 1}; }
    void forward(Node& node) const override {
        double sum = 0;
        for (const Node* input : node.inputs)
            for (Index i = 0; i < input->value.size(); ++i) sum += double(input->value.data()[i]);
        node.value(0, 0, 0) = Real(sum);
    }
    Explanation explain(const Node& node, Cell) const override {
        std::vector<Expr> terms;
        for (const Node* input : node.inputs)
            for (Index h = 0; h < input->value.batch(); ++h) terms.push_back(Expr::of(*input, {h, 0, 0}));
        return {"y = \\sum_{c} \\mathrm{DLA}(c)", {{"y", Expr::sum(std::move(terms))}}};
    }
};

// From the logits back to what first went into the stream.
class WayBack {
public:
    WayBack(Graph& graph, const Model& model, const SweepTarget& target)
        : graph_(graph), model_(model), target_(target) {}

    Attribution go() {
        const Scope measures(graph_, "measures"), place(graph_, "attribution");
        const Node& logits = *model_.map.output.values;
        if (!logits.computed.empty()) // a what-if on the logits themselves
            part(AttributedPart::Kind::change, logits, "change",
                 measured(graph_, LogitDifference{target_, true}, {read_only(logits)}));
        if (logits.inputs.size() > 2)
            part(AttributedPart::Kind::bias, logits.input(2), "share",
                 measured(graph_, LogitDifference{{0, target_.word, target_.against}, false},
                          {read_only(logits.input(2))}));
        Node* u = measured(graph_, WordDirection{target_}, {read_only(logits.input(1))});
        direction(logits.input(0), u);
        back(logits.input(0), u, {std::min(target_.row, logits.input(0).value.rows() - 1), 1});
        std::reverse(found_.parts.begin(), found_.parts.end()); // from the embedding on
        std::vector<Node*> shares;
        for (const AttributedPart& one : found_.parts) shares.push_back(read_only(*one.share));
        found_.sum = name("sum", measured(graph_, SumOfShares{}, std::move(shares)));
        found_.logit = name("logit", measured(graph_, LogitDifference{target_, false}, {read_only(logits)}));
        return std::move(found_);
    }

private:
    void part(AttributedPart::Kind kind, const Node& value, const char* as, Node* share) {
        const Scope place(graph_, value.path);
        found_.parts.push_back({kind, &value, name(as, share)});
    }
    void direction(const Node& value, Node* u) {
        const Scope place(graph_, value.path);
        name("direction", u);
    }
    void share(AttributedPart::Kind kind, const Node& value, Node* g, RowsRead rows,
               Numbers of = Numbers::in_use) {
        part(kind, value, of == Numbers::added ? "change" : "share",
             measured(graph_, ShareOfPart{rows.first, of}, {read_only(value), g}));
    }

    void back(const Node& value, Node* g, RowsRead rows) {
        if (!value.computed.empty()) share(AttributedPart::Kind::change, value, g, rows, Numbers::added);
        const ModelMap& map = model_.map;
        if (const auto norm = value.op->normalisation()) return through(*norm, value, g, rows);
        if (value.op->is_mean_of_rows()) {
            const Node& x = value.input(0);
            Node* of_rows = measured(graph_, ThroughMean{}, {g, read_only(value), read_only(x)});
            direction(x, of_rows);
            return back(x, of_rows, {0, x.value.rows()});
        }
        if (value.op->is_sum()) { // the latest first
            back(value.input(1), g, rows);
            return back(value.input(0), g, rows);
        }
        for (const Attention& attention : map.attentions)
            if (attention.output == &value) return heads(attention, g, rows);
        for (const FeedForward& network : map.feed_forwards)
            if (network.output == &value) return rest(AttributedPart::Kind::feed_forward, value, g, rows);
        for (const Stream& stream : map.streams)
            if (stream.positions == &value) return rest(AttributedPart::Kind::positions, value, g, rows);
        rest(is_embedding(value) ? AttributedPart::Kind::embedding : AttributedPart::Kind::other, value, g,
             rows);
    }

    bool is_embedding(const Node& value) const {
        const auto is = [&](const Stream& stream) {
            return stream.embeddings
                   && (&value == stream.embeddings
                       || (!value.inputs.empty() && value.inputs.front() == stream.embeddings));
        };
        return std::any_of(model_.map.streams.begin(), model_.map.streams.end(), is);
    }

    // Its change by hand has a share of its own already: here is what was computed.
    void rest(AttributedPart::Kind kind, const Node& value, Node* g, RowsRead rows) {
        share(kind, value, g, rows, value.computed.empty() ? Numbers::in_use : Numbers::computed);
    }

    void through(const Normalisation& norm, const Node& value, Node* g, RowsRead rows) {
        const Node &x = value.input(0), &gamma = value.input(1);
        if (norm.centres) share(AttributedPart::Kind::shift, value.input(2), g, rows);
        Node* before = measured(graph_, ThroughNorm{norm, rows.first}, {g, read_only(gamma), read_only(x)});
        direction(x, before);
        back(x, before, rows);
    }

    void heads(const Attention& attention, Node* g, RowsRead rows) {
        const Node& output = *attention.output;
        if (output.inputs.size() > 2) share(AttributedPart::Kind::attention_bias, output.input(2), g, rows);
        Node* of_heads = measured(graph_, ThroughHeads{attention.heads}, {g, read_only(output.input(1))});
        Node* shares = measured(graph_, ShareOfHeads{rows.first}, {read_only(output.input(0)), of_heads});
        const Scope place(graph_, attention.path);
        name("directions", of_heads);
        found_.parts.push_back({AttributedPart::Kind::heads, attention.mixed, name("heads", shares)});
        name("by_key", measured(graph_, ShareByKey{rows.first},
                                {read_only(*attention.weights), read_only(*attention.v), of_heads}));
    }

    Graph& graph_;
    const Model& model_;
    const SweepTarget target_;
    Attribution found_;
};

} // namespace

bool has_linear_way(const ModelMap& map) {
    const Node* logits = map.output.values;
    if (logits == nullptr || map.output.meaning == Output::Meaning::number || map.sums.empty()) return false;
    if (logits->inputs.size() < 2 || !logits->op->reads_transposed(1)) return false;
    const Node* value = &logits->input(0);
    while (value->op->normalisation() || value->op->is_mean_of_rows()) value = &value->input(0);
    return value->op->is_sum();
}

Attribution build_attribution(Graph& graph, const Model& model, const SweepTarget& target) {
    HEADLIGHT_CHECK(has_linear_way(model.map), "no linear way from the residual stream to the logits");
    return WayBack(graph, model, target).go();
}

} // namespace headlight
