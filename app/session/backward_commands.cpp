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
    const auto check_loss = [&]() -> Result<Done> {
        if (!session.has_model() || session.model().map().output.loss) return Done{};
        return Error{"error.no_loss", {session.model().name}};
    };
    const auto add = [&](std::string_view words, std::vector<Argument> arguments, auto run) -> CommandForm& {
        CommandForm& form = commands.add(words, std::move(arguments), std::move(run));
        form.replayable = true;
        return form;
    };
    add("backward", {a_switch()}, [=, &backward](const Arguments& in) {
        const bool on = switched(in, backward.on);
        const Result<Done> can = on ? check_loss() : Done{};
        if (can) backward.on = on;
        return can;
    });
    add("backward step", {"first|last" | whole("+N")}, [=, &session, &backward](const Arguments& in) {
        const Result<Done> can = check_loss();
        if (!can) return can;
        const Index last = last_backward_step(session.model());
        const Index by = std::clamp<Index>(in.whole("+N"), -last, last);
        const Index step = std::clamp<Index>(std::min(backward.step, last) + by, 0, last);
        backward = {true, in.said("first") ? 0 : in.said("last") ? last : step};
        return can;
    }).needs_model = true;
    add("backward goto", {word("PATH")}, [=, &session, &backward](const Arguments& in) {
        const Result<Done> can = check_loss();
        return can ? walk_back_to(backward, session.model(), in.text("PATH")) : can;
    }).needs_model = true;
}

} // namespace headlight
