#include "app/cli/out_folder.h"

#include "engine/io/file.h"
#include "engine/io/folder_transaction.h"
#include "engine/io/json_text.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr Index longest_config = 1 << 20; // bytes

bool is_model_folder(const fs::path& folder) {
    const Result<std::string> text = read_file(folder / "config.json", longest_config);
    if (!text) return false;
    const Result<nlohmann::json> root = parse_json(*text, {});
    if (!root || !root->is_object()) return false;
    const nlohmann::json architecture = root->value("architecture", nlohmann::json());
    return architecture == "encoder-decoder" || architecture == "encoder-only"
           || architecture == "decoder-only";
}

} // namespace

Result<Done> check_out_folder(const fs::path& folder) {
    std::error_code ignored;
    if (!fs::exists(folder, ignored)) return Done{};
    if (!fs::is_directory(folder, ignored)) return Error{"error.out_is_a_file", {folder.string()}};
    if (const Result<Done> finished = finish_interrupted_commit(folder); !finished) return finished;
    if (!is_empty_but_for_leftovers(folder) && !is_model_folder(folder))
        return Error{"error.out_not_ours", {folder.string()}};
    return Done{};
}

} // namespace headlight
