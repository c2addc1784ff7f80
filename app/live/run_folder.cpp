#include "app/live/run_folder.h"

#include "engine/io/file.h"
#include "engine/io/json_text.h"
#include "engine/io/json_tree.h"
#include "engine/io/safetensors.h"
#include "engine/model/transformer_parameters.h"
#include "engine/task/recall.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

namespace headlight {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char *run_file = "run.json", *curves_file = "curves.safetensors",
                     *timeline_file = "timeline.safetensors";
constexpr Index longest_run_file = Index(256) << 20; // bytes
constexpr int format = 1;
constexpr Index most_steps = 1'000'000'000;

// --- writing
// ----------------------------------------------------------------------------------------------

JsonTree json_of(const RunRecord& run) {
    JsonTree root{{"format", format}, {"name", run.name}, {"task", run.settings.task}};
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
    Numbers loss, norm, rate;
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

Result<Done> write_timeline(FolderTransaction& to, const std::vector<Moment>& moments) {
    std::vector<TensorToWrite> tensors;
    for (const Moment& moment : moments) {
        const std::string step = std::to_string(moment.step);
        const Index count = Index(moment.weights->size());
        tensors.push_back({step + ".weights", {count}, moment.weights->data()});
        if (!moment.optimizer) continue;
        tensors.push_back({step + ".m", {count}, moment.optimizer->m.data()});
        tensors.push_back({step + ".v", {count}, moment.optimizer->v.data()});
    }
    return to.write(timeline_file, [&](OutputFile& file) { return write_safetensors(file, tensors); });
}

// The model folder, and what `headlight train --from` needs to go on with it.
Result<Done> write_newest(FolderTransaction& to, const RunRecord& run, const Moment& newest) {
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

// --- reading
// ----------------------------------------------------------------------------------------------

// Takes what it needs out of run.json; the first thing that is missing or makes no sense is kept.
class RunReader {
public:
    RunReader(const json& root, std::string file) : root_(root), file_(std::move(file)) {}

    const std::optional<Error>& error() const { return error_; }
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

void read_settings(RunReader& reader, const json& root, Run& run) {
    std::vector<std::string> tasks = task_names();
    tasks.insert(tasks.end(), memory_task_names().begin(), memory_task_names().end());
    run.settings = settings_for(reader.text("task", 100), reader.text("pairs", 4096));
    const bool is_task = std::find(tasks.begin(), tasks.end(), run.settings.task) != tasks.end();
    if (!is_task && run.settings.task != own_pairs) reader.refuse("task");
    if (const json* unit = RunReader::find(root, "unit")) // older files have none
        run.settings.unit = tokenizer_kind_of(unit->is_string() ? unit->get<std::string>() : "")
                                .value_or(TokenizerKind::words);
    const json* settings = RunReader::find(root, "settings");
    for (const std::string& name : setting_names()) {
        const json* value = settings ? RunReader::find(*settings, name.c_str()) : nullptr;
        const bool is_later = name == "model" || name == "distance"; // than runs that had none
        if (!value && is_later) continue;
        if (!value || !value->is_string() || !set_alone(run.settings, name, value->get<std::string>()))
            reader.refuse("settings." + name);
    }
}

void read_story(RunReader& reader, const json& root, Run& run, RunModel& model) {
    run.name = reader.text("name", 200);
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
Result<Numbers> read_numbers(const SafetensorsFile& file, const std::string& name, Index count) {
    const TensorEntry* entry = file.find(name);
    if (!entry || (count >= 0 && entry->count != count))
        return Error{"error.run_tensor", {file.name(), name}};
    Numbers numbers(std::size_t(entry->count));
    if (const Result<Done> read = file.read(*entry, numbers.data()); !read) return read.error();
    if (!std::all_of(numbers.begin(), numbers.end(), [](Real x) { return std::isfinite(x); }))
        return Error{"error.run_tensor", {file.name(), name}};
    return numbers;
}

Result<Done> read_curves(const fs::path& folder, Run& run) {
    const Result<SafetensorsFile> file = SafetensorsFile::open(folder / curves_file);
    if (!file) return file.error();
    const Result<Numbers> loss = read_numbers(*file, "loss", -1);
    if (!loss) return loss.error();
    const Result<Numbers> norm = read_numbers(*file, "gradient_norm", Index(loss->size()));
    if (!norm) return norm.error();
    const Result<Numbers> rate = read_numbers(*file, "learning_rate", Index(loss->size()));
    if (!rate) return rate.error();
    for (std::size_t i = 0; i < loss->size(); ++i)
        run.steps.push_back({float((*loss)[i]), float((*norm)[i]), float((*rate)[i])});
    return Done{};
}

// None where a run was stopped before all of it was written.
Result<std::vector<Moment>> read_timeline(const fs::path& folder, Index count) {
    if (std::error_code ignored; !fs::exists(folder / timeline_file, ignored)) return std::vector<Moment>();
    const Result<SafetensorsFile> file = SafetensorsFile::open(folder / timeline_file);
    if (!file) return file.error();
    std::map<Index, Moment> moments;
    for (const TensorEntry& entry : file->entries()) {
        const std::size_t dot = entry.name.find('.');
        Index step = -1;
        const char* end = entry.name.data() + std::min(dot, entry.name.size());
        const auto [rest, fault] = std::from_chars(entry.name.data(), end, step);
        if (fault != std::errc() || rest != end || dot == entry.name.npos || step < 0 || step > most_steps)
            return Error{"error.run_tensor", {file->name(), entry.name}};
        const std::string part = entry.name.substr(dot + 1), name = std::to_string(step) + ".";
        if (part == "m" || part == "v") continue; // with the weights
        if (part != "weights" || moments.contains(step))
            return Error{"error.run_tensor", {file->name(), entry.name}};
        Result<Numbers> weights = read_numbers(*file, name + "weights", count);
        if (!weights) return weights.error();
        Moment& moment = moments[step];
        moment.step = step;
        moment.weights = std::make_shared<const Numbers>(*std::move(weights));
        if (!file->find(name + "m")) continue;
        Result<Numbers> m = read_numbers(*file, name + "m", count),
                        v = read_numbers(*file, name + "v", count);
        if (!m) return m.error();
        if (!v) return v.error();
        moment.optimizer = std::make_shared<OptimizerMoments>(OptimizerMoments{*std::move(m), *std::move(v)});
    }
    std::vector<Moment> in_order;
    for (auto& [step, moment] : moments) in_order.push_back(std::move(moment));
    return in_order;
}

// The weights of the model folder, and what Adam needs to go on with them, where they are later than the last
// moment of the timeline.
Result<Done> add_newest(const fs::path& folder, const Parameters& parameters, Index last_step,
                        std::vector<Moment>& moments) {
    const Result<std::optional<TrainingState>> state = read_training_state(folder);
    if (!state) return state.error();
    const Index before = moments.empty() ? -1 : moments.back().step;
    if (!*state || (*state)->step <= before || (*state)->step > last_step) return Done{};
    Moment newest;
    newest.step = (*state)->step;
    newest.weights =
        std::make_shared<const Numbers>(parameters.data(), parameters.data() + parameters.count());
    Adam adam(parameters.count(), (*state)->options.adam);
    const Result<bool> restored = restore_optimizer(folder, parameters, **state, adam);
    if (!restored) return restored.error();
    if (*restored)
        newest.optimizer = std::make_shared<OptimizerMoments>(OptimizerMoments{
            Numbers(adam.m().begin(), adam.m().end()), Numbers(adam.v().begin(), adam.v().end())});
    moments.push_back(std::move(newest));
    return Done{};
}

// Files that were written at different times: what lies beyond the last moment is not there any more.
Result<Done> reconcile(const fs::path& folder, Run& run, const std::vector<Moment>& moments) {
    if (moments.empty() || moments.front().step < run.first_step)
        return Error{"error.run_tensor", {(folder / timeline_file).string(), "weights"}};
    const Index last = moments.back().step;
    if (run.step() < last) return Error{"error.run_tensor", {(folder / curves_file).string(), "loss"}};
    run.steps.resize(std::size_t(last - run.first_step));
    std::erase_if(run.judged, [&](const Judgement& judged) { return judged.step > last; });
    return Done{};
}

Result<std::unique_ptr<Run>> read_run_files(const fs::path& folder, Index timeline_budget) {
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
    Result<std::vector<Moment>> moments = read_timeline(folder, files->parameters.count());
    if (!moments) return moments.error();
    if (const auto added = add_newest(folder, files->parameters, run->step(), *moments); !added)
        return added.error();
    if (const auto agreed = reconcile(folder, *run, *moments); !agreed) return agreed.error();

    run->newest = Snapshot{moments->back().step, moments->back().weights};
    run->channel = std::make_shared<RunChannel>(run->first_step, timeline_budget);
    for (Moment& moment : *moments) run->channel->keep(std::move(moment));
    (void)run->take_news(); // what is kept
    return run;
}

} // namespace

std::optional<RunRecord> record_of(const Run& run, const std::optional<Moment>& at) {
    if (!run.model) return std::nullopt;
    RunRecord record{run.name,  run.settings, run.origin,  run.first_step,        run.model,
                     run.steps, run.judged,   run.seconds, run.channel->moments()};
    const Index last = at ? at->step - 1 : run.step(); // what is later the window has not heard of yet
    std::erase_if(record.moments, [&](const Moment& moment) { return moment.step > last; });
    if (at) record.moments.push_back(*at);
    if (record.moments.empty()) return std::nullopt;
    return record;
}

Result<Done> write_newest_of_run(FolderTransaction& to, const RunRecord& record) {
    if (const auto written = write_newest(to, record, record.moments.back()); !written) return written;
    if (const auto written = write_curves(to, record); !written) return written;
    return to.write(run_file, json_of(record).text(1) + "\n");
}

Result<Done> write_run(FolderTransaction& to, const RunRecord& record) {
    if (const auto written = write_timeline(to, record.moments); !written) return written;
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

Result<std::unique_ptr<Run>> read_run(const fs::path& folder, Index timeline_budget) {
    return read_settled(folder, [&] { return read_run_files(folder, timeline_budget); });
}

} // namespace headlight
