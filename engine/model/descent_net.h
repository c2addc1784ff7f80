#pragma once

#include "engine/model/parameters.h"
#include "engine/model/transformer.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// Gradient descent from the ground: f(x) = w·x and its squared error, then a bias, a layer σ(W x + b), two
// layers. The operations are those of the Transformer, so every number and every gradient explains itself,
// and a step is the graph's own backward: w ← w − α ∂C/∂w (Bishop & Bishop 2023, ch. 7).

enum class DescentKind {
    weight, // f(x) = w x
    line,   // f(x) = w x + b
    layer,  // f(x) = σ(w₁ x₁ + w₂ x₂ + b): two kinds of points in the plane are told apart
    layers, // a hidden layer of σ before it, and the logistic function at the end
};
constexpr std::string_view descent_kind_names[] = {"weight", "line", "layer", "layers"};
constexpr std::string_view name_of(DescentKind kind) { return descent_kind_names[std::size_t(kind)]; }
constexpr bool is_of_plane(DescentKind kind) { return kind >= DescentKind::layer; }

enum class Squashing { relu, sigmoid, tanh };
constexpr std::string_view squashing_names[] = {"relu", "sigmoid", "tanh"};

// Of a weight or a line (x, f wanted); in the plane (x₁, x₂) and which of two kinds it is of.
struct DescentPoint {
    double x = 0, y = 0;
    bool is_of_second = false;
    bool operator==(const DescentPoint&) const = default;
};

// What C is of: all that it depends on but the weights.
struct DescentTask {
    DescentKind kind = DescentKind::weight;
    Squashing squashing = Squashing::sigmoid; // σ of the layer, or of the hidden one of two
    Index hidden = 3;
    std::vector<DescentPoint> points;
    bool operator==(const DescentTask&) const = default;

    Index inputs() const;                // numbers that it reads of a point
    Index weights() const;               // how many
    std::array<double, 2> goals() const; // what the two kinds of points are to become
    double boundary() const;             // halfway between: where the one ends and the other begins
};
constexpr Index most_hidden = 6;
constexpr std::size_t most_points = 40;

DescentTask fresh_task(DescentKind kind); // with points of its own
// To begin with: on a slope of the bowl; of layers drawn from a seed.
std::vector<double> fresh_weights(const DescentTask& task, std::uint64_t seed = 1);

// What the steepest way down the bowl is multiplied with by a step, of a weight or a line: the largest
// eigenvalue of ∂²C/∂w². A step of 1/curvature leads straight to its ground, one of more than twice that out
// of it.
double steepest_curvature(const DescentTask& task);

// Values: "descent.x" [n × 1 or 2], "descent.goal" [n × 1]; the weights "descent.w" [1 × inputs] and
// "descent.b", or of two layers "descent.w_1" [hidden × 2], "descent.b_1", "descent.w_2" [1 × hidden],
// "descent.b_2"; "descent.z" or "descent.z_1", "descent.hidden", "descent.z_2" where they are squashed;
// "descent.prediction" [n × 1], "descent.loss" [1 × 1].
class DescentNet {
public:
    explicit DescentNet(const DescentTask& task); // of at least one point
    DescentNet(const DescentNet&) = delete;

    const Graph& graph() const { return graph_; }
    std::vector<double> weights() const; // in the order of the names above, row by row
    // Computes with these; without gradients, until they are asked for.
    void compute(std::span<const double> weights);
    void differentiate();
    double cost() const { return double(loss_->value(0, 0, 0)); }
    // w ← w − α ∂C/∂w, computed and differentiated. False, and nothing was done, where a number would not be
    // finite or is beyond all use.
    bool step(double rate);
    // Which weight stands where: the value and its cell.
    std::vector<CellRef> places_of_weights() const;

private:
    Parameters parameters_;
    Graph graph_;
    std::vector<Node*> weights_;
    Node* loss_ = nullptr;
};

// The same as a model like any other, for whoever shows models: it reads no words, and says numbers. Its
// values are "net.descent.…". The parameters hold the points too.
Parameters descent_parameters(const DescentTask& task, std::span<const double> weights);
std::unique_ptr<Model> build_descent_model(Parameters& parameters, const DescentTask& task);

// The chain rule of a net of gradient descent, link by link (Bishop & Bishop 2023, ch. 8).

// One link of the chain rule: a derivative of one number with respect to the one before it.
struct DescentLink {
    std::string written; // for a formula: "\\frac{\\partial f}{\\partial z}"
    double number = 0;
};
// From the cost back to one weight, as far as one point has a share in it: the product of the links. Over all
// points these shares add up to ∂C/∂w. The net is differentiated.
std::vector<DescentLink> links_to(std::size_t weight, Index point, const DescentNet& net,
                                  const DescentTask& task);

} // namespace headlight
