#include "engine/io/file.h"

#include "engine/io/file.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#ifdef _WIN32
#include "engine/io/windows_files.h"
#else
#include <fcntl.h>
#include <unistd.h>
#endif

namespace headlight {

#ifdef _WIN32
using namespace on_windows;
#endif

namespace {

// What cannot be synced (a pipe, a terminal, a folder of some file systems) says EINVAL.
bool is_on_disk(int descriptor) { return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP; }

} // namespace

OutputFile::OutputFile(OutputFile&& other) noexcept
    : name_(std::move(other.name_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

OutputFile::~OutputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

Result<Done> OutputFile::write(const void* bytes, std::size_t count) {
    const char* at = static_cast<const char*>(bytes);
    while (count > 0) {
        constexpr std::size_t most = 1 << 30; // at once
        const ssize_t written = ::write(descriptor_, at, unsigned(std::min(count, most)));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return file_error(name_, errno, "error.file_unwritable");
        at += written;
        count -= std::size_t(written);
    }
    return Done{};
}

Result<Done> OutputFile::close() {
    if (!is_on_disk(descriptor_)) return file_error(name_, errno, "error.file_unwritable");
    if (::close(std::exchange(descriptor_, -1)) != 0)
        return file_error(name_, errno, "error.file_unwritable");
    return Done{};
}

#ifdef _WIN32 // which writes a folder's entries by itself

Result<Done> sync_folder(const std::filesystem::path& folder) {
    if (is_folder(folder.c_str())) return Done{};
    return file_error(folder.string(), ENOENT, "error.file_unwritable");
}

#else

Result<Done> sync_folder(const std::filesystem::path& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return file_error(folder.string(), errno, "error.file_unwritable");
    return OutputFile(folder.string(), descriptor).close();
}

#endif

} // namespace headlight
