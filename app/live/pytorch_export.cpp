#include "app/live/pytorch_export.h"

#include "app/live/run_folder.h"
#include "engine/io/file.h"
#include "engine/io/json_reader.h"
#include "engine/io/model_folder.h"
#include "engine/train/evaluate.h"
#include "engine/train/recipes.h"

#include <algorithm>

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr const char* programs[] = {"model.py", "train.py", "data.py", "folders.py"};
constexpr Index longest_program = 1 << 20; // bytes
constexpr std::size_t held_out_shown = 64; // as a run of the window has them

// What the model was trained on; nothing where nobody knows.
struct Known {
    TrainingState state;
    std::unique_ptr<Task> task;
};

Result<Known> what_is_known(const PytorchExport& request) {
    Known known;
    const Result<std::optional<TrainingState>> state = read_training_state(request.model);
    if (!state) return state.error();
    if (!*state) {
        known.state.task = own_pairs;
        known.state.options = recipe_for(own_pairs).training;
        return known;
    }
    known.state = **state;
    Result<std::unique_ptr<Task>> task = make_task_of(known.state, request.assets.string());
    if (!task) return task.error();
    known.task = *std::move(task);
    return known;
}

std::vector<SentencePair> training_pairs(const Task& task, const TrainingState& state) {
    if (!state.pairs.empty()) return task.all_training(); // a person's own file, each pair once
    Random random({state.options.seed, 0});
    std::vector<SentencePair> pairs;
    for (Index i = 0; i < drawn_for_pytorch; ++i) pairs.push_back(task.sample(random));
    return pairs;
}

// A pair a line; those that the model cannot take would be refused by train.py too.
std::string lines_of(const std::vector<SentencePair>& pairs) {
    std::string lines;
    for (const SentencePair& pair : pairs) lines += JsonTree::list({pair.source, pair.target}).text() + "\n";
    return lines;
}

Result<Done> first_unfit(const Task& task, const ModelFiles& model) {
    for (const SentencePair& pair : task.held_out())
        if (const auto encoded =
                encode_pair(pair, {model.source, model.target}, model.config, task.target_ends());
            !encoded)
            return encoded.error();
    return Done{};
}

Result<Done> write_data(const fs::path& folder, const Task* task, const TrainingState& state) {
    Result<FolderTransaction> to = FolderTransaction::begin(folder);
    if (!to) return to.error();
    const JsonTree facts{{"task", state.task},
                         {"target_ends", !task || task->target_ends()},
                         {"beginning_counts", !task || task->prefix_counts()}};
    if (const auto written = to->write("task.json", facts.text(1) + "\n"); !written) return written;
    if (task) {
        const std::string training = lines_of(training_pairs(*task, state)),
                          held_out = lines_of(task->held_out());
        if (const auto written = to->write("training.jsonl", training); !written) return written;
        if (const auto written = to->write("held_out.jsonl", held_out); !written) return written;
    }
    return to->commit();
}

RunRecord run_at_its_start(const ModelFiles& files, const Known& known) {
    RunRecord run;
    run.name = known.state.task + " in PyTorch";
    run.settings = settings_for(known.state.task, known.state.pairs);
    run.settings.unit = known.state.unit;
    run.settings.distance = known.state.distance;
    run.settings.options = known.state.options;
    run.settings.sizes = files.config;
    run.settings.goal_steps = recipe_for(known.state.task).steps;

    auto model = std::make_shared<RunModel>();
    model->config = files.config;
    model->source = files.source;
    model->target = files.target;
    if (known.task) {
        const std::vector<SentencePair>& held_out = known.task->held_out();
        model->held_out.assign(held_out.begin(),
                               held_out.begin() + std::ptrdiff_t(std::min(held_out.size(), held_out_shown)));
        model->training_pairs = known.task->is_finite() ? Index(known.task->all_training().size()) : 0;
        model->held_out_is_training = known.task->held_out_is_training();
    }
    run.model = std::move(model);
    Checkpoint first;
    const Parameters& weights = files.parameters;
    first.weights = std::make_shared<Reals>(weights.data(), weights.data() + weights.count());
    run.checkpoints.push_back(std::move(first));
    return run;
}

Result<Done> write_programs(const PytorchExport& request, const fs::path& out) {
    const fs::path from = request.assets / "pytorch";
    Result<FolderTransaction> to = FolderTransaction::begin(out);
    if (!to) return to.error();
    const auto copy = [&](const std::string& name, const fs::path& file) -> Result<Done> {
        const Result<std::string> text = read_file(file, longest_program);
        return text ? to->write(name, *text) : text.error();
    };
    for (const char* program : programs)
        if (const auto copied = copy(program, from / program); !copied) return copied;
    if (const auto copied = copy("README.md", from / ("README." + request.language + ".md")); !copied)
        return copied;
    return to->commit();
}

Result<Done> write_all(const PytorchExport& request, const fs::path& out, const ModelFiles& files,
                       const Known& known) {
    if (const auto written = write_programs(request, out); !written) return written;
    if (const auto written = write_run(out / "model", run_at_its_start(files, known)); !written)
        return written;
    std::error_code ignored; // moments of zeros, of a training that is yet to begin
    fs::remove(out / "model" / "optimizer.safetensors", ignored);
    return write_data(out / "data", known.task.get(), known.state);
}

bool is_taken(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder, ignored)
           && !(fs::is_directory(folder, ignored) && is_empty_but_for_leftovers(folder));
}

} // namespace

Result<Done> export_for_pytorch(const PytorchExport& request) {
    const Result<ModelFiles> files = read_model_folder(request.model);
    if (!files) return files.error();
    if (files->family || files->config.is_recurrent())
        return Error{"error.pytorch_transformers_only", {request.model.string()}};
    const Result<Known> known = what_is_known(request);
    if (!known) return known.error();
    if (known->task)
        if (const auto fits = first_unfit(*known->task, *files); !fits) return fits;
    if (is_taken(request.out)) return Error{"error.pytorch_folder_taken", {request.out.string()}};

    // All of it beside its place, and then there: whatever fails, nothing of it is.
    const fs::path out = (fs::absolute(request.out) / "").parent_path();
    std::error_code cause;
    fs::create_directories(out.parent_path(), cause); // what is wrong with it the first file says
    const fs::path staged = unfinished_name(out);
    Result<Done> written = write_all(request, staged, *files, *known);
    std::error_code ignored;
    if (written) {
        fs::remove(out, ignored); // an empty one
        fs::rename(staged, out, cause);
        if (cause) written = file_error(out.string(), cause.value(), "error.file_unwritable");
    }
    fs::remove_all(staged, ignored);
    return written;
}

} // namespace headlight
