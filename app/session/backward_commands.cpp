// The commands of the backward pass: gradients on the screen, and the walk from the loss back.
#include "app/session/session.h"

#include <algorithm>

namespace headlight {

namespace {

Index last_backward_step(const LoadedModel& model) { return Index(model.backward_story.size()) - 1; }

Result<Done> walk_back_to(Backward& backward, const LoadedModel& model, const std::string& path) {
    const std::vector<BackwardStep>& steps = model.backward_story;
    const Node* node = model.graph().find(path);
    const auto found =
        std::find_if(steps.begin(), steps.end(), [&](const BackwardStep& step) { return step.node == node; });
    if (found == steps.end()) return Error{"error.no_such_gradient", {path, model.name}};
    backward = {true, found - steps.begin()}; // to walk is to look
    return Done{};
}

} // namespace

void add_backward_commands(CommandRegistry& commands, const Session& session, Backward& backward) {
    using namespace argument;
    commands.add("backward", {a_switch()},
                 [&](const Arguments& in) { backward.on = switched(in, backward.on); });
    commands.add_with_model("backward", {"step", "first|last" | whole("+N")}, [&](const Arguments& in) {
        const Index last = last_backward_step(session.model());
        const Index by = std::clamp<Index>(in.whole("+N"), -last, last);
        const Index step = std::clamp<Index>(std::min(backward.step, last) + by, 0, last);
        backward = {true, in.said("first") ? 0 : in.said("last") ? last : step};
    });
    commands.add_with_model("backward", {"goto", word("PATH")}, [&](const Arguments& in) {
        return walk_back_to(backward, session.model(), in.text("PATH"));
    });
}

} // namespace headlight
