#include "engine/io/model_folder.h"

#include "engine/base/check.h"
#include "engine/io/file.h"
#include "engine/io/model_folder.h"
#include "engine/io/safetensors.h"
#include "engine/io/tokenizer_json.h"
#include "engine/model/transformer.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace headlight {

namespace {

namespace fs = std::filesystem;

constexpr const char* config_file = "config.json";
constexpr const char* weights_file = "model.safetensors";
constexpr const char* shared_tokenizer_file = "tokenizer.json";
constexpr const char* source_tokenizer_file = "tokenizer_source.json";
constexpr const char* target_tokenizer_file = "tokenizer_target.json";

bool is_there(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

// A tokenizer and the file that it is in, for errors.
struct NamedTokenizer {
    Tokenizer tokenizer;
    std::string file;
};

Result<NamedTokenizer> read_tokenizer_of(const fs::path& folder, const char* own_file) {
    const fs::path shared = folder / shared_tokenizer_file;
    const fs::path file = is_there(shared) ? shared : folder / own_file;
    Result<Tokenizer> tokenizer = read_tokenizer(file);
    if (!tokenizer) return tokenizer.error();
    return NamedTokenizer{*std::move(tokenizer), file.string()};
}

// The size that the config gives, or, where it gives none, that of the tokenizer.
std::optional<Error> settle_vocab_size(Index& size, const char* key, const std::string& config_name,
                                       const NamedTokenizer& named) {
    const Index known = named.tokenizer.vocabulary().size();
    if (size == 0) size = known;
    if (size == known) return std::nullopt;
    return Error{"error.config_vocab_size",
                 {config_name, key, std::to_string(size), named.file, std::to_string(known)}};
}

std::vector<Index> shape_of(const Parameter& p) {
    return p.is_vector ? std::vector<Index>{p.columns} : std::vector<Index>{p.rows, p.columns};
}

// The first number that is not finite, by its place in the parameter; −1: all are.
Index first_not_finite(const Real* values, Index count, StoredAs stored = StoredAs::f32) {
    const Real* end = values + count;
    const Real* found = std::find_if(values, end, [&](Real x) {
        return !std::isfinite(stored == StoredAs::f16 ? from_f16(to_f16(float(x))) : x);
    });
    return found == end ? -1 : Index(found - values);
}

Error not_finite(const std::string& file, const Parameter& p, Index place) {
    return {"error.weights_not_finite",
            {file, p.name, std::to_string(place / p.columns), std::to_string(place % p.columns)}};
}

// The names of tied embeddings beside that under which they are listed.
std::vector<const char*> other_names(const ModelConfig& config) {
    if (!config.tie_embeddings) return {};
    if (!config.has_encoder()) return {"generator.weight"};
    return {"target_embedding.weight", "generator.weight"};
}

Result<Done> check_tied(const SafetensorsFile& file, const ModelConfig& config,
                        const Parameters& parameters) {
    for (const char* name : other_names(config)) {
        const TensorEntry* entry = file.find(name);
        if (!entry) continue;
        const Parameter& table = *parameters.find(config.target_table());
        if (entry->shape != shape_of(table))
            return Error{"error.weights_shape",
                         {file.name(), name, to_string(entry->shape), to_string(shape_of(table))}};
        std::vector<Real> numbers(std::size_t(table.size()));
        if (const Result<Done> read = file.read(*entry, numbers.data()); !read) return read.error();
        const auto different = std::mismatch(numbers.begin(), numbers.end(), parameters.values(table)).first;
        if (different == numbers.end()) continue;
        const Index place = different - numbers.begin();
        return Error{"error.weights_not_tied",
                     {file.name(), name, table.name, std::to_string(place / table.columns),
                      std::to_string(place % table.columns)}};
    }
    return Done{};
}

// Names and shapes are compared before anything is allocated: what the config asks for is then known to be no
// more than what the file holds.
Result<Parameters> read_parameters(const fs::path& path, const ModelConfig& config) {
    const Result<SafetensorsFile> file = SafetensorsFile::open(path);
    if (!file) return file.error();
    Parameters parameters = list_parameters(config);
    std::set<std::string_view> expected;
    for (const Parameter& p : parameters.list()) {
        const TensorEntry* entry = file->find(p.name);
        if (entry == nullptr)
            return Error{"error.weights_missing", {file->name(), p.name, to_string(shape_of(p))}};
        if (entry->shape != shape_of(p))
            return Error{"error.weights_shape",
                         {file->name(), p.name, to_string(entry->shape), to_string(shape_of(p))}};
        expected.insert(p.name);
    }
    for (const char* name : other_names(config)) expected.insert(name);
    for (const TensorEntry& entry : file->entries())
        if (!expected.contains(entry.name))
            return Error{"error.weights_unexpected", {file->name(), entry.name}};

    parameters.allocate();
    for (const Parameter& p : parameters.list()) {
        Real* values = parameters.data() + p.offset;
        if (const Result<Done> read = file->read(*file->find(p.name), values); !read) return read.error();
        if (const Index place = first_not_finite(values, p.size()); place >= 0)
            return not_finite(file->name(), p, place);
    }
    if (const Result<Done> tied = check_tied(*file, config, parameters); !tied) return tied.error();
    return parameters;
}

Result<ModelFiles> read_model_files(const fs::path& folder) {
    std::error_code cause;
    if (!fs::is_directory(folder, cause)) return Error{"error.model_folder_missing", {folder.string()}};
    if (const std::optional<Error> why = why_no_model(folder)) return *why;
    const std::string config_name = (folder / config_file).string();
    const Result<std::string> text = read_file(config_name, longest_config);
    if (!text) return text.error();
    if (!family_in_config(*text).empty()) return read_family_folder(folder, *text);
    Result<ModelConfig> config = config_from_json(*text, config_name);
    if (!config) return config.error();
    // One vocabulary, if there is only one, is that of both.
    const bool reads = config->has_encoder(), says_words = !config->sorts();
    const Result<NamedTokenizer> source =
        read_tokenizer_of(folder, reads ? source_tokenizer_file : target_tokenizer_file);
    if (!source) return source.error();
    const Result<NamedTokenizer> target =
        read_tokenizer_of(folder, says_words ? target_tokenizer_file : source_tokenizer_file);
    if (!target) return target.error();

    if (reads)
        if (const auto error =
                settle_vocab_size(config->source_vocab_size, "source_vocab_size", config_name, *source))
            return *error;
    if (says_words)
        if (const auto error =
                settle_vocab_size(config->target_vocab_size, "target_vocab_size", config_name, *target))
            return *error;
    *config = settled(*std::move(config));
    if (const Result<Done> checked = check_config(*config, config_name); !checked) return checked.error();
    for (const NamedTokenizer* named : {&*source, &*target})
        if (const TokenId unk = named->tokenizer.vocabulary().specials().unk; unk != config->unk_id)
            return Error{
                "error.config_unknown_token",
                {config_name, "unk_id", std::to_string(config->unk_id), named->file, std::to_string(unk)}};

    Result<Parameters> parameters = read_parameters(folder / weights_file, *config);
    if (!parameters) return parameters.error();
    const SpecialTokens specials = {config->pad_id, config->bos_id, config->eos_id, config->unk_id};
    return ModelFiles{*config, *std::move(parameters), source->tokenizer.with_specials(specials),
                      target->tokenizer.with_specials(specials)};
}

} // namespace

std::unique_ptr<Model> ModelFiles::build(Parameters& weights, const TransformerOptions& options) const {
    return build_model(config, family.get(), weights, options);
}

Result<ModelFiles> read_model_folder(const fs::path& folder) {
    return read_settled(folder, [&] { return read_model_files(folder); });
}

Result<Done> write_model(FolderTransaction& to, const ModelConfig& config, const Parameters& parameters,
                         const Tokenizer& source, const Tokenizer& target, StoredAs stored) {
    HEADLIGHT_CHECK(config.source_vocab_size == source.vocabulary().size()
                        && config.target_vocab_size == target.vocabulary().size(),
                    "vocabulary sizes " + std::to_string(config.source_vocab_size) + " and "
                        + std::to_string(config.target_vocab_size) + " of a config with tokenizers of "
                        + std::to_string(source.vocabulary().size()) + " and "
                        + std::to_string(target.vocabulary().size()));
    std::vector<TensorToWrite> tensors;
    for (const Parameter& p : parameters.list()) {
        const Real* values = parameters.values(p);
        if (const Index place = first_not_finite(values, p.size(), stored); place >= 0)
            return not_finite((to.folder() / weights_file).string(), p, place);
        tensors.push_back({p.name, shape_of(p), values, stored});
    }
    if (const Result<Done> written = to.write(weights_file,
                                              [&](OutputFile& file) {
                                                  return write_safetensors(file, tensors, {{"format", "pt"}});
                                              });
        !written)
        return written;
    if (const Result<Done> written = to.write(config_file, config_to_json(config)); !written) return written;
    // What an earlier model left here under the other names would be read with this one's weights.
    if (source == target) {
        to.remove(source_tokenizer_file);
        to.remove(target_tokenizer_file);
        return to.write(shared_tokenizer_file, tokenizer_to_json(source));
    }
    to.remove(shared_tokenizer_file);
    if (const Result<Done> written = to.write(source_tokenizer_file, tokenizer_to_json(source)); !written)
        return written;
    return to.write(target_tokenizer_file, tokenizer_to_json(target));
}

Result<Done> write_model_folder(const fs::path& folder, const ModelConfig& config,
                                const Parameters& parameters, const Tokenizer& source,
                                const Tokenizer& target) {
    Result<FolderTransaction> to = FolderTransaction::begin(folder);
    if (!to) return to.error();
    if (const Result<Done> written = write_model(*to, config, parameters, source, target); !written)
        return written;
    return to->commit();
}

} // namespace headlight
