#include "engine/io/atomic_file.h"

#include "engine/io/file.h"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace headlight {

namespace {

std::filesystem::path temporary_name(const std::filesystem::path& path) {
    static std::atomic<unsigned> count = 0; // writers on several threads never share a name
    return path.parent_path()
           / (".headlight-" + std::to_string(::getpid()) + "-" + std::to_string(count++) + ".tmp");
}

} // namespace

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& path) {
    for (int attempt = 0;; ++attempt) {
        std::filesystem::path temporary = temporary_name(path);
        const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0) return AtomicFile(path, std::move(temporary), descriptor);
        // A process of the same number may have died here and left the name taken.
        if (errno != EEXIST || attempt == 1000) {
            if (errno == ENOENT || errno == ENOTDIR)
                return Error{"error.folder_missing", {std::filesystem::absolute(path).parent_path().string()}};
            return file_error(path.string(), errno, "error.file_unwritable");
        }
    }
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<Done> AtomicFile::write(const void* bytes, std::size_t count) {
    const char* at = static_cast<const char*>(bytes);
    while (count > 0) {
        const ssize_t written = ::write(descriptor_, at, count);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return file_error(path_.string(), errno, "error.file_unwritable");
        at += written;
        count -= std::size_t(written);
    }
    return Done{};
}

Result<Done> AtomicFile::commit() {
    // Renaming before the bytes are on the disk could, after a loss of power, leave an empty file of that
    // name.
    const bool is_on_disk = ::fsync(descriptor_) == 0 || errno == EINVAL;
    if (!is_on_disk) return file_error(path_.string(), errno, "error.file_unwritable");
    if (::close(std::exchange(descriptor_, -1)) != 0)
        return file_error(path_.string(), errno, "error.file_unwritable");
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
        if (errno == EISDIR) return Error{"error.not_a_file", {path_.string()}};
        return file_error(path_.string(), errno, "error.file_unwritable");
    }
    temporary_.clear();
    return Done{};
}

Result<Done> write_file_atomically(const std::filesystem::path& path, std::string_view text) {
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file) return file.error();
    if (const Result<Done> written = file->write(text); !written) return written.error();
    return file->commit();
}

} // namespace headlight
