// Commands of the backward pass: gradients on the screen, and the loss that they are of.
#include "app/session/expectation.h"
#include "app/session/session.h"

#include "engine/ops/cross_entropy.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

using Text = std::string_view;

constexpr const char* backward_usage =
    "backward on|off|toggle, backward step +N|-N|first|last, backward goto PATH";

} // namespace

const BackwardStep& Session::backward_step() const {
    const std::vector<BackwardStep>& steps = model_->backward_story;
    return steps[std::size_t(std::clamp<Index>(state_.backward.step, 0, Index(steps.size()) - 1))];
}

// To walk is to look: gradients are shown from then on.
Result<Done> Session::walk_back(const std::string& how, const std::string& where) {
    if (!has_model()) return Error{"error.no_model", {}};
    const std::vector<BackwardStep>& steps = model_->backward_story;
    const Index last = Index(steps.size()) - 1;
    Index& step = state_.backward.step;
    if (how == "goto") {
        const Node* node = model_->graph().find(where);
        const auto found = std::find_if(steps.begin(), steps.end(), [&](const BackwardStep& candidate) {
            return candidate.node == node;
        });
        if (found == steps.end()) return Error{"error.no_such_gradient", {where, model_->name}};
        step = found - steps.begin();
    } else if (where == "first" || where == "last") {
        step = where == "first" ? 0 : last;
    } else {
        const Result<long> by = whole_number_of(where);
        if (!by) return by.error();
        step = std::clamp<Index>(std::clamp<Index>(step, 0, last) + std::clamp<Index>(*by, -last, last), 0,
                                 last);
    }
    state_.backward.on = true;
    return Done{};
}

const Graph& Session::with_gradients() const {
    Graph& graph = model_->graph();
    if (!graph.differentiated()) graph.backward(model_->transformer->loss);
    return graph;
}

bool Session::shows_gradient(const Node& node) const {
    return state_.backward.on && with_gradients().has_gradient(node);
}

void Session::add_backward_commands() {
    const auto show = [this](Text how) -> Result<Done> {
        const std::vector<std::string> words = words_of(how);
        const std::string word = words.empty() ? "toggle" : words[0];
        bool& on = state_.backward.on;
        if (words.size() == 2 && (word == "step" || word == "goto")) return walk_back(word, words[1]);
        if (words.size() > 1 || (word != "on" && word != "off" && word != "toggle"))
            return usage(backward_usage);
        on = word == "on" || (word == "toggle" && !on);
        return Done{};
    };
    const auto smooth = [this](Text text) -> Result<Done> {
        const Result<double> epsilon = number_of(std::string(text));
        if (!epsilon) return epsilon.error();
        if (*epsilon < 0 || *epsilon > 0.9) return Error{"error.out_of_range", {"smoothing", "0", "0.9"}};
        state_.backward.label_smoothing = *epsilon;
        compute();
        return Done{};
    };
    const auto expect = [this](Text what) -> Result<Done> {
        if (!has_model()) return Error{"error.no_model", {}};
        const std::vector<std::string> words = words_of(what);
        if (words.size() != 6) return usage("expect_gradient PATH HEAD ROW COLUMN VALUE TOLERANCE");
        const Node* node = model_->graph().find(words[0]);
        if (!node || !with_gradients().has_gradient(*node))
            return Error{"error.no_such_gradient", {words[0], model_->name}};
        return meets(node->grad, words, what);
    };
    commands_.add({"backward", "on|off|toggle|step +N|-N|first|last|goto PATH", show});
    commands_.add({"smoothing", "EPSILON", smooth});
    commands_.add({"expect_gradient", "PATH HEAD ROW COLUMN VALUE TOLERANCE", expect});
}

} // namespace headlight
