#include "app/live/run_folder.h"
#include "engine/io/file.h"
#include "engine/io/json_reader.h"
#include "engine/io/safetensors.h"
#include "engine/task/everyday_task.h"
#include "engine/task/tasks.h"
#include "engine/text/words.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

namespace headlight {

namespace fs = std::filesystem;
using namespace run_files;
using nlohmann::json;

namespace {

constexpr Index longest_run_file = Index(256) << 20; // bytes
constexpr Index most_steps = 1'000'000'000;

// Takes what it needs out of run.json; the first thing that is missing or makes no sense is kept.
class RunReader {
public:
    RunReader(const json& root, std::string file) : root_(root), file_(std::move(file)) {}

    const std::optional<Error>& error() const { return error_; }
    bool has(const char* key) const { return find(root_, key) != nullptr; }
    void refuse(const std::string& key) {
        if (!error_) error_ = Error{"error.run_key", {file_, key}};
    }

    std::string text(const char* key, std::size_t longest) {
        const json* found = find(root_, key);
        if (found && found->is_string() && found->get_ref<const std::string&>().size() <= longest)
            return found->get<std::string>();
        refuse(key);
        return {};
    }
    Index whole(const json& object, const char* key, Index most) {
        const json* found = find(object, key);
        if (found && found->is_number_integer()) {
            const double value = found->get<double>();
            if (value >= 0 && value <= double(most)) return found->get<Index>();
        }
        refuse(key);
        return 0;
    }
    Index whole(const char* key, Index most) { return whole(root_, key, most); }
    double number(const json& value, const char* key) {
        if (value.is_number() && std::isfinite(value.get<double>())) return value.get<double>();
        refuse(key);
        return 0;
    }
    double number(const char* key) {
        const json* found = find(root_, key);
        return number(found ? *found : json(), key);
    }
    bool flag(const char* key) {
        const json* found = find(root_, key);
        if (found && found->is_boolean()) return found->get<bool>();
        refuse(key);
        return false;
    }
    // The rows of an array of arrays of this width.
    std::vector<const json*> rows(const char* key, std::size_t width) {
        std::vector<const json*> rows;
        const json* found = find(root_, key);
        if (!found || !found->is_array())
            refuse(key);
        else
            for (const json& row : *found)
                if (row.is_array() && row.size() == width)
                    rows.push_back(&row);
                else
                    refuse(key);
        return error_ ? std::vector<const json*>() : rows;
    }
    static const json* find(const json& object, const char* key) {
        if (!object.is_object()) return nullptr;
        const auto found = object.find(key);
        return found == object.end() ? nullptr : &*found;
    }

private:
    const json& root_;
    std::string file_;
    std::optional<Error> error_;
};

// The terminal trains what is larger than the window offers: then the size is the model's own, and the rest
// is in training.json.
bool is_taken(TrainingSettings& settings, const std::string& name, const std::string& value) {
    if (set_alone(settings, name, value)) return true;
    const Result<double> number = number_of(value);
    const SettingRange range = range_of(name);
    return number && range.most > range.least && *number > range.most;
}

// The number in "copy 3".
Index number_of_name(const std::string& name) {
    const std::size_t blank = name.rfind(' ');
    Index number = 0;
    if (blank != name.npos) (void)std::from_chars(name.data() + blank + 1, name.data() + name.size(), number);
    return number > 0 && number < most_steps ? number : 0;
}

void read_settings(RunReader& reader, const json& root, Run& run) {
    std::vector<std::string> tasks = task_names();
    tasks.insert(tasks.end(), memory_task_names().begin(), memory_task_names().end());
    tasks.insert(tasks.end(), everyday_task_names().begin(), everyday_task_names().end());
    run.settings = settings_for(reader.text("task", 100), reader.text("pairs", 4096));
    const bool is_task = std::find(tasks.begin(), tasks.end(), run.settings.task) != tasks.end();
    if (!is_task && run.settings.task != own_pairs) reader.refuse("task");
    if (const json* unit = RunReader::find(root, "unit")) // older files have none
        run.settings.unit = tokenizer_kind_of(unit->is_string() ? unit->get<std::string>() : "")
                                .value_or(TokenizerKind::words);
    const json* settings = RunReader::find(root, "settings");
    for (const std::string& name : setting_names()) {
        const json* value = settings ? RunReader::find(*settings, name.c_str()) : nullptr;
        const bool is_later = name == "model" || name == "distance" || name == "moments"; // than some runs
        if (!value && is_later) continue;
        if (!value || !value->is_string() || !is_taken(run.settings, name, value->get<std::string>()))
            reader.refuse("settings." + name);
    }
}

void read_story(RunReader& reader, const json& root, Run& run, RunModel& model) {
    run.name = reader.text("name", 200);
    run.number = reader.has("number") ? reader.whole("number", most_steps) : number_of_name(run.name);
    if (reader.has("colour")) run.colour = reader.whole("colour", 1000);
    run.hidden = reader.has("hidden") && reader.flag("hidden");
    run.first_step = reader.whole("first_step", most_steps);
    run.seconds = reader.number("seconds");
    if (const json* origin = RunReader::find(root, "origin")) {
        const json* name = RunReader::find(*origin, "run");
        if (!name || !name->is_string()) return reader.refuse("origin.run");
        run.origin = Run::Origin{name->get<std::string>(), reader.whole(*origin, "step", most_steps)};
    }
    model.training_pairs = reader.whole("training_pairs", std::numeric_limits<int>::max());
    model.unknown_words = reader.whole("unknown_words", std::numeric_limits<int>::max());
    model.held_out_is_training = reader.flag("held_out_is_training");
    for (const json* row : reader.rows("held_out", 2)) {
        if (!(*row)[0].is_string() || !(*row)[1].is_string()) return reader.refuse("held_out");
        model.held_out.push_back({(*row)[0].get<std::string>(), (*row)[1].get<std::string>()});
    }
    Index before = -1;
    for (const json* row : reader.rows("judged", 5)) {
        double numbers[5];
        for (std::size_t i = 0; i < 5; ++i) // JSON has no word for a loss without end
            numbers[i] = i == 2 && (*row)[i].is_null() ? std::numeric_limits<double>::infinity()
                                                       : reader.number((*row)[i], "judged");
        if (numbers[0] != std::floor(numbers[0]) || numbers[0] <= double(before)
            || numbers[0] > double(most_steps))
            return reader.refuse("judged");
        before = Index(numbers[0]);
        run.judged.push_back({before, numbers[1], numbers[2], numbers[3], numbers[4]});
    }
}

// The entry of this name, which has so many numbers, all of them finite. count < 0: as many as there are.
Result<Reals> read_numbers(const SafetensorsFile& file, const std::string& name, Index count) {
    const TensorEntry* entry = file.find(name);
    if (!entry || (count >= 0 && entry->count != count))
        return Error{"error.run_tensor", {file.name(), name}};
    Reals numbers(std::size_t(entry->count));
    if (const Result<Done> read = file.read(*entry, numbers.data()); !read) return read.error();
    if (!std::all_of(numbers.begin(), numbers.end(), [](Real x) { return std::isfinite(x); }))
        return Error{"error.run_tensor", {file.name(), name}};
    return numbers;
}

Result<Done> read_curves(const fs::path& folder, Run& run) {
    const Result<SafetensorsFile> file = SafetensorsFile::open(folder / curves_file);
    if (!file) return file.error();
    const Result<Reals> loss = read_numbers(*file, "loss", -1);
    if (!loss) return loss.error();
    const Result<Reals> norm = read_numbers(*file, "gradient_norm", Index(loss->size()));
    if (!norm) return norm.error();
    const Result<Reals> rate = read_numbers(*file, "learning_rate", Index(loss->size()));
    if (!rate) return rate.error();
    for (std::size_t i = 0; i < loss->size(); ++i)
        run.steps.push_back({float((*loss)[i]), float((*norm)[i]), float((*rate)[i])});
    return Done{};
}

// None where a run was stopped before all of it was written.
Result<std::vector<Checkpoint>> read_timeline(const fs::path& folder, Index count) {
    if (std::error_code ignored; !fs::exists(folder / timeline_file, ignored))
        return std::vector<Checkpoint>();
    const Result<SafetensorsFile> file = SafetensorsFile::open(folder / timeline_file);
    if (!file) return file.error();
    std::map<Index, Checkpoint> checkpoints;
    for (const TensorEntry& entry : file->entries()) {
        const std::size_t dot = entry.name.find('.');
        Index step = -1;
        const char* end = entry.name.data() + std::min(dot, entry.name.size());
        const auto [rest, fault] = std::from_chars(entry.name.data(), end, step);
        if (fault != std::errc() || rest != end || dot == entry.name.npos || step < 0 || step > most_steps)
            return Error{"error.run_tensor", {file->name(), entry.name}};
        const std::string part = entry.name.substr(dot + 1), name = std::to_string(step) + ".";
        if (part == "m" || part == "v") continue; // with the weights
        if (part != "weights" || checkpoints.contains(step))
            return Error{"error.run_tensor", {file->name(), entry.name}};
        Result<Reals> weights = read_numbers(*file, name + "weights", count);
        if (!weights) return weights.error();
        Checkpoint& checkpoint = checkpoints[step];
        checkpoint.step = step;
        checkpoint.weights = std::make_shared<const Reals>(*std::move(weights));
        if (!file->find(name + "m")) continue;
        Result<Reals> m = read_numbers(*file, name + "m", count), v = read_numbers(*file, name + "v", count);
        if (!m) return m.error();
        if (!v) return v.error();
        checkpoint.optimizer =
            std::make_shared<OptimizerMoments>(OptimizerMoments{*std::move(m), *std::move(v)});
    }
    std::vector<Checkpoint> in_order;
    for (auto& [step, checkpoint] : checkpoints) in_order.push_back(std::move(checkpoint));
    return in_order;
}

// The weights of the model folder, and what Adam needs to go on with them, where they are later than the last
// checkpoint of the timeline.
Result<Done> add_newest(const fs::path& folder, const TrainingState& state, Parameters& parameters,
                        Index last_step, std::vector<Checkpoint>& checkpoints) {
    const Index before = checkpoints.empty() ? -1 : checkpoints.back().step;
    if (state.step <= before || state.step > last_step) return Done{};
    Checkpoint newest;
    newest.step = state.step;
    Adam adam(parameters.count(), state.options.adam);
    const Result<bool> restored = restore_optimizer(folder, parameters, state, adam);
    if (!restored) return restored.error();
    newest.weights = std::make_shared<const Reals>(parameters.data(), parameters.data() + parameters.count());
    if (*restored)
        newest.optimizer = std::make_shared<OptimizerMoments>(OptimizerMoments{
            Reals(adam.m().begin(), adam.m().end()), Reals(adam.v().begin(), adam.v().end())});
    checkpoints.push_back(std::move(newest));
    return Done{};
}

// Files that were written at different times: what lies beyond the last checkpoint is not there any more.
Result<Done> reconcile(const fs::path& folder, Run& run, const std::vector<Checkpoint>& checkpoints) {
    if (checkpoints.empty() || checkpoints.front().step < run.first_step)
        return Error{"error.run_tensor", {(folder / timeline_file).string(), "weights"}};
    const Index last = checkpoints.back().step;
    if (run.step() < last) return Error{"error.run_tensor", {(folder / curves_file).string(), "loss"}};
    run.steps.resize(std::size_t(last - run.first_step));
    std::erase_if(run.judged, [&](const Judgement& judged) { return judged.step > last; });
    return Done{};
}

// Pinned checkpoints, and the best, are known before the timeline is thinned.
Result<Done> fill_timeline(const json& root, const std::string& file, Run& run,
                           std::vector<Checkpoint> checkpoints) {
    run.channel = std::make_shared<RunChannel>(run.first_step, run.settings.timeline_budget());
    if (const json* pinned = RunReader::find(root, "pinned")) {
        if (!pinned->is_array()) return Error{"error.run_key", {file, "pinned"}};
        for (const json& step : *pinned) {
            if (!step.is_number_integer()) return Error{"error.run_key", {file, "pinned"}};
            run.channel->pin(step.get<Index>());
        }
    }
    if (const Judgement* best = run.best()) run.channel->set_best(best->step);
    for (Checkpoint& checkpoint : checkpoints) run.channel->keep(std::move(checkpoint));
    (void)run.take_news(); // what is kept
    return Done{};
}

Result<std::unique_ptr<Run>> read_run_files(const fs::path& folder) {
    const fs::path path = folder / run_file;
    const Result<std::string> text = read_file(path, longest_run_file);
    if (!text) return text.error();
    const Result<json> root = parse_json(*text, path.string());
    if (!root) return root.error();

    auto run = std::make_unique<Run>();
    auto model = std::make_shared<RunModel>();
    RunReader reader(*root, path.string());
    if (reader.whole("format", 1000) != format) reader.refuse("format");
    read_settings(reader, *root, *run);
    read_story(reader, *root, *run, *model);
    if (reader.error()) return *reader.error();

    Result<ModelFiles> files = read_model_folder(folder);
    if (!files) return files.error();
    model->config = files->config;
    model->source = std::move(files->source);
    model->target = std::move(files->target);
    const double dropout = run->settings.sizes.dropout;
    run->settings.sizes = model->config;
    run->settings.sizes.dropout = dropout;
    run->model = model;

    if (const auto read = read_curves(folder, *run); !read) return read.error();
    Result<std::vector<Checkpoint>> checkpoints = read_timeline(folder, files->parameters.count());
    if (!checkpoints) return checkpoints.error();
    const Result<std::optional<TrainingState>> state = read_training_state(folder);
    if (!state) return state.error();
    if (*state) {
        run->settings.options = (*state)->options;
        if (const auto added = add_newest(folder, **state, files->parameters, run->step(), *checkpoints);
            !added)
            return added.error();
    }
    if (const auto agreed = reconcile(folder, *run, *checkpoints); !agreed) return agreed.error();

    run->newest = Snapshot{checkpoints->back().step, checkpoints->back().weights};
    if (const auto filled = fill_timeline(*root, path.string(), *run, *std::move(checkpoints)); !filled)
        return filled.error();
    return run;
}

} // namespace

Result<std::unique_ptr<Run>> read_run(const fs::path& folder) {
    return read_settled(folder, [&] { return read_run_files(folder); });
}

} // namespace headlight
