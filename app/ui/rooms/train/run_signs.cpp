// What goes wrong in a run, said in a sentence.
#include "app/ui/rooms/train/training_parts.h"

#include "app/live/run_findings.h"

namespace headlight {

namespace {

std::string share(double part) { return format_number(100 * part, 3) + " %"; }

std::string sentence_of(const Strings& s, const RunFinding& found, const Run& run) {
    const std::string step = format_whole(found.step), value = format_number(found.value, 3),
                      now = format_number(found.now, 3), chance = format_number(chance_loss(*run.model), 3),
                      words = format_whole(words_to_choose_from(*run.model));
    switch (found.sign) {
    case RunSign::too_fast:
        return s.text("learn.sign.too_fast", {value, chance, setting(run.settings, "learning_rate")});
    case RunSign::silent:
        return s.text("learn.sign.silent", {share(found.value)});
    case RunSign::overfitting:
        return s.text("learn.sign.overfitting", {value, step, now});
    case RunSign::memorised:
        return s.text("learn.sign.memorised", {format_whole(run.model->training_pairs)});
    case RunSign::chance:
        return s.text("learn.sign.chance", {value, words, chance});
    case RunSign::plateau:
        return s.text("learn.sign.plateau", {step, value});
    case RunSign::recedes:
        return s.text("learn.sign.recedes", {step, share(found.value), share(run.settings.goal_exact)});
    }
    return {};
}

} // namespace

const std::vector<RunFinding>& signs_of(TrainingContext& context, const Run& run) {
    TrainingMemory& memory = context.memory;
    std::pair<std::string, std::vector<double>> of{
        run.name,
        {double(run.steps.size()), double(run.judged.size()), run.settings.goal_exact, double(run.training)}};
    if (memory.of_signs != of) {
        memory.of_signs = std::move(of);
        memory.signs = run.model ? find_signs(metrics_of(run)) : std::vector<RunFinding>();
    }
    return memory.signs;
}

std::string told_signs(TrainingContext& context, const Run& run) {
    const std::vector<RunFinding>& found = signs_of(context, run);
    return found.empty() ? std::string() : sentence_of(context.strings(), found.front(), run);
}

} // namespace headlight
