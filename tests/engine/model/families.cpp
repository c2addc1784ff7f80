#include "tests/engine/model/families.h"

#include "engine/io/safetensors.h"
#include "engine/ops/gather.h"
#include "engine/ops/leaves.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace headlight::test {

namespace fs = std::filesystem;

namespace {

const fs::path& root() {
    static const fs::path path = fs::path(HEADLIGHT_SOURCE_DIR) / "tests/data/families";
    return path;
}

ModelFiles read(const std::string& name) {
    Result<ModelFiles> files = read_model_folder(family_folder(name));
    if (!files) throw std::runtime_error(name + ": " + files.error().key);
    return *std::move(files);
}

using Ids = std::vector<std::int32_t>;

Ids ids_of(const std::map<std::string, std::string>& metadata, const std::string& key) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? Ids{} : nlohmann::json::parse(found->second).get<Ids>();
}

// What should have been said: any words that are not padding, or the last class.
Ids goal_of(const Model& model, const Ids& fed) {
    const Output& output = model.map.output;
    if (output.meaning == Output::Meaning::classes) return {std::int32_t(output.labels.size()) - 1};
    Ids goal;
    for (std::size_t i = 0; i < fed.size(); ++i) goal.push_back(std::int32_t(1 + i % 7));
    return goal;
}

void compute(Model& model, const std::string& name) {
    const Result<SafetensorsFile> file = SafetensorsFile::open(family_folder(name) / "expected.safetensors");
    if (!file) throw std::runtime_error(name + ": " + file.error().key);
    const Ids source = ids_of(file->metadata(), "source_ids"),
              target = ids_of(file->metadata(), "target_ids");
    for (const Stream& stream : model.map.streams) {
        const Ids& ids = stream.is_written ? target : source;
        feed(stream.tokens, ids, 1, Index(ids.size()));
        if (stream.types) feed_types(stream.types, ids_of(file->metadata(), "token_type_ids"));
    }
    if (Node* goal = model.map.output.goal) {
        const Ids ids = goal_of(model, target.empty() ? source : target);
        feed(goal, ids, 1, Index(ids.size()));
    }
    model.graph.forward();
    if (model.map.output.loss) model.graph.backward(model.map.output.loss);
}

} // namespace

std::vector<std::string> all_families() {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(root()))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<std::string> one_of_a_family() {
    return {"gpt2_untied_f16_prefix",
            "gpt2",
            "bert_classes",
            "bert_masked",
            "distilbert_classes",
            "bert_plain",
            "llama_wide_heads_bf16",
            "llama_grouped",
            "qwen2",
            "marian",
            "marian_two_tables"};
}

fs::path family_folder(const std::string& name) { return root() / name; }

ComputedFamily::ComputedFamily(const std::string& folder, bool loss)
    : name(folder), files(read(folder)), model(files.build(files.parameters, {.loss = loss})) {
    compute(*model, name);
}

std::unique_ptr<Model> ComputedFamily::another_pass() {
    std::unique_ptr<Model> pass = files.build(files.parameters, {.loss = model->map.output.loss != nullptr});
    compute(*pass, name);
    return pass;
}

} // namespace headlight::test
