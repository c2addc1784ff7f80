#include "app/session/folder_listing.h"

#include "engine/io/file.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <cerrno>

namespace headlight {

namespace fs = std::filesystem;

namespace {

bool has_extension(const std::string& name, const FileKind& kind) {
    if (kind.extensions.empty()) return true;
    const std::string lower = lowercase(name);
    return std::any_of(kind.extensions.begin(), kind.extensions.end(), [&](std::string_view one) {
        return lower.size() > one.size() && lower.ends_with(one);
    });
}

// By name without regard to capitals and accents, folders first.
void sort_entries(std::vector<FolderEntry>& entries) {
    std::vector<std::pair<std::u32string, FolderEntry>> keyed;
    for (FolderEntry& entry : entries) keyed.emplace_back(folded(entry.name), std::move(entry));
    std::sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) {
        if (a.second.is_folder != b.second.is_folder) return a.second.is_folder;
        return a.first != b.first ? a.first < b.first : a.second.name < b.second.name;
    });
    entries.clear();
    for (auto& [key, entry] : keyed) entries.push_back(std::move(entry));
}

} // namespace

bool is_of_kind(const fs::path& folder, const FileKind& kind) {
    std::error_code none;
    const bool run = fs::exists(folder / "run.json", none);
    if (kind.command != "model") return run;
    return fs::exists(folder / "config.json", none) && fs::exists(folder / "model.safetensors", none);
}

FolderListing list_folder(const fs::path& folder, const FileKind& kind, bool every) {
    FolderListing listing;
    listing.folder = folder;
    std::error_code fault;
    fs::directory_iterator entry(folder, fault);
    for (const fs::directory_iterator end; !fault && entry != end; entry.increment(fault)) {
        if (listing.entries.size() == FolderListing::most) {
            listing.is_cut = true;
            break;
        }
        FolderEntry one{entry->path().filename().string()};
        if (one.name.starts_with('.') && !every) continue;
        std::error_code unknown; // a link that leads nowhere
        one.is_folder = entry->is_directory(unknown);
        const bool is_file = !one.is_folder && entry->is_regular_file(unknown);
        one.fits = one.is_folder ? kind.folders && is_of_kind(entry->path(), kind)
                                 : is_file && !kind.folders && (every || has_extension(one.name, kind));
        if (one.is_folder || one.fits) listing.entries.push_back(std::move(one));
    }
    if (fault) {
        const bool is_missing = fault.value() == ENOENT || fault.value() == ENOTDIR;
        const bool is_closed = fault.value() == EACCES || fault.value() == EPERM;
        listing.error = is_missing  ? Error{"error.no_such_folder", {shown_name(folder.string())}}
                        : is_closed ? Error{"error.folder_closed", {shown_name(folder.string())}}
                                    : file_error(folder.string(), fault.value(), "error.file_unreadable");
    }
    listing.fits = !fault && kind.folders && is_of_kind(folder, kind);
    sort_entries(listing.entries);
    return listing;
}

} // namespace headlight
