#include "engine/train/training_state.h"

#include "engine/io/json_reader.h"
#include "engine/io/safetensors.h"
#include "engine/task/plain_text.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr const char* state_file = "training.json";
constexpr const char* optimizer_file = "optimizer.safetensors";
constexpr Index longest_file = 1 << 20; // bytes

// Of the weights as they are read again.
std::string fingerprint(const Parameters& parameters, StoredAs stored) {
    std::vector<Real> rounded;
    if (stored == StoredAs::f16)
        for (Index i = 0; i < parameters.count(); ++i)
            rounded.push_back(Real(from_f16(to_f16(float(parameters.data()[i])))));
    const Real* weights = stored == StoredAs::f16 ? rounded.data() : parameters.data();
    return std::to_string(stable_hash(
        {reinterpret_cast<const char*>(weights), std::size_t(parameters.count()) * sizeof(Real)}));
}

std::vector<TensorToWrite> moments(const Parameters& parameters, const Adam& adam, StoredAs stored) {
    std::vector<TensorToWrite> tensors;
    for (const Parameter& p : parameters.list()) {
        const std::vector<Index> shape =
            p.is_vector ? std::vector<Index>{p.columns} : std::vector<Index>{p.rows, p.columns};
        if (stored == StoredAs::f16) tensors.push_back({"exact." + p.name, shape, parameters.values(p)});
        if (!p.is_learned) continue;
        tensors.push_back({"m." + p.name, shape, adam.m().data() + p.offset});
        tensors.push_back({"v." + p.name, shape, adam.v().data() + p.offset});
    }
    return tensors;
}

Result<Done> read_numbers(const SafetensorsFile& file, const Parameters& parameters,
                          const std::string& prefix, bool also_kept, std::vector<Real>& into) {
    into.assign(std::size_t(parameters.count()), Real(0));
    for (const Parameter& p : parameters.list()) {
        if (!p.is_learned && !also_kept) continue;
        const TensorEntry* entry = file.find(prefix + p.name);
        if (entry == nullptr || entry->count != p.size())
            return Error{"error.optimizer_foreign", {file.name(), prefix + p.name}};
        Real* values = into.data() + p.offset;
        if (const Result<Done> read = file.read(*entry, values); !read) return read.error();
        if (!std::all_of(values, values + p.size(), [](Real x) { return std::isfinite(x); }))
            return Error{"error.optimizer_foreign", {file.name(), prefix + p.name}};
    }
    return Done{};
}

// Reads one key after another; the first that is missing or makes no sense is kept.
struct StateReader {
    const nlohmann::json& object;
    const std::string& file;
    std::optional<Error> error = {};

    template <class T>
    void get(const char* key, T& to, double least, double most) {
        if (error) return;
        const auto found = object.find(key);
        const bool is_right =
            found != object.end()
            && (std::is_floating_point_v<T> ? found->is_number() : found->is_number_integer())
            && found->template get<double>() >= least && found->template get<double>() <= most;
        if (is_right)
            to = found->template get<T>();
        else
            refuse(key, found);
    }
    void get(const char* key, std::string& to) {
        if (error) return;
        const auto found = object.find(key);
        if (found != object.end() && found->is_string())
            to = found->get<std::string>();
        else
            refuse(key, found);
    }
    void get(const char* key, bool& to) {
        if (error) return;
        const auto found = object.find(key);
        if (found != object.end() && found->is_boolean())
            to = found->get<bool>();
        else
            refuse(key, found);
    }
    void refuse(const char* key, nlohmann::json::const_iterator found) {
        error = Error{"error.training_state",
                      {file, key, found == object.end() ? std::string("—") : quoted(*found)}};
    }
};

} // namespace

Result<Done> write_training_state(FolderTransaction& to, const TrainingState& state,
                                  const Parameters& parameters, const Adam& adam) {
    const auto write_moments = [&](OutputFile& file) {
        return write_safetensors(
            file, moments(parameters, adam, state.stored),
            {{"step", std::to_string(adam.step())}, {"weights", fingerprint(parameters, state.stored)}});
    };
    if (const Result<Done> written = to.write(optimizer_file, write_moments); !written) return written;
    const TrainingOptions& options = state.options;
    const JsonTree root = {
        {"task", state.task},
        {"pairs", state.pairs},
        {"unit", name_of(state.unit)},
        {"vocabulary", state.vocabulary},
        {"distance", state.distance},
        {"reversed", state.reversed},
        {"store", name_of(state.stored)},
        {"step", state.step},
        {"planned", state.planned},
        {"seed", options.seed},
        {"threads", options.threads},
        {"batch_size", options.batch_size},
        {"learning_rate", options.schedule.peak},
        {"warmup", options.schedule.warmup},
        {"constant_rate", options.schedule.constant},
        {"linear_until", options.schedule.last},
        {"beta1", options.adam.beta1},
        {"beta2", options.adam.beta2},
        {"epsilon", options.adam.epsilon},
        {"label_smoothing", options.label_smoothing},
        {"clip_norm", options.clip_norm},
    };
    return to.write(state_file, root.text(2) + "\n");
}

Result<std::optional<TrainingState>> read_training_state(const fs::path& folder) {
    const fs::path path = folder / state_file;
    if (std::error_code ignored; !fs::exists(path, ignored)) return std::optional<TrainingState>();
    const Result<std::string> text = read_file(path, longest_file);
    if (!text) return text.error();
    const std::string file = path.string();
    const Result<nlohmann::json> root = parse_json(*text, file);
    if (!root) return root.error();
    if (!root->is_object()) return Error{"error.training_state", {file, "{ }", quoted(*root)}};

    TrainingState state;
    TrainingOptions& options = state.options;
    StateReader reader{*root, file};
    reader.get("task", state.task);
    reader.get("pairs", state.pairs);
    std::string unit = "words"; // also of folders that were written before there was another
    if (root->contains("unit")) reader.get("unit", unit);
    if (const auto kind = tokenizer_kind_of(unit))
        state.unit = *kind;
    else
        reader.refuse("unit", root->find("unit"));
    if (root->contains("reversed")) reader.get("reversed", state.reversed);
    std::string stored = "f32";
    if (root->contains("store")) reader.get("store", stored);
    if (stored == name_of(StoredAs::f16))
        state.stored = StoredAs::f16;
    else if (stored != name_of(StoredAs::f32))
        reader.refuse("store", root->find("store"));
    if (root->contains("vocabulary")) reader.get("vocabulary", state.vocabulary, 0, 1e9);
    if (root->contains("distance")) reader.get("distance", state.distance, 0, longest_distance);
    reader.get("step", state.step, 0, 1e15);
    reader.get("planned", state.planned, 0, 1e15);
    reader.get("seed", options.seed, 0, 18446744073709551615.0);
    reader.get("threads", options.threads, 1, 1024);
    reader.get("batch_size", options.batch_size, 1, 65'536); // as the command line has it
    reader.get("learning_rate", options.schedule.peak, 0, 1e30);
    reader.get("warmup", options.schedule.warmup, 0, 1e15);
    reader.get("constant_rate", options.schedule.constant);
    if (root->contains("linear_until")) reader.get("linear_until", options.schedule.last, 0, 1e15);
    reader.get("beta1", options.adam.beta1, 0, 1);
    reader.get("beta2", options.adam.beta2, 0, 1);
    reader.get("epsilon", options.adam.epsilon, 0, 1);
    reader.get("label_smoothing", options.label_smoothing, 0, 1);
    reader.get("clip_norm", options.clip_norm, 0, 1e15);
    if (reader.error) return *reader.error;
    return std::optional(state);
}

Result<std::unique_ptr<Task>> make_task_of(const TrainingState& state, const std::string& assets) {
    return state.pairs.empty() && state.task != own_pairs
               ? make_task(state.task, assets, state.distance, state.vocabulary)
               : make_own_task(state.task, state.pairs, state.unit, state.vocabulary, state.reversed);
}

Result<bool> restore_optimizer(const fs::path& folder, Parameters& parameters, const TrainingState& state,
                               Adam& adam) {
    const fs::path path = folder / optimizer_file;
    if (std::error_code ignored; !fs::exists(path, ignored)) return false;
    const Result<SafetensorsFile> file = SafetensorsFile::open(path);
    if (!file) return file.error();
    const auto says = [&](const char* key, const std::string& text) {
        const auto found = file->metadata().find(key);
        return found != file->metadata().end() && found->second == text;
    };
    if (!says("weights", fingerprint(parameters, StoredAs::f32)) || !says("step", std::to_string(state.step)))
        return false;
    std::vector<Real> exact, m, v;
    const bool is_rounded = file->find("exact." + parameters.list().front().name) != nullptr;
    if (is_rounded)
        if (const Result<Done> read = read_numbers(*file, parameters, "exact.", true, exact); !read)
            return read.error();
    if (const Result<Done> read = read_numbers(*file, parameters, "m.", false, m); !read) return read.error();
    if (const Result<Done> read = read_numbers(*file, parameters, "v.", false, v); !read) return read.error();
    if (is_rounded) std::copy(exact.begin(), exact.end(), parameters.data());
    adam.restore(state.step, std::move(m), std::move(v));
    return true;
}

} // namespace headlight
