// The backward pass, walked from the loss to the weights, and what Adam then does to one of them.
#include "app/ui/rooms/train/training_parts.h"

#include "app/session/step_text.h"
#include "app/ui/asking/asked.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/formula.h"
#include "engine/inspect/explanation_text.h"
#include "engine/train/adam.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace headlight {

namespace {

void formula(TrainingContext& context, const std::string& tex) {
    const std::string text = formula_in_language(context.session, tex);
    for (const MathSize size : {MathSize::normal, MathSize::small}) {
        const FormulaStyle style{size, colours().ink};
        const FormulaExtent extent = measure_formula(text, style);
        if (extent.width > context.column.width()) continue;
        draw_formula(pen(), {context.column.left, context.column.y + extent.ascent}, text, style);
        context.column.skip(extent.height() + px(8));
        return;
    }
}

// One step of the way back; its card comes into sight as one goes there.
void walk(TrainingContext& context) {
    const Strings& s = context.strings();
    const std::vector<BackwardStep>& story = context.session.model().backward_story;
    const BackwardStep& step = context.session.backward_step();
    const Index present = &step - story.data(), last = Index(story.size()) - 1;
    const auto go = [&](Index to) {
        context.commands.emit("backward goto " + story[std::size_t(to)].path());
        context.commands.emit("frame " + story[std::size_t(to)].path());
    };
    {
        ControlRow row(context.column);
        if (row.button("walk.back", "←",
                       {.tooltip = s.text("learn.walk.back.tip"), .enabled = present > 0, .width = 44}))
            go(present - 1);
        const bool playing = context.session.view().backward.playing;
        if (row.button("walk.play", playing ? "❚❚" : "▶",
                       {.tooltip = s.text("learn.walk.play.tip"), .width = 44}))
            context.commands.emit(playing ? "backward pause" : "backward play");
        if (row.button("walk.forward", "→",
                       {.tooltip = s.text("learn.walk.forward.tip"),
                        .kind = ButtonKind::primary,
                        .enabled = present < last,
                        .width = 44}))
            go(present + 1);
        draw_text_in(
            pen(), faces().caption, row.rest(), colours().ink_faint,
            s.text("window.step.counter", {std::to_string(present + 1), std::to_string(story.size())}),
            Align::right);
    }
    const ScreenRect name = context.column.take(faces().caption.size * 1.4f);
    const Pressable p = pressable("walk.show", name);
    draw_label(pen(), faces().caption, name, p.hovered ? colours().ink : colours().accent, step.path());
    if (p.pressed) go(present);
    column_text(context.column, faces().heading, colours().ink, gradient_title(context.session, step));
    context.column.skip(px(4));
    running_text(context, gradient_text(context.session, step));
    context.column.skip(px(8));
    formula(context, step.formula);
}

// Where the weight lies in the stretch of all weights; −1 for what is none.
Index place_of_weight(const LoadedModel& model, const Node& node, const Cell& cell) {
    const Parameters& parameters = model.files.parameters;
    const Real *first = parameters.data(), *value = node.value.data();
    if (std::less<>()(value, first) || !std::less<>()(value, first + parameters.learned())) return -1;
    return Index(value - first) + cell.row * node.value.columns() + cell.column;
}

// Of all numbers that are learned, in their order, whichever memory each parameter's lie in; 0 of one that
// this pass does not use.
std::vector<Real> gradients_of(const LoadedModel& model) {
    const Parameters& parameters = model.files.parameters;
    std::vector<Real> gradients(std::size_t(parameters.learned()));
    for (const Node& node : model.graph().nodes()) {
        if (!node.is(ValueKind::parameter) || !model.graph().has_gradient(node)) continue;
        const Index first = place_of_weight(model, node, {});
        if (first < 0 || first + node.value.size() > parameters.learned()) continue;
        for (Index i = 0; i < node.value.size(); ++i)
            gradients[std::size_t(first + i)] += node.grad.data()[i];
    }
    return gradients;
}

// m and v are kept with some of the checkpoints alone: the nearest of those.
void offer_whole_checkpoint(TrainingContext& context, const Run& run, Index step) {
    const KeptCheckpoint* nearest = nullptr;
    for (const KeptCheckpoint& kept : run.kept)
        if (kept.whole && (!nearest || std::abs(kept.step - step) < std::abs(nearest->step - step)))
            nearest = &kept;
    if (!nearest) return;
    const Strings& s = context.strings();
    const std::string there = std::to_string(nearest->step);
    running_text(context, s.text("learn.adam.elsewhere", {there}));
    context.column.skip(px(6));
    if (ControlRow(context.column)
            .button("adam.go", s.text("learn.adam.go", {there}),
                    {.tooltip = s.text("learn.adam.elsewhere", {there}), .enabled = !run.training}))
        context.commands.emit("moment " + there);
}

// Adam's next step of the weight that is held, were the sentence on the screen the whole batch.
void update_of_weight(TrainingContext& context) {
    const Strings& s = context.strings();
    const Session& session = context.session;
    draw_label(pen(), faces().strong, context.column.take(faces().strong.size * 1.5f), colours().ink,
               s.text("learn.adam.title"));
    const std::optional<NamedCell>& held = session.view().asking.held;
    const Run* run = context.run();
    if (!run || !session.training().shown) return running_text(context, s.text("learn.adam.no_run"));
    const Node* node = held ? session.model().graph().find(held->path) : nullptr;
    const Index place = node ? place_of_weight(session.model(), *node, held->cell) : -1;
    if (place < 0 || !session.model().graph().has_gradient(*node))
        return running_text(context, s.text("learn.adam.choose"));
    const Index step = session.training().step;
    const std::optional<Checkpoint> checkpoint = session.training().training.checkpoint_near(step);
    if (!checkpoint || checkpoint->step != step || !checkpoint->optimizer)
        return offer_whole_checkpoint(context, *run, step);

    const Parameters& parameters = session.model().files.parameters;
    const std::vector<Real> gradients = gradients_of(session.model());
    double squares = 0;
    for (const Real gradient : gradients) squares += double(gradient) * double(gradient);
    const double norm = std::sqrt(squares), most = run->settings.options.clip_norm;
    Adam adam(parameters.count(), run->settings.options.adam);
    adam.restore(step, checkpoint->optimizer->m, checkpoint->optimizer->v);
    const double rate = run->settings.options.schedule.rate(step + 1);
    const WeightUpdate update = explain_update(adam, place, parameters.data(), gradients.data(), rate,
                                               most > 0 && norm > most ? most / norm : 1);
    ExplanationTextOptions options;
    options.decimals = 6;
    small_caption(context, value_title(session, *node, 0) + "  ·  " + cell_place(session, *node, held->cell));
    context.column.skip(px(4));
    for (const ExplanationLine& line :
         explanation_text(update.explanation, double(update.weight), options).lines) {
        ExplanationLine named = line;
        named.symbol = symbol_name(session, line.symbol);
        column_text(context.column, faces().mono_small, colours().ink_soft, named.text());
        context.column.skip(px(3));
    }
    context.column.skip(px(4));
    small_caption(context, s.text("learn.adam.batch"));
}

} // namespace

void backward_page(TrainingContext& context) {
    const Strings& s = context.strings();
    const Session& session = context.session;
    if (!session.has_model()) return running_text(context, s.text("learn.words.none"));
    if (!session.model().map().output.loss) return running_text(context, s.text("learn.words.no_loss"));
    bool on = session.view().backward.on;
    if (ControlRow(context.column)
            .toggle("backward", s.text("learn.backward"), on, s.text("learn.backward.tip")))
        context.commands.emit(on ? "backward on" : "backward off");
    // As high as the longer of the two: a step of the walk switches over, and its button stays where it is.
    const auto height = [&](const char* key) {
        return wrapped_height(faces().body, s.text(key), context.column.width());
    };
    const float end = context.column.y + std::max(height("learn.backward.on"), height("learn.backward.off"));
    running_text(context, s.text(on ? "learn.backward.on" : "learn.backward.off"));
    context.column.y = end;
    // Without a target the words that it said stand for it, and the loss tells how sure it was of them.
    if (session.model().map().source() && !session.sentence().teacher_forced) {
        context.column.skip(px(4));
        small_caption(context, s.text("learn.backward.own_words"));
        if (context.state.wanted.bring_up_to_date(session))
            offer_target(context, context.state.wanted.target());
    }
    context.column.skip(px(12));
    // Where a weight is held, its update is what one waits for.
    const std::optional<NamedCell>& held = session.view().asking.held;
    const Node* node = held ? session.model().graph().find(held->path) : nullptr;
    const bool update_first = node && place_of_weight(session.model(), *node, held->cell) >= 0;
    for (const bool update : {update_first, !update_first}) {
        if (update)
            update_of_weight(context);
        else
            walk(context);
        context.column.skip(px(14));
    }
}

} // namespace headlight
