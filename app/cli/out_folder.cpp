#include "app/cli/out_folder.h"

#include "engine/io/atomic_file.h"
#include "engine/io/file.h"
#include "engine/io/json_text.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr Index longest_config = 1 << 20; // bytes

bool is_model_folder(const fs::path& folder) {
    const Result<std::string> text = read_file(folder / "config.json", longest_config);
    if (!text) return false;
    const Result<nlohmann::json> root = parse_json(*text, {});
    return root && root->is_object() && root->value("architecture", nlohmann::json()) == "encoder-decoder";
}

} // namespace

std::optional<OutFolderProblem> prepare_out_folder(const fs::path& folder) {
    std::error_code cause;
    if (fs::exists(folder, cause)) {
        if (!fs::is_directory(folder, cause))
            return OutFolderProblem{{"error.out_is_a_file", {folder.string()}}, true};
        if (!fs::is_empty(folder, cause) && !cause && !is_model_folder(folder))
            return OutFolderProblem{{"error.out_not_ours", {folder.string()}}, true};
    } else if (fs::create_directories(folder, cause); cause) {
        return OutFolderProblem{{"error.out_unwritable", {folder.string(), cause.message()}}, false};
    }
    // Given up at once: nothing stays.
    if (const Result<AtomicFile> probe = AtomicFile::create(folder / "config.json"); !probe)
        return OutFolderProblem{probe.error(), false};
    return std::nullopt;
}

} // namespace headlight
