#include "engine/ops/norms.h"

#include "tests/engine/pytorch/reference.h"
#include "tests/support/op_check.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

using namespace headlight;
using namespace headlight::test;

namespace {

constexpr double epsilon = 1e-5;

Numbers normed(const Numbers& x, const Numbers& gamma, const Numbers& beta, const Numbers& mean,
               const Numbers& variance) {
    Numbers y(x.shape);
    for_each_cell(x.shape, [&](Index b, Index r, Index c) {
        y(b, r, c) = (x(b, r, c) - mean(0, 0, c)) / std::sqrt(variance(0, 0, c) + epsilon) * gamma(0, 0, c)
                     + beta(0, 0, c);
    });
    return y;
}

Numbers naive_batch_norm(const Numbers& x, const Numbers& gamma, const Numbers& beta) {
    Numbers mean({1, 1, x.shape.columns}), variance = mean;
    const double n = double(x.shape.all_rows());
    for_each_cell(x.shape, [&](Index b, Index r, Index c) { mean(0, 0, c) += x(b, r, c) / n; });
    for_each_cell(x.shape, [&](Index b, Index r, Index c) {
        variance(0, 0, c) += std::pow(x(b, r, c) - mean(0, 0, c), 2) / n;
    });
    return normed(x, gamma, beta, mean, variance);
}

Numbers numbers_of_file(const pytorch::ReferenceFile& file, const std::string& name) {
    const pytorch::Reference read = file.read(name);
    const Shape shape = read.shape.size() == 3 ? Shape{read.shape[0], read.shape[1], read.shape[2]}
                                               : Shape{1, 1, read.shape[0]};
    return {shape, {read.values.begin(), read.values.end()}};
}

} // namespace

TEST_CASE("batch norm takes mean and deviation along a column, over every row of every sequence") {
    CHECK(fault(
              {random_numbers({2, 3, 4}, 1), random_numbers({1, 1, 4}, 2), random_numbers({1, 1, 4}, 3)},
              [](Graph&, const Inputs& in) { return batch_norm(in[0], in[1], in[2], epsilon); },
              [](const auto& in) { return naive_batch_norm(in[0], in[1], in[2]); })
          == "");
}

TEST_CASE("afterwards it takes those that were kept") {
    const Numbers mean = random_numbers({1, 1, 4}, 4), variance = random_numbers({1, 1, 4}, 5, 0.5, 2);
    CHECK(fault(
              {random_numbers({2, 3, 4}, 1), random_numbers({1, 1, 4}, 2), random_numbers({1, 1, 4}, 3)},
              [&](Graph& graph, const Inputs& in) {
                  return batch_norm(in[0], in[1], in[2], input(graph, mean), input(graph, variance), epsilon);
              },
              [&](const auto& in) { return normed(in[0], in[1], in[2], mean, variance); })
          == "");
}

TEST_CASE("in training and afterwards batch norm is torch.nn.BatchNorm1d, its running statistics too") {
    const pytorch::ReferenceFile file(HEADLIGHT_SOURCE_DIR "/tests/data/pytorch/batch_norm.safetensors");
    const Index d = numbers_of_file(file, "gamma").shape.columns;
    std::vector<Real> running(std::size_t(2 * d), 0);
    std::fill_n(running.begin() + d, d, Real(1)); // as PyTorch begins
    Tensor mean({1, 1, d}, running.data()), variance({1, 1, d}, running.data() + d);
    for (const std::string when : {"training", "evaluation"}) {
        CAPTURE(when);
        Graph graph;
        Node *x = input(graph, numbers_of_file(file, "x")),
             *gamma = input(graph, numbers_of_file(file, "gamma")),
             *beta = input(graph, numbers_of_file(file, "beta"));
        const bool trains = when == "training";
        Node* y = trains ? batch_norm(x, gamma, beta, epsilon)
                         : batch_norm(x, gamma, beta, input(graph, numbers_of(mean)),
                                      input(graph, numbers_of(variance)), epsilon);
        // Σ w·y as a loss: y gets w for its gradient.
        struct Weighted final : Op {
            Numbers w;
            std::string_view name() const override { return "weighted"; }
            Shape shape(const Node&) const override { return {1, 1, 1}; }
            void forward(Node& node) const override { node.value(0, 0, 0) = 0; }
            void backward(Node& node) const override {
                for (std::size_t i = 0; i < w.data.size(); ++i)
                    node.input(0).grad.data()[i] = Real(w.data[i]);
                node.input(0).grad_started = true;
            }
            Explanation explain(const Node&, Cell) const override { return {}; }
        };
        auto op = std::make_unique<Weighted>();
        op->w = numbers_of_file(file, "w");
        Node* loss = graph.add(std::move(op), {y});
        graph.forward();
        graph.backward(loss);
        if (trains) keep_running(*y, mean, variance);
        const auto differs = [&](const Tensor& ours, const std::string& name) {
            return pytorch::worst_difference(ours.data(), file.read(when + name));
        };
        CHECK(differs(y->value, "/y") <= 1e-5);
        CHECK(differs(x->grad, "/gradient/x") <= 1e-5);
        CHECK(differs(gamma->grad, "/gradient/gamma") <= 1e-5);
        CHECK(differs(beta->grad, "/gradient/beta") <= 1e-5);
        CHECK(differs(mean, "/running_mean") <= 1e-5);
        CHECK(differs(variance, "/running_var") <= 1e-5);
    }
}

TEST_CASE("only a norm of the batch has statistics to keep, and widths go together") {
    Graph graph;
    Node* gamma = input(graph, Numbers({1, 1, 3}, 1));
    Node* y = batch_norm(input(graph, Numbers({1, 2, 3})), gamma, gamma, epsilon);
    std::vector<Real> numbers(3);
    Tensor kept({1, 1, 3}, numbers.data());
    CHECK_THROWS_AS(keep_running(y->input(0), kept, kept), std::logic_error);
    Graph other;
    batch_norm(input(other, Numbers({1, 2, 3})), input(other, Numbers({1, 1, 2})),
               input(other, Numbers({1, 1, 3})), epsilon);
    CHECK_THROWS_AS(other.forward(), std::logic_error);
}
