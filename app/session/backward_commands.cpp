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
    const auto lacks_loss = [&] { return session.has_model() && !session.model().map().output.loss; };
    const auto no_loss = [&] { return Error{"error.no_loss", {session.model().name}}; };
    const auto add = [&](std::vector<Argument> arguments, auto run) -> CommandForm& {
        CommandForm& form = commands.add_with_model("backward", std::move(arguments), std::move(run));
        form.replayable = true;
        return form;
    };
    add({a_switch()}, [=, &backward](const Arguments& in) -> Result<Done> {
        const bool on = switched(in, backward.on);
        if (on && lacks_loss()) return no_loss();
        backward.on = on;
        return Done{};
    }).needs_model = false;
    add({"step", "first|last" | whole("+N")}, [=, &session, &backward](const Arguments& in) -> Result<Done> {
        if (lacks_loss()) return no_loss();
        const Index last = last_backward_step(session.model());
        const Index by = std::clamp<Index>(in.whole("+N"), -last, last);
        const Index step = std::clamp<Index>(std::min(backward.step, last) + by, 0, last);
        backward = {true, in.said("first") ? 0 : in.said("last") ? last : step};
        return Done{};
    });
    add({"goto", word("PATH")}, [=, &session, &backward](const Arguments& in) -> Result<Done> {
        if (lacks_loss()) return no_loss();
        return walk_back_to(backward, session.model(), in.text("PATH"));
    });
}

} // namespace headlight
