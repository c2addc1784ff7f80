#include "engine/model/descent_links.h"

namespace headlight {

namespace {

// σ′ at a number that σ has made of another.
double slope_of(Squashing squashing, double before, double after) {
    switch (squashing) {
    case Squashing::relu:
        return before > 0 ? 1 : 0;
    case Squashing::sigmoid:
        return after * (1 - after);
    case Squashing::tanh:
        break;
    }
    return 1 - after * after;
}

std::string derivative(const std::string& of, const std::string& by) {
    return "\\frac{\\partial " + of + "}{\\partial " + by + "}";
}

} // namespace

std::vector<DescentLink> links_to(std::size_t weight, Index point, const DescentNet& net,
                                  const DescentTask& task) {
    const Graph& graph = net.graph();
    const auto number = [&](const char* value, Index column = 0) {
        return double(graph.find(std::string("descent.") + value)->value(0, point, column));
    };
    const CellRef said{graph.find("descent.prediction"), {0, point, 0}, true};
    std::vector<DescentLink> links = {{derivative("C", "f"), said.value()}};
    const auto add = [&](const std::string& of, const std::string& by, double what) {
        links.push_back({derivative(of, by), what});
    };
    if (task.kind != DescentKind::layers) {
        std::string before = "f";
        if (task.kind == DescentKind::layer) {
            add("f", "z", slope_of(task.squashing, number("z"), number("prediction")));
            before = "z";
        }
        const Index inputs = task.inputs();
        const bool is_bias = Index(weight) == inputs;
        const std::string letter = is_bias ? "b" : inputs == 1 ? "w" : "w_" + std::to_string(weight + 1);
        add(before, letter, is_bias ? 1 : number("x", Index(weight)));
        return links;
    }
    const Index hidden = task.hidden, which = Index(weight);
    const auto of_unit = [](const char* letter, Index unit, const std::string& above = {}) {
        return std::string(letter) + above + "_{" + std::to_string(unit + 1) + "}";
    };
    add("f", "z^{(2)}", slope_of(Squashing::sigmoid, number("z_2"), number("prediction")));
    if (which >= 3 * hidden) {
        const Index unit = which - 3 * hidden;
        if (unit == hidden)
            add("z^{(2)}", "b^{(2)}", 1);
        else
            add("z^{(2)}", of_unit("w", unit, "^{(2)}"), number("hidden", unit));
        return links;
    }
    const Index unit = which < 2 * hidden ? which / 2 : which - 2 * hidden;
    const std::string h = of_unit("h", unit), z = of_unit("z", unit, "^{(1)}");
    add("z^{(2)}", h, double(graph.find("descent.w_2")->value(0, 0, unit)));
    add(h, z, slope_of(task.squashing, number("z_1", unit), number("hidden", unit)));
    if (which < 2 * hidden)
        add(z, "w^{(1)}_{" + std::to_string(unit + 1) + std::to_string(which % 2 + 1) + "}",
            number("x", which % 2));
    else
        add(z, of_unit("b", unit, "^{(1)}"), 1);
    return links;
}

} // namespace headlight
