#include "engine/io/file.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace headlight {

Result<InputFile> InputFile::open(const std::filesystem::path& path) {
    // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return file_error(path.string(), errno, "error.file_unreadable");
    InputFile file(path.string(), descriptor, 0);
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) return file_error(file.name_, errno, "error.file_unreadable");
    if (!S_ISREG(status.st_mode)) return Error{"error.not_a_file", {file.name_}};
    file.size_ = Index(status.st_size);
    return file;
}

InputFile::InputFile(InputFile&& other) noexcept
    : name_(std::move(other.name_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(descriptor_, other.descriptor_);
    std::swap(size_, other.size_);
    return *this;
}

InputFile::~InputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

Result<Done> InputFile::read(Index offset, void* to, Index bytes) const {
    char* at = static_cast<char*>(to);
    while (bytes > 0) {
        const ssize_t got = ::pread(descriptor_, at, std::size_t(bytes), off_t(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return file_error(name_, errno, "error.file_unreadable");
        if (got == 0) return Error{"error.file_cut_short", {name_}};
        at += got;
        offset += got;
        bytes -= got;
    }
    return Done{};
}

Result<std::string> read_file(const std::filesystem::path& path, Index limit) {
    const Result<InputFile> file = InputFile::open(path);
    if (!file) return file.error();
    if (file->size() > limit)
        return Error{"error.file_too_large",
                     {file->name(), std::to_string(file->size()), std::to_string(limit)}};
    std::string text(std::size_t(file->size()), '\0');
    if (const Result<Done> read = file->read(0, text.data(), file->size()); !read) return read.error();
    return text;
}

Error file_error(const std::string& name, int cause, const std::string& otherwise) {
    switch (cause) {
    case ENOENT:
    case ENOTDIR:
        return {"error.file_missing", {name}};
    case EACCES:
    case EPERM:
    case EROFS:
        return {"error.file_not_permitted", {name}};
    case ENOSPC:
    case EDQUOT:
        return {"error.disk_full", {name}};
    default:
        return {otherwise, {name, std::generic_category().message(cause)}};
    }
}

} // namespace headlight
