#include "engine/io/weight_files.h"

#include "engine/io/json_reader.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace headlight {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char *single_file = "model.safetensors", *index_file = "model.safetensors.index.json";
constexpr Index longest_index = 64'000'000; // bytes

bool lies_there(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

// What a folder without weights that can be read holds instead.
Error no_weights(const fs::path& folder) {
    std::error_code ignored;
    std::set<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
        names.insert(entry.path().filename().string());
    for (const std::string& name : names)
        if (name.starts_with("pytorch_model") && name.ends_with(".bin"))
            return {"error.weights_pickle", {(folder / name).string(), name}};
    for (const std::string& name : names)
        for (const char* ending :
             {".h5", ".msgpack", ".onnx", ".gguf", ".ggml", ".pth", ".pt", ".bin", ".ckpt.index"})
            if (name.ends_with(ending))
                return {"error.weights_other_format", {(folder / name).string(), single_file}};
    return {"error.weights_no_file", {folder.string(), single_file}};
}

std::vector<Index> shape_in_memory(const Parameter& p) {
    return p.is_vector ? std::vector<Index>{p.columns} : std::vector<Index>{p.rows, p.columns};
}

bool lies_transposed(const Parameter& p, const FileLayout& layout) {
    return std::any_of(layout.transposed.begin(), layout.transposed.end(),
                       [&](const std::string& ending) { return p.name.ends_with(ending); });
}

std::vector<Index> shape_in_file(const Parameter& p, const FileLayout& layout) {
    std::vector<Index> shape = shape_in_memory(p);
    if (lies_transposed(p, layout)) std::swap(shape.front(), shape.back());
    return shape;
}

// Reads a matrix that lies as [columns × rows] of memory, some rows of the file at a time.
Result<Done> read_transposed(const SafetensorsFile& file, const TensorEntry& entry, const Parameter& p,
                             Real* to) {
    constexpr Index at_once = 32;
    std::vector<Real> rows(std::size_t(std::min(at_once, p.columns) * p.rows));
    for (Index first = 0; first < p.columns; first += at_once) {
        const Index count = std::min(at_once, p.columns - first);
        if (const Result<Done> read = file.read(entry, first * p.rows, count * p.rows, rows.data()); !read)
            return read;
        for (Index r = 0; r < p.rows; ++r)
            for (Index c = 0; c < count; ++c)
                to[r * p.columns + first + c] = rows[std::size_t(c * p.rows + r)];
    }
    return Done{};
}

// The place of the first number that differs, compared a stretch at a time; −1: none does.
Result<Index> first_difference(const SafetensorsFile& file, const TensorEntry& entry, const Real* expected) {
    std::vector<Real> stretch(std::size_t(std::min<Index>(entry.count, 1 << 16)));
    for (Index first = 0; first < entry.count; first += Index(stretch.size())) {
        const Index count = std::min(Index(stretch.size()), entry.count - first);
        if (const Result<Done> read = file.read(entry, first, count, stretch.data()); !read)
            return read.error();
        for (Index i = 0; i < count; ++i)
            if (stretch[std::size_t(i)] != expected[first + i]) return first + i;
    }
    return Index(-1);
}

// "h.12.attn.c_attn.weight" → "h.#.attn.c_attn.weight": what it would be called in any layer.
std::string in_any_layer(const std::string& name) {
    for (std::size_t i = 0; i + 1 < name.size(); ++i) {
        if (name[i] != '.' || !std::isdigit(static_cast<unsigned char>(name[i + 1]))) continue;
        std::size_t end = i + 1;
        while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end]))) ++end;
        return name.substr(0, i + 1) + "#" + name.substr(end);
    }
    return name;
}

} // namespace

Result<Done> WeightFiles::add(const fs::path& path) {
    Result<SafetensorsFile> file = SafetensorsFile::open(path);
    if (!file) return file.error();
    files_.push_back(std::make_unique<SafetensorsFile>(*std::move(file)));
    for (const TensorEntry& entry : files_.back()->entries())
        places_.insert_or_assign(entry.name, Place{files_.back().get(), &entry});
    return Done{};
}

Result<WeightFiles> WeightFiles::open(const fs::path& folder) {
    WeightFiles weights;
    weights.name_ = (folder / single_file).string();
    if (lies_there(folder / single_file)) {
        if (const Result<Done> added = weights.add(folder / single_file); !added) return added.error();
        return weights;
    }
    if (!lies_there(folder / index_file)) return no_weights(folder);

    weights.name_ = (folder / index_file).string();
    const Result<std::string> text = read_file(folder / index_file, longest_index);
    if (!text) return text.error();
    const Result<json> index = parse_json(*text, weights.name_);
    if (!index) return index.error();
    const auto malformed = [&] { return Error{"error.weights_index", {weights.name_}}; };
    if (!index->is_object() || !index->contains("weight_map") || !(*index)["weight_map"].is_object())
        return malformed();
    std::map<std::string, std::vector<std::string>> tensors_of; // by file
    for (const auto& [tensor, file] : (*index)["weight_map"].items()) {
        if (!file.is_string()) return malformed();
        const std::string name = file.get<std::string>();
        if (name.empty() || fs::path(name).filename() != name || !name.ends_with(".safetensors"))
            return Error{"error.weights_index_file", {weights.name_, tensor, quoted(file)}};
        tensors_of[name].push_back(tensor);
    }
    for (const auto& [name, tensors] : tensors_of) {
        if (const Result<Done> added = weights.add(folder / name); !added) return added.error();
        for (const std::string& tensor : tensors)
            if (!weights.files_.back()->find(tensor))
                return Error{"error.weights_index_entry",
                             {weights.name_, tensor, weights.files_.back()->name()}};
    }
    return weights;
}

// The name with and without the prefix, each with γ and β as old files call them.
std::vector<std::string> WeightFiles::names_in_file(const std::string& name, const FileLayout& layout) const {
    std::vector<std::string> names{name};
    const auto ends = [&](const char* ending) { return name.ends_with(std::string("LayerNorm") + ending); };
    if (ends(".weight")) names.push_back(name.substr(0, name.size() - 6) + "gamma");
    if (ends(".bias")) names.push_back(name.substr(0, name.size() - 4) + "beta");
    const bool of_head = std::any_of(layout.of_heads.begin(), layout.of_heads.end(),
                                     [&](const std::string& start) { return name.starts_with(start); });
    if (of_head || layout.prefix.empty()) return names;
    std::vector<std::string> all;
    for (const std::string& plain : names) all.push_back(layout.prefix + plain);
    all.insert(all.end(), names.begin(), names.end());
    return all;
}

std::vector<WeightFiles::Place> WeightFiles::places_of(const Parameter& p, const FileLayout& layout) const {
    std::vector<std::string> called{p.name};
    for (const auto& [other, own] : layout.other_names)
        if (own == p.name && other != p.name) called.push_back(other);
    std::vector<Place> places;
    for (const std::string& name : called)
        for (const std::string& in_file : names_in_file(name, layout))
            if (const auto found = places_.find(in_file); found != places_.end())
                places.push_back(found->second);
    return places;
}

Result<Done> WeightFiles::check(const Parameters& parameters, const FileLayout& layout) const {
    bool has_prefix = false; // as most of the names are
    for (const auto& [name, place] : places_)
        has_prefix = has_prefix || (!layout.prefix.empty() && name.starts_with(layout.prefix));
    std::set<std::string> read, in_any;
    for (const Parameter& p : parameters.list()) {
        const std::vector<Place> places = places_of(p, layout);
        const std::vector<Index> shape = shape_in_file(p, layout);
        if (places.empty()) {
            const std::vector<std::string> names = names_in_file(p.name, layout);
            return Error{"error.weights_missing",
                         {name_, has_prefix ? names.front() : p.name, to_string(shape)}};
        }
        for (const Place& place : places) {
            if (place.entry->shape != shape)
                return Error{
                    "error.weights_shape",
                    {place.file->name(), place.entry->name, to_string(place.entry->shape), to_string(shape)}};
            read.insert(place.entry->name);
            in_any.insert(in_any_layer(place.entry->name));
        }
    }
    // Files hold masks, frequencies and other heads too; but a layer more is another model's.
    for (const auto& [name, place] : places_)
        if (!read.contains(name) && in_any.contains(in_any_layer(name)))
            return Error{"error.weights_unexpected", {place.file->name(), name}};
    return Done{};
}

std::map<std::string, PackedReals::Format> WeightFiles::packed(const Parameters& parameters,
                                                               const FileLayout& layout) const {
    std::map<std::string, PackedReals::Format> formats;
    for (const Parameter& p : parameters.list()) {
        const std::vector<Place> places = places_of(p, layout);
        const std::optional<PackedReals::Format> format = packed_format(*places.front().entry);
        if (format && places.size() == 1 && !p.is_vector && !lies_transposed(p, layout))
            formats[p.name] = *format;
    }
    return formats;
}

Result<Parameters> WeightFiles::read(const Family& family, Index packed_from) const {
    Parameters parameters = family.list_parameters();
    const FileLayout layout = family.file_layout();
    // Before anything is allocated: what the config asks for is then known to be no more than what the files
    // hold.
    if (const Result<Done> checked = check(parameters, layout); !checked) return checked.error();
    parameters.allocate(parameters.count() < packed_from ? std::map<std::string, PackedReals::Format>{}
                                                         : packed(parameters, layout));
    for (const Parameter& p : parameters.list()) {
        const std::vector<Place> places = places_of(p, layout);
        const auto& [file, entry] = places.front();
        const auto not_finite = [&, file = file, entry = entry](Index place) {
            return Error{"error.weights_not_finite",
                         {file->name(), entry->name, std::to_string(place / p.columns),
                          std::to_string(place % p.columns)}};
        };
        if (PackedReals* bits = parameters.packed(p)) {
            if (const Result<Done> read = file->read(*entry, *bits); !read) return read.error();
            for (Index i = 0; i < p.size(); ++i)
                if (!std::isfinite(bits->at(i))) return not_finite(i);
            continue;
        }
        Real* to = parameters.data() + p.offset;
        const Result<Done> read =
            lies_transposed(p, layout) ? read_transposed(*file, *entry, p, to) : file->read(*entry, to);
        if (!read) return read.error();
        const Real* wrong = std::find_if(to, to + p.size(), [](Real x) { return !std::isfinite(x); });
        if (wrong != to + p.size()) return not_finite(wrong - to);
        for (std::size_t i = 1; i < places.size(); ++i) {
            const Result<Index> different = first_difference(*places[i].file, *places[i].entry, to);
            if (!different) return different.error();
            if (*different >= 0)
                return Error{"error.weights_not_tied",
                             {places[i].file->name(), places[i].entry->name, entry->name,
                              std::to_string(*different / p.columns),
                              std::to_string(*different % p.columns)}};
        }
    }
    return parameters;
}

} // namespace headlight
