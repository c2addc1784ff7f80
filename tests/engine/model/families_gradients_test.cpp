// In double only: float leaves no digits to compare.
#include "engine/tensor/random.h"
#include "tests/engine/model/families.h"
#include "tests/support/explanation_check.h"
#include "tests/support/loss_derivative.h"

#include <doctest/doctest.h>

#include <sstream>

using namespace headlight;
using namespace headlight::test;

TEST_CASE("in every family the gradient of every weight is the slope of the loss") {
    for (const std::string& name : one_of_a_family()) {
        CAPTURE(name);
        ComputedFamily family(name, true);
        Graph& graph = family.model->graph;
        const Node* loss = family.model->map.output.loss;
        CHECK(unexplained_cell(graph) == "");
        if (!loss) continue;
        CHECK(unexplained_gradient(graph) == "");
        Random random(3);
        std::ostringstream wrong;
        for (const Node& node : graph.nodes()) {
            if (!node.is(ValueKind::parameter)) continue;
            Tensor weights = node.value;
            const std::vector<Real> gradients(node.grad.data(), node.grad.data() + node.grad.size());
            for (int sample = 0; sample < 3; ++sample) {
                const Index i = random.below(weights.size());
                const Real weight = weights.data()[i];
                const double slope = loss_derivative(graph, *loss, [&](double change) {
                    weights.data()[i] = weight + change;
                    graph.forward();
                });
                weights.data()[i] = weight;
                if (!agrees_with_slope(double(gradients[std::size_t(i)]), slope))
                    wrong << node.path << "[" << i << "]: " << gradients[std::size_t(i)] << " instead of "
                          << slope << "\n";
            }
            graph.forward();
            graph.backward(family.model->map.output.loss);
        }
        CHECK(wrong.str() == "");
    }
}
