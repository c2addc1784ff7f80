#include "app/session/file_chooser.h"
#include "engine/io/file.h"
#include "engine/io/system.h"
#include "engine/text/unicode.h"
#include "engine/text/words.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>

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

namespace {

bool is_folder(const fs::path& path) {
    std::error_code none;
    return fs::is_directory(path, none);
}

bool is_there(const fs::path& path) {
    std::error_code none;
    return fs::exists(fs::symlink_status(path, none));
}

// Without "." and "..", and without a slash at its end.
fs::path normal(const fs::path& folder) {
    const fs::path path = folder.lexically_normal();
    return path.has_filename() || !path.has_relative_path() ? path : path.parent_path();
}

// What two names begin with, whole characters of it.
std::string common_prefix(std::string_view a, std::string_view b) {
    std::size_t end = 0;
    while (end < std::min(a.size(), b.size()) && a[end] == b[end]) ++end;
    while (end > 0 && end < a.size() && (static_cast<unsigned char>(a[end]) & 0xC0) == 0x80) --end;
    return std::string(a.substr(0, end));
}

} // namespace

FileChooser::FileChooser(Choosing choosing, const fs::path& folder)
    : choosing_(std::move(choosing)), text_(kind().saves ? choosing_.name : ""), proposed_(text_) {
    list(normal(folder));
}

FileChooser::FileChooser(FileRequest request, const fs::path& folder, std::string name)
    : FileChooser(Choosing{request, false, {}, std::move(name)}, folder) {}

fs::path FileChooser::expanded(std::string_view path) const {
    const fs::path home = home_folder();
    if (!home.empty() && (path == "~" || path.starts_with("~/")))
        return home / path.substr(std::min<std::size_t>(2, path.size()));
    return base_ / path; // an absolute one stays
}

FileChooser::Typed FileChooser::typed() const {
    const std::size_t slash = text_.rfind('/');
    if (slash == text_.npos) return {base_, text_};
    return {normal(expanded(std::string_view(text_).substr(0, slash + 1))), text_.substr(slash + 1)};
}

void FileChooser::list(const fs::path& folder) {
    base_ = folder;
    listing_ = list_folder(folder, kind(), every_);
    choose_rows();
}

void FileChooser::choose_rows() {
    rows_.clear();
    marked_ = -1;
    const std::string name = typed().name;
    // A new name is written beside all that there are; what is looked for is found by what it holds.
    const std::u32string wanted = kind().saves ? std::u32string() : folded(name);
    int exact = -1, begins = -1;
    for (std::size_t i = 0; i < listing_.entries.size(); ++i) {
        const std::u32string key = wanted.empty() ? std::u32string() : folded(listing_.entries[i].name);
        if (key.find(wanted) == key.npos) continue;
        if (listing_.entries[i].name == name) exact = int(rows_.size());
        if (begins < 0 && key.starts_with(wanted)) begins = int(rows_.size());
        rows_.push_back(i);
    }
    if (wanted.empty() || rows_.empty()) return;
    marked_ = exact >= 0 ? exact : std::max(begins, 0);
}

void FileChooser::type(std::string text) {
    text_ = std::move(text);
    problem_.reset();
    to_replace_.clear();
    if (const fs::path folder = typed().folder; folder != listing_.folder && is_folder(folder))
        listing_ = list_folder(folder, kind(), every_);
    choose_rows();
}

void FileChooser::mark(int place) {
    to_replace_.clear();
    problem_.reset();
    marked_ = rows_.empty() ? -1 : std::clamp(place, 0, int(rows_.size()) - 1);
    if (marked_ >= 0 && kind().saves && row(std::size_t(marked_)).fits) {
        const std::size_t slash = text_.rfind('/');
        text_ = text_.substr(0, slash == text_.npos ? 0 : slash + 1) + row(std::size_t(marked_)).name;
    }
}

void FileChooser::move_mark(int by) { mark(marked_ < 0 && by < 0 ? int(rows_.size()) - 1 : marked_ + by); }

void FileChooser::complete() {
    const Typed so_far = typed();
    const std::u32string wanted = folded(so_far.name);
    std::optional<std::string> name;
    const FolderEntry* only = nullptr;
    for (const FolderEntry& entry : listing_.entries) {
        if (!folded(entry.name).starts_with(wanted)) continue;
        only = name ? nullptr : &entry;
        name = name ? common_prefix(*name, entry.name) : entry.name;
    }
    if (!name || name->size() < so_far.name.size()) return;
    const std::size_t slash = text_.rfind('/');
    const std::string before = text_.substr(0, slash == text_.npos ? 0 : slash + 1);
    type(before + *name + (only && only->is_folder ? "/" : ""));
}

void FileChooser::go_to(const fs::path& folder) {
    problem_.reset();
    to_replace_.clear();
    const std::size_t slash = text_.rfind('/');
    text_ = kind().saves ? (slash == text_.npos ? text_ : text_.substr(slash + 1)) : "";
    if (kind().saves && text_.empty()) text_ = proposed_;
    list(normal(folder));
}

void FileChooser::go_up() {
    const fs::path from = listing_.folder;
    if (!from.has_relative_path()) return;
    go_to(from.parent_path());
    for (std::size_t i = 0; i < rows_.size(); ++i) // where one came from is where one looks on
        if (row(i).name == from.filename().string()) marked_ = int(i);
}

void FileChooser::show_every(bool every) {
    every_ = every;
    listing_ = list_folder(listing_.folder, kind(), every_);
    choose_rows();
}

std::optional<std::string> FileChooser::accept() {
    problem_.reset();
    if (marked_ >= 0 && marked_ < int(rows_.size())) return accept_entry(row(std::size_t(marked_)));
    if (!trim(text_).empty()) return accept_path(expanded(text_).lexically_normal());
    if (listing_.fits && !kind().saves) return take(listing_.folder);
    return {};
}

std::optional<std::string> FileChooser::accept_entry(const FolderEntry& entry) {
    const fs::path path = listing_.folder / entry.name;
    if (entry.fits) return take(path);
    if (entry.is_folder) go_to(path);
    return {};
}

std::optional<std::string> FileChooser::accept_path(fs::path path) {
    if (is_folder(path)) {
        if (kind().folders && is_of_kind(path, kind())) return take(path);
        go_to(path);
        return {};
    }
    if (!kind().saves) {
        if (is_there(path)) return take(path);
        problem_ = Error{"error.file_missing", {shown_name(path.string())}};
        return {};
    }
    path = with_ending(choosing_, std::move(path));
    if (!is_folder(path.parent_path())) {
        problem_ = Error{"error.no_such_folder", {shown_name(path.parent_path().string())}};
        return {};
    }
    return take(path);
}

std::optional<std::string> FileChooser::take(const fs::path& path) {
    if (kind().saves && is_there(path) && to_replace_ != path) {
        to_replace_ = path;
        return {};
    }
    return command_of(choosing_) + " " + file_argument(path);
}

std::string free_name(const fs::path& folder, const std::string& name) {
    const fs::path wanted(name);
    std::string proposed = name;
    for (int number = 2; is_there(folder / proposed) && number < 1000; ++number)
        proposed = wanted.stem().string() + " " + std::to_string(number) + wanted.extension().string();
    return proposed;
}

} // namespace headlight
