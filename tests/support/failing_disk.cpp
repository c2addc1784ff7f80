#include "tests/support/failing_disk.h"

#include <cerrno>
#include <cstdarg>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

struct Disk {
    bool counts = false;
    int calls = 0, failing = 0;
    bool for_good = false;
};
thread_local Disk disk;

// Counts a call; true when it is to fail.
bool fails() {
    if (!disk.counts) return false;
    ++disk.calls;
    const bool hit =
        disk.failing > 0 && (disk.for_good ? disk.calls >= disk.failing : disk.calls == disk.failing);
    if (hit) errno = EIO;
    return hit;
}

} // namespace

// The program's own definitions come before the C library's, also for shared libraries.
extern "C" {

int open(const char* path, int flags, ...) {
    mode_t mode = 0;
    if (flags & O_CREAT) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    if ((flags & (O_WRONLY | O_RDWR | O_CREAT)) && fails()) return -1;
    return int(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

ssize_t write(int file, const void* bytes, size_t count) {
    if (fails()) {
        if (disk.calls == disk.failing) ::syscall(SYS_write, file, bytes, count / 2);
        errno = EIO;
        return -1;
    }
    return ::syscall(SYS_write, file, bytes, count);
}

int fsync(int) {
    return fails() ? -1 : 0;
} // tests fear no loss of power, and have no time to wait for a disk

int rename(const char* from, const char* to) noexcept {
    return fails() ? -1 : int(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int unlink(const char* path) noexcept {
    return fails() ? -1 : int(::syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}

int unlinkat(int folder, const char* path, int flags) noexcept {
    return fails() ? -1 : int(::syscall(SYS_unlinkat, folder, path, flags));
}

int mkdir(const char* path, mode_t mode) noexcept {
    return fails() ? -1 : int(::syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}

int rmdir(const char* path) noexcept {
    return fails() ? -1 : int(::syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR));
}
}

namespace headlight::test {

FailingDisk::FailingDisk(int call, From from) {
    disk = {.counts = true, .calls = 0, .failing = call, .for_good = from == From::for_good};
}

FailingDisk::~FailingDisk() { disk = {}; }

int FailingDisk::calls() const { return disk.calls; }

} // namespace headlight::test
