#include "engine/io/file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#ifdef _WIN32
#include "engine/io/windows_files.h"
#else
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace headlight {

#ifdef _WIN32
using namespace on_windows;
using Status = struct _stat64;
static int status_of(int descriptor, Status* status) { return ::_fstat64(descriptor, status); }
#else
using Status = struct stat;
static int status_of(int descriptor, Status* status) { return ::fstat(descriptor, status); }
#endif

Result<InputFile> InputFile::open(const std::filesystem::path& path) {
    // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
#ifdef _WIN32
    if (is_folder(path.c_str())) return Error{"error.not_a_file", {path.string()}};
    const int descriptor = on_windows::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
#else
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
#endif
    if (descriptor < 0) return file_error(path.string(), errno, "error.file_unreadable");
    InputFile file(path.string(), descriptor);
    Status status{};
    if (status_of(descriptor, &status) != 0) return file_error(file.name_, errno, "error.file_unreadable");
    if (!S_ISREG(status.st_mode)) return Error{"error.not_a_file", {file.name_}};
    if (status.st_size == 0) return file;
    void* bytes = mmap(nullptr, std::size_t(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (bytes == MAP_FAILED) return file_error(file.name_, errno, "error.file_unreadable");
    file.bytes_ = static_cast<const char*>(bytes);
    file.size_ = Index(status.st_size);
    return file;
}

InputFile::InputFile(InputFile&& other) noexcept
    : name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      bytes_(std::exchange(other.bytes_, nullptr)),
      size_(other.size_) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(descriptor_, other.descriptor_);
    std::swap(bytes_, other.bytes_);
    std::swap(size_, other.size_);
    return *this;
}

InputFile::~InputFile() {
    if (bytes_) munmap(const_cast<char*>(bytes_), std::size_t(size_));
    if (descriptor_ >= 0) ::close(descriptor_);
}

Result<Done> InputFile::read(Index offset, void* to, Index bytes) const {
    if (bytes <= 0) return Done{};
    Status now{};
    if (status_of(descriptor_, &now) != 0) return file_error(name_, errno, "error.file_unreadable");
    // Pages that a file has lost must not be touched.
    if (offset < 0 || bytes > std::min(size_, Index(now.st_size)) - offset)
        return Error{"error.file_cut_short", {name_}};
    std::memcpy(to, bytes_ + offset, std::size_t(bytes));
    return Done{};
}

void InputFile::forget([[maybe_unused]] Index offset, [[maybe_unused]] Index bytes) const {
#ifndef _WIN32 // where pages of a mapped file leave by themselves
    const Index page = ::sysconf(_SC_PAGESIZE), begin = (offset + page - 1) / page * page,
                end = (offset + bytes) / page * page;
    if (bytes_ && begin < end)
        ::madvise(const_cast<char*>(bytes_) + begin, std::size_t(end - begin), MADV_DONTNEED);
#endif
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

namespace {

// What is no folder, and would have to be one.
std::string file_on_the_way(const std::filesystem::path& path) {
    std::filesystem::path way;
    for (const std::filesystem::path& part : path) {
        way /= part;
        std::error_code none;
        if (std::filesystem::exists(way, none) && !std::filesystem::is_directory(way, none))
            return way.string();
    }
    return path.string();
}

} // namespace

Error file_error(const std::string& name, int cause, const std::string& otherwise) {
    switch (cause) {
    case ENOENT:
        return {"error.file_missing", {name}};
    case ENOTDIR:
        return {"error.file_on_the_way", {name, file_on_the_way(name)}};
    case EACCES:
    case EPERM:
    case EROFS:
        return {"error.file_not_permitted", {name}};
    case ENOMEM:
        return {"error.out_of_memory", {name}};
    case EFBIG: // larger than this process may make one
        return {"error.file_limit", {name}};
    case ENOSPC:
#ifndef _WIN32
    case EDQUOT:
#endif
        return {"error.disk_full", {name}};
    default:
        return {otherwise, {name, std::generic_category().message(cause)}};
    }
}

} // namespace headlight
