#include "engine/io/folder_transaction.h"

#include "engine/base/check.h"
#include "engine/io/file.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <sstream>

#ifdef _WIN32
#include "engine/io/windows_files.h"
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace headlight {

namespace fs = std::filesystem;

#ifdef _WIN32
using namespace on_windows;
#endif

namespace {

constexpr const char *staged_name = ".headlight-staged", *committed_name = ".headlight-committed",
                     *list_name = "files";
constexpr double patience = 3;          // seconds: others who finish a change, or clear up, are done by then
constexpr Index longest_list = 1 << 16; // bytes

bool is_in_place(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(path, ignored));
}

Result<Done> done_or(const fs::path& path, const std::error_code& cause) {
    if (!cause) return Done{};
    return file_error(path.string(), cause.value(), "error.file_unwritable");
}

Result<Done> move_file(const fs::path& from, const fs::path& to, const fs::path& name_for_errors) {
    std::error_code cause;
    fs::rename(from, to, cause);
    return done_or(name_for_errors, cause);
}

Result<OutputFile> create_file(const fs::path& path, const fs::path& name_for_errors) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) return file_error(name_for_errors.string(), errno, "error.file_unwritable");
    return OutputFile(name_for_errors.string(), descriptor);
}

// A committed change of a folder: what it is to do.
struct Change {
    fs::path folder, fresh, old;
    std::vector<std::string> brought, removed;
};

Result<Change> read_change(const fs::path& folder) {
    const fs::path committed = folder / committed_name;
    const Result<std::string> list = read_file(committed / list_name, longest_list);
    if (!list) return list.error();
    Change change{folder, committed / "new", committed / "old", {}, {}};
    std::istringstream lines(*list);
    for (std::string line; std::getline(lines, line);)
        if (const std::string name = fs::path(line).filename().string();
            name.size() > 1) // not beyond the folder
            (name.front() == '+' ? change.brought : change.removed).push_back(name.substr(1));
    return change;
}

// What is committed is so no more: either all is in its place, or all that was is again.
Result<Done> retire(const fs::path& folder) {
    std::error_code ignored;
    fs::remove_all(folder / staged_name, ignored);
    if (const auto moved = move_file(folder / committed_name, folder / staged_name, folder); !moved)
        return moved;
    (void)sync_folder(folder); // at worst it is retired once more, which changes nothing
    return Done{};
}

Result<Done> put_in_place(const Change& change) {
    const auto move_aside = [&](const std::string& name) -> Result<Done> {
        if (!is_in_place(change.folder / name)) return Done{};
        return move_file(change.folder / name, change.old / name, change.folder / name);
    };
    for (const std::string& name : change.removed)
        if (const auto moved = move_aside(name); !moved) return moved;
    for (const std::string& name : change.brought) {
        if (!is_in_place(change.fresh / name)) continue; // in its place since an earlier attempt
        if (const auto moved = move_aside(name); !moved) return moved;
        const auto placed = move_file(change.fresh / name, change.folder / name, change.folder / name);
        if (!placed) return placed;
    }
    if (const auto synced = sync_folder(change.folder); !synced) return synced;
    return retire(change.folder);
}

// The way back. The new files go first, so that after a stop in between the change can be finished forwards.
Result<Done> take_back(const Change& change) {
    for (const std::string& name : change.brought)
        if (!is_in_place(change.fresh / name))
            if (const auto moved = move_file(change.folder / name, change.fresh / name, change.folder);
                !moved)
                return moved;
    for (const auto* names : {&change.brought, &change.removed})
        for (const std::string& name : *names)
            if (is_in_place(change.old / name))
                if (const auto moved = move_file(change.old / name, change.folder / name, change.folder);
                    !moved)
                    return moved;
    return retire(change.folder);
}

Error unfinished(const fs::path& folder) { return {"error.folder_unfinished", {folder.string()}}; }

// Done when all is in its place. An Error otherwise: all is as it was, or, when not even that is possible,
// the change still stands, and the next one that comes finishes it.
Result<Done> finish(const fs::path& folder) {
    const Result<Change> change = read_change(folder);
    if (!change) return change.error();
    const Result<Done> placed = put_in_place(*change);
    if (!placed && is_in_place(folder / committed_name)) (void)take_back(*change);
    if (is_in_place(folder / committed_name)) return unfinished(folder);
    std::error_code ignored;
    fs::remove_all(folder / staged_name, ignored); // else the next writer does
    return placed;
}

void clear_as_its_writer(const fs::path& folder) {
    std::error_code ignored;
    fs::remove_all(folder / staged_name, ignored);
    clear_abandoned_files(folder);
}

} // namespace

// --- writing
// ------------------------------------------------------------------------------------------------

Result<FolderTransaction> FolderTransaction::begin(const fs::path& folder) {
    std::error_code cause;
    bool made = fs::create_directories(folder, cause);
    if (cause) return file_error(folder.string(), cause.value(), "error.folder_not_made");
    Result<FolderLock> lock = FolderLock::take(folder, patience);
    if (!lock && !is_in_place(folder)) { // somebody removed it, empty, at that very moment
        made = fs::create_directories(folder, cause);
        lock = FolderLock::take(folder, patience);
    }
    if (!lock) return lock.error();
    if (is_in_place(folder / committed_name) && !finish(folder) && is_in_place(folder / committed_name))
        return unfinished(folder);
    clear_as_its_writer(folder);
    FolderTransaction begun(folder, *std::move(lock), made);
    if (const Result<Done> staged = begun.make_stage(); !staged) return staged.error();
    return begun;
}

Result<Done> FolderTransaction::make_stage() {
    for (const char* part : {"new", "old"}) {
        std::error_code cause;
        fs::create_directories(folder_ / staged_name / part, cause);
        if (cause) return file_error(folder_.string(), cause.value(), "error.file_unwritable");
    }
    return Done{};
}

FolderTransaction::FolderTransaction(FolderTransaction&& other) noexcept
    : folder_(std::exchange(other.folder_, {})),
      lock_(std::move(other.lock_)),
      made_folder_(other.made_folder_),
      brought_(std::move(other.brought_)),
      removed_(std::move(other.removed_)) {}

FolderTransaction::~FolderTransaction() {
    if (folder_.empty()) return;
    std::error_code ignored;
    fs::remove_all(folder_ / staged_name, ignored);
    if (made_folder_) rmdir(folder_.c_str()); // which leaves one with something in it
}

Result<Done> FolderTransaction::write(const std::string& name,
                                      const std::function<Result<Done>(OutputFile&)>& contents) {
    HEADLIGHT_CHECK(fs::path(name).filename() == name, "a file of a folder named " + name);
    // A person may have removed the folder since the change began, long ago.
    if (const Result<Done> staged = make_stage(); !staged) return staged;
    Result<OutputFile> file = create_file(folder_ / staged_name / "new" / name, folder_ / name);
    if (!file) return file.error();
    if (const Result<Done> written = contents(*file); !written) return written;
    brought_.push_back(name);
    return file->close();
}

Result<Done> FolderTransaction::write(const std::string& name, std::string_view text) {
    return write(name, [&](OutputFile& file) { return file.write(text); });
}

Result<Done> FolderTransaction::write_list() {
    Result<OutputFile> file = create_file(folder_ / staged_name / list_name, folder_);
    if (!file) return file.error();
    std::string list;
    for (const std::string& name : brought_) list += "+" + name + "\n";
    for (const std::string& name : removed_) list += "-" + name + "\n";
    if (const Result<Done> written = file->write(list); !written) return written;
    return file->close();
}

Result<Done> FolderTransaction::commit() {
    for (const auto* names : {&brought_, &removed_})
        for (const std::string& name : *names)
            if (std::error_code ignored; fs::is_directory(folder_ / name, ignored))
                return Error{"error.not_a_file", {(folder_ / name).string()}};
    if (const Result<Done> written = write_list(); !written) return written;
    const fs::path staged = folder_ / staged_name;
    if (const Result<Done> synced = sync_folder(staged / "new"); !synced) return synced;
    if (const Result<Done> synced = sync_folder(staged); !synced) return synced;
    if (const Result<Done> moved = move_file(staged, folder_ / committed_name, folder_); !moved) return moved;
    if (const Result<Done> synced = sync_folder(folder_); !synced) {
        (void)retire(folder_); // nothing is in its place yet
        if (is_in_place(folder_ / committed_name)) return unfinished(folder_);
        return synced;
    }
    return finish(folder_);
}

// --- reading
// ------------------------------------------------------------------------------------------------

bool is_writers_leftover(const fs::path& entry) {
    const std::string name = entry.filename().string();
    return name == staged_name || is_unfinished_file(entry);
}

bool is_empty_but_for_leftovers(const fs::path& folder) {
    std::error_code ignored;
    const fs::directory_iterator entries(folder, ignored);
    return std::all_of(fs::begin(entries), fs::end(entries),
                       [](const auto& entry) { return is_writers_leftover(entry.path()); });
}

void clear_leftovers(const fs::path& folder) {
    if (!is_in_place(folder / staged_name)) return;
    if (const Result<FolderLock> lock = FolderLock::take(folder, 0)) clear_as_its_writer(folder);
}

Result<Done> finish_interrupted_commit(const fs::path& folder) {
    if (!is_in_place(folder / committed_name)) return Done{};
    const Result<FolderLock> lock = FolderLock::take(folder, patience);
    if (!is_in_place(folder / committed_name)) return Done{}; // its writer was still at it
    if (!lock) return lock.error();
    (void)finish(folder); // that all is as it was is good, too
    if (is_in_place(folder / committed_name)) return unfinished(folder);
    return Done{};
}

namespace {

// Another number for another file of the same name; nothing where there is none.
std::optional<std::uint64_t> stamp_of(const fs::path& path) {
#ifdef _WIN32
    std::error_code none;
    const auto time = fs::last_write_time(path, none).time_since_epoch().count();
    const auto size = fs::is_directory(path) ? 0 : fs::file_size(path, none);
    return none ? std::nullopt : std::optional(std::uint64_t(time) * 31 + std::uint64_t(size));
#else
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return std::nullopt;
    // A number is given again when its file is gone, but not within the same tick of the clock.
    return std::uint64_t(status.st_ino) * 31 + std::uint64_t(status.st_ctim.tv_sec) * 1'000'000'000u
           + std::uint64_t(status.st_ctim.tv_nsec);
#endif
}

} // namespace

FolderStamp stamp_of_folder(const fs::path& folder) {
    FolderStamp stamp;
    std::error_code ignored;
    for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored)) {
        const std::string name = at->path().filename().string();
        if (name == staged_name) continue;
        if (const auto number = stamp_of(at->path())) stamp.emplace_back(name, *number);
    }
    std::sort(stamp.begin(), stamp.end());
    return stamp;
}

} // namespace headlight
