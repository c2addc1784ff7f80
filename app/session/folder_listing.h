// What lies in a folder, for somebody who chooses something there.
#pragma once

#include "app/session/files.h"
#include "engine/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

struct FolderEntry {
    std::string name;       // as the system has it: any bytes
    bool is_folder = false; // else a file
    bool fits = false;      // it can be chosen: a model's folder where a model is wanted
};

struct FolderListing {
    static constexpr std::size_t most = 20'000;

    std::filesystem::path folder;
    std::vector<FolderEntry> entries; // folders first, each in order of name
    bool fits = false;                // the folder itself can be chosen
    bool is_cut = false;              // there is more than that
    std::optional<Error> error;       // it cannot be read; then there are no entries
};

// `every`: files of all extensions, and what is hidden.
FolderListing list_folder(const std::filesystem::path& folder, const FileKind& kind, bool every = false);

// Whether a folder is of the kind: it holds a model, or a run.
bool is_of_kind(const std::filesystem::path& folder, const FileKind& kind);

} // namespace headlight
