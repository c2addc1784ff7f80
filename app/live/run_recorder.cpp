#include "app/live/run_recorder.h"

#include "app/live/run_files.h"

#include <utility>

namespace headlight {

namespace fs = std::filesystem;

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
    if (!before || (*before)->step() != record_.first_step || (*before)->settings.task != record_.settings.task)
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
    record_.judged.push_back({record.step, record_.seconds, record.held_out_loss, record.token_accuracy,
                              record.exact_match});
}

Result<Done> RunRecorder::write(FolderTransaction& to) const {
    std::error_code ignored;
    const bool is_in_place = !begun_in_.empty() && fs::equivalent(begun_in_, to.folder(), ignored);
    if (!is_in_place) to.remove(run_files::timeline_file); // of another run
    return write_story_of_run(to, record_);
}

} // namespace headlight
