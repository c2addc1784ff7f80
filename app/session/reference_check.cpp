#include "app/session/reference_check.h"

#include "engine/io/json_reader.h"
#include "engine/io/model_folder.h"
#include "engine/io/safetensors.h"
#include "engine/ops/leaves.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> references_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored))
        if (entry->path().extension() == ".safetensors") files.push_back(entry->path());
    std::sort(files.begin(), files.end());
    return files;
}

// A JSON array of ids of the vocabulary; of anything else, nothing.
std::vector<TokenId> ids_of(const SafetensorsFile& file, const std::string& key, Index vocabulary) {
    const auto text = file.metadata().find(key);
    if (text == file.metadata().end()) return {};
    const Result<nlohmann::json> parsed = parse_json(text->second, file.name());
    if (!parsed || !parsed->is_array()) return {};
    std::vector<TokenId> ids;
    for (const nlohmann::json& id : *parsed) {
        if (!id.is_number_integer() || id.get<double>() < 0 || id.get<double>() >= double(vocabulary))
            return {};
        ids.push_back(id.get<TokenId>());
    }
    return ids;
}

bool feed_from(const SafetensorsFile& file, const std::string& key, const Stream* stream) {
    if (stream == nullptr) return true;
    const std::vector<TokenId> ids = ids_of(file, key, stream->vocabulary_size);
    if (ids.empty() || Index(ids.size()) > stream->max_length) return false;
    feed(stream->tokens, ids, 1, Index(ids.size()));
    return true;
}

// Infinite where something is not finite in one and not the same in the other.
double worst_difference(const Real* ours, const std::vector<Real>& theirs) {
    double largest = 0, difference = 0;
    for (std::size_t i = 0; i < theirs.size(); ++i) {
        if (std::isfinite(ours[i]) && std::isfinite(theirs[i])) {
            largest = std::max(largest, double(std::abs(theirs[i])));
            difference = std::max(difference, double(std::abs(ours[i] - theirs[i])));
        } else if (ours[i] != theirs[i]) {
            return std::numeric_limits<double>::infinity();
        }
    }
    return difference == 0 ? 0 : difference / largest;
}

Result<ComparedModel> compare(const SafetensorsFile& file, const fs::path& folder) {
    Result<ModelFiles> files = read_model_folder(folder);
    if (!files) return files.error();
    const std::unique_ptr<Model> model = files->build(files->parameters);
    if (!feed_from(file, "source_ids", model->map.source())
        || !feed_from(file, "target_ids", model->map.target()))
        return Error{"error.reference_tokens", {file.name(), folder.string()}};
    model->graph.forward();

    ComparedModel compared;
    compared.name = folder.filename().string();
    if (const auto text = file.metadata().find("text"); text != file.metadata().end())
        compared.text = text->second;
    for (const TensorEntry& entry : file.entries()) {
        const Node* node = model->graph.find(entry.name);
        if (node == nullptr || node->value.size() != entry.count)
            return Error{"error.reference_value", {file.name(), entry.name, folder.string()}};
        std::vector<Real> theirs(std::size_t(entry.count));
        if (const Result<Done> read = file.read(entry, theirs.data()); !read) return read.error();
        const double difference = worst_difference(node->value.data(), theirs);
        if (compared.values == 0 || difference > compared.worst) {
            compared.worst = difference;
            compared.worst_path = entry.name;
        }
        ++compared.values;
        compared.numbers += entry.count;
    }
    return compared;
}

} // namespace

Result<std::vector<ComparedModel>> compare_with_reference(const fs::path& assets) {
    const fs::path folder = assets / "reference";
    const std::vector<fs::path> references = references_in(folder);
    if (references.empty()) return Error{"error.reference_missing", {folder.string()}};
    std::vector<ComparedModel> all;
    for (const fs::path& reference : references) {
        const Result<SafetensorsFile> file = SafetensorsFile::open(reference);
        if (!file) return file.error();
        Result<ComparedModel> compared = compare(*file, assets / "models" / reference.stem());
        if (!compared) return compared.error();
        all.push_back(*std::move(compared));
    }
    return all;
}

} // namespace headlight
