#include "app/cli/out_folder.h"

#include "engine/io/config_json.h"
#include "engine/io/file.h"
#include "engine/io/folder_transaction.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr Index longest_config = 1 << 20; // bytes

bool is_model_folder(const fs::path& folder) {
    const Result<std::string> text = read_file(folder / "config.json", longest_config);
    return text && names_architecture(*text);
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
