#include "engine/io/file.h"

#include "engine/io/file.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#ifdef _WIN32
#include "engine/io/windows_files.h"
#else
#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace headlight {

namespace fs = std::filesystem;

#ifdef _WIN32
using namespace on_windows;
#endif

fs::path unfinished_name(const fs::path& path) {
    static std::atomic<unsigned> count = 0; // writers on several threads never share a name
    return path.parent_path()
           / (".headlight-" + std::to_string(::getpid()) + "-" + std::to_string(count++) + ".tmp");
}

namespace {

// “.headlight-PID-N.tmp”: the number of the process that writes, or wrote, a file here.
std::optional<pid_t> writer_of_temporary(const std::string& name) {
    constexpr std::string_view begin = ".headlight-", end = ".tmp";
    if (!name.starts_with(begin) || !name.ends_with(end)) return std::nullopt;
    const pid_t process = pid_t(std::atol(name.c_str() + begin.size()));
    return process > 0 ? std::optional(process) : std::nullopt;
}

#ifndef _WIN32
bool is_running(pid_t process) { return ::kill(process, 0) == 0 || errno != ESRCH; }
#endif

// Links in /proc (what /dev/stdout leads to) lead to what a process has open, which need not have a name.
bool is_open_file(const fs::path& path) { return path.string().starts_with("/proc/"); }

// The file that a link leads to by way of others, also one that is not there yet.
Result<fs::path> behind_links(const fs::path& path) {
    constexpr int most_links = 40; // the kernel's own limit
    fs::path at = path;
    for (int links = 0; links < most_links; ++links) {
        std::error_code none;
        if (const fs::path folder = fs::canonical(at.has_parent_path() ? at.parent_path() : ".", none); !none)
            at = folder / at.filename();
        const fs::path target = fs::read_symlink(at, none);
        if (none || is_open_file(at)) return at;
        at = at.parent_path() / target; // which is the target when that is absolute
    }
    return file_error(path.string(), ELOOP, "error.file_unwritable");
}

} // namespace

Result<AtomicFile> AtomicFile::create(const fs::path& path) {
    const Result<fs::path> target = behind_links(path);
    if (!target) return target.error();
    std::error_code missing;
    const fs::file_status there = fs::status(*target, missing);
    if (!missing && fs::exists(there) && (!fs::is_regular_file(there) || is_open_file(*target))) {
        if (fs::is_directory(there) || fs::is_block_file(there) || fs::is_socket(there))
            return Error{"error.not_a_file", {path.string()}};
        const int descriptor = open(target->c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
        if (descriptor < 0) return file_error(path.string(), errno, "error.file_unwritable");
        return AtomicFile(OutputFile(path.string(), descriptor), {}, {});
    }
    clear_abandoned_files(target->has_parent_path() ? target->parent_path() : ".");
    for (int attempt = 0;; ++attempt) {
        fs::path temporary = unfinished_name(*target);
        const int descriptor = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0)
            return AtomicFile(OutputFile(path.string(), descriptor), *target, std::move(temporary));
        // A process of the same number may have died here and left the name taken.
        if (errno != EEXIST || attempt == 1000) {
            if (errno == ENOENT)
                return Error{"error.folder_missing", {fs::absolute(*target).parent_path().string()}};
            return file_error(path.string(), errno, "error.file_unwritable");
        }
    }
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : contents_(std::move(other.contents_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})) {}

AtomicFile::~AtomicFile() {
    if (!temporary_.empty()) unlink(temporary_.c_str());
}

Result<Done> AtomicFile::commit() {
    // Renaming before the bytes are on the disk could, after a loss of power, leave an empty file of that
    // name.
    if (const Result<Done> closed = contents_.close(); !closed) return closed;
    if (temporary_.empty()) return Done{};
    if (rename(temporary_.c_str(), target_.c_str()) != 0)
        return file_error(target_.string(), errno, "error.file_unwritable");
    temporary_.clear();
    return Done{};
}

bool is_unfinished_file(const fs::path& path) {
    return writer_of_temporary(path.filename().string()).has_value();
}

void clear_abandoned_files(const fs::path& folder) {
    std::error_code ignored;
    std::vector<fs::path> abandoned;
    for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored))
        if (const auto writer = writer_of_temporary(at->path().filename().string());
            writer && !is_running(*writer))
            abandoned.push_back(at->path());
    for (const fs::path& path : abandoned) fs::remove_all(path, ignored);
}

Result<Done> write_file_atomically(const fs::path& path, std::string_view text) {
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file) return file.error();
    if (const Result<Done> written = file->write(text); !written) return written.error();
    return file->commit();
}

} // namespace headlight
