#include "app/live/run_folder.h"
#include "engine/io/file.h"
#include "engine/io/json_reader.h"
#include "engine/io/safetensors.h"
#include "engine/model/transformer.h"

#include <algorithm>
#include <utility>

namespace headlight {

namespace fs = std::filesystem;
using namespace run_files;

namespace {

JsonTree json_of(const RunRecord& run) {
    JsonTree root{{"format", format}, {"name", run.name}, {"task", run.settings.task}};
    if (run.number > 0) root["number"] = run.number; // a training of the terminal has none yet
    if (run.colour >= 0) root["colour"] = run.colour;
    root["hidden"] = run.hidden;
    root["pinned"] = JsonTree::list();
    for (const Index step : run.pinned) root["pinned"].push_back(step);
    root["pairs"] = run.settings.pairs.string();
    root["unit"] = name_of(run.settings.unit);
    for (const std::string& name : setting_names()) root["settings"][name] = setting(run.settings, name);
    root["first_step"] = run.first_step;
    root["step"] = run.first_step + Index(run.steps.size());
    root["seconds"] = run.seconds;
    if (run.origin) root["origin"] = {{"run", run.origin->run}, {"step", run.origin->step}};
    root["training_pairs"] = run.model->training_pairs;
    root["unknown_words"] = run.model->unknown_words;
    root["held_out_is_training"] = run.model->held_out_is_training;
    root["held_out"] = JsonTree::list();
    for (const SentencePair& pair : run.model->held_out)
        root["held_out"].push_back(JsonTree::list({pair.source, pair.target}));
    root["judged"] = JsonTree::list(); // step, seconds, loss, token accuracy, exact match
    for (const Judgement& judged : run.judged)
        root["judged"].push_back(JsonTree::list(
            {judged.step, judged.seconds, judged.loss, judged.token_accuracy, judged.exact_match}));
    return root;
}

Result<Done> write_curves(FolderTransaction& to, const RunRecord& run) {
    const Index count = Index(run.steps.size());
    Reals loss, norm, rate;
    for (const StepPoint& point : run.steps) {
        loss.push_back(Real(point.loss));
        norm.push_back(Real(point.gradient_norm));
        rate.push_back(Real(point.learning_rate));
    }
    return to.write(curves_file, [&](OutputFile& file) {
        return write_safetensors(file, {{"loss", {count}, loss.data()},
                                        {"gradient_norm", {count}, norm.data()},
                                        {"learning_rate", {count}, rate.data()}});
    });
}

Result<Done> write_timeline(FolderTransaction& to, const std::vector<Checkpoint>& checkpoints) {
    std::vector<TensorToWrite> tensors;
    for (const Checkpoint& checkpoint : checkpoints) {
        const std::string step = std::to_string(checkpoint.step);
        const Index count = Index(checkpoint.weights->size());
        tensors.push_back({step + ".weights", {count}, checkpoint.weights->data()});
        if (!checkpoint.optimizer) continue;
        tensors.push_back({step + ".m", {count}, checkpoint.optimizer->m.data()});
        tensors.push_back({step + ".v", {count}, checkpoint.optimizer->v.data()});
    }
    return to.write(timeline_file, [&](OutputFile& file) { return write_safetensors(file, tensors); });
}

// The model folder, and what `headlight train --from` needs to go on with it.
Result<Done> write_newest(FolderTransaction& to, const RunRecord& run, const Checkpoint& newest) {
    const RunModel& model = *run.model;
    Parameters parameters = declare_parameters(model.config);
    std::copy(newest.weights->begin(), newest.weights->end(), parameters.data());
    if (const auto written = write_model(to, model.config, parameters, model.source, model.target); !written)
        return written;
    TrainingState state = state_of(run.settings);
    state.step = newest.step;
    state.planned = std::max(run.settings.goal_steps, newest.step);
    Adam adam(parameters.count(), state.options.adam);
    if (newest.optimizer) adam.restore(newest.step, newest.optimizer->m, newest.optimizer->v);
    return write_training_state(to, state, parameters, adam);
}

// A folder that may be written into: none yet, an empty one, or a run's.
bool is_free(const fs::path& folder) {
    std::error_code ignored;
    return !fs::exists(folder, ignored) || fs::exists(folder / run_file, ignored)
           || (fs::is_directory(folder, ignored) && is_empty_but_for_leftovers(folder));
}

} // namespace

std::optional<RunRecord> record_of(const Run& run, const std::optional<Checkpoint>& at) {
    if (!run.model) return std::nullopt;
    RunRecord record{run.name,
                     run.number,
                     run.colour,
                     run.hidden,
                     run.settings,
                     run.origin,
                     run.first_step,
                     run.model,
                     run.steps,
                     run.judged,
                     run.seconds,
                     run.channel->checkpoints(),
                     {}};
    for (const KeptCheckpoint& kept : run.kept)
        if (kept.pinned) record.pinned.push_back(kept.step);
    const Index last = at ? at->step - 1 : run.step(); // what is later the window has not heard of yet
    std::erase_if(record.checkpoints, [&](const Checkpoint& checkpoint) { return checkpoint.step > last; });
    if (at) record.checkpoints.push_back(*at);
    if (record.checkpoints.empty()) return std::nullopt;
    return record;
}

Result<Done> write_newest_of_run(FolderTransaction& to, const RunRecord& record) {
    if (const auto written = write_newest(to, record, record.checkpoints.back()); !written) return written;
    return write_story_of_run(to, record);
}

Result<Done> write_story_of_run(FolderTransaction& to, const RunRecord& record) {
    if (const auto written = write_curves(to, record); !written) return written;
    return to.write(run_file, json_of(record).text(1) + "\n");
}

Result<Done> write_run(FolderTransaction& to, const RunRecord& record) {
    if (const auto written = write_timeline(to, record.checkpoints); !written) return written;
    return write_newest_of_run(to, record);
}

Result<Done> write_run(const fs::path& folder, const RunRecord& record) {
    if (const auto finished = finish_interrupted_commit(folder); !finished) return finished;
    if (!is_free(folder)) return Error{"error.run_folder_taken", {folder.string()}};
    Result<FolderTransaction> to = FolderTransaction::begin(folder);
    if (!to) return to.error();
    if (const auto written = write_run(*to, record); !written) return written;
    return to->commit();
}

RunRecorder::RunRecorder(const TrainingRun& run, const TrainingState& state, const RunLimits& limits,
                         std::string name) {
    record_.name = std::move(name);
    record_.first_step = run.steps();
    record_.model = run_model_of(run);
    TrainingSettings& settings = record_.settings;
    settings.task = state.task;
    settings.pairs = state.pairs;
    settings.unit = state.unit;
    settings.distance = state.distance;
    settings.sizes = run.model().config;
    if (settings.sizes.is_recurrent()) settings.model = settings.sizes.architecture;
    settings.options = state.options;
    settings.goal_exact = limits.until_exact;
    settings.goal_steps = limits.last_step;
}

void RunRecorder::begin_with(const fs::path& folder) {
    if (std::error_code ignored; !fs::exists(folder / run_files::run_file, ignored)) return;
    Result<std::unique_ptr<Run>> before = read_run(folder); // one that is damaged has no curves to go on with
    if (!before || (*before)->step() != record_.first_step
        || (*before)->settings.task != record_.settings.task)
        return;
    record_.first_step = (*before)->first_step;
    record_.origin = (*before)->origin;
    record_.steps = std::move((*before)->steps);
    record_.judged = std::move((*before)->judged);
    record_.seconds = seconds_before_ = (*before)->seconds;
    begun_in_ = folder;
}

void RunRecorder::add(const StepResult& step) { record_.steps.push_back(point_of(step)); }

void RunRecorder::add(const TrainingRecord& record) {
    record_.seconds = seconds_before_ + record.seconds;
    record_.judged.push_back(
        {record.step, record_.seconds, record.held_out_loss, record.token_accuracy, record.exact_match});
}

Result<Done> RunRecorder::write(FolderTransaction& to) const {
    std::error_code ignored;
    const bool is_in_place = !begun_in_.empty() && fs::equivalent(begun_in_, to.folder(), ignored);
    if (!is_in_place) to.remove(run_files::timeline_file); // of another run
    return write_story_of_run(to, record_);
}

} // namespace headlight
