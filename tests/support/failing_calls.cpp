// A library that is loaded before a program (LD_PRELOAD) and makes its disk fail, or ends it, at one call:
// for tests/scripts/check_saving.py. Only calls that change something below one folder are counted, over all
// threads.
//
//     HEADLIGHT_DISK_UNDER=FOLDER   whose calls are counted, from 1
//     HEADLIGHT_DISK_CALL=N         the call that fails; none: they are counted alone
//     HEADLIGHT_DISK_HOW=ENOSPC     or EIO, EACCES; kill: the program ends there. With a + that call and all
//                                   later ones
//     HEADLIGHT_DISK_COUNT=FILE     gets the number of calls when the program ends by itself
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

struct Plan {
    std::string under;
    long call = 0;
    int cause = 0; // errno; 0: the program is killed
    bool for_good = false;
};

int errno_of(std::string_view how) {
    if (how == "ENOSPC") return ENOSPC;
    if (how == "EIO") return EIO;
    if (how == "EACCES") return EACCES;
    return 0;
}

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

Plan read_plan() {
    Plan plan;
    plan.under = variable("HEADLIGHT_DISK_UNDER");
    plan.call = std::atol(variable("HEADLIGHT_DISK_CALL").c_str());
    std::string how = variable("HEADLIGHT_DISK_HOW");
    plan.for_good = how.ends_with('+');
    if (plan.for_good) how.pop_back();
    plan.cause = errno_of(how);
    return plan;
}

const Plan& plan() {
    static const Plan read = read_plan();
    return read;
}

std::atomic<long> calls = 0;

std::string path_of(int descriptor) {
    std::array<char, PATH_MAX> path;
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    const ssize_t length = ::readlink(link.c_str(), path.data(), path.size());
    return length > 0 ? std::string(path.data(), std::size_t(length)) : "";
}

std::string whole_path(int folder, const char* path) {
    if (path[0] == '/') return path;
    if (folder != AT_FDCWD) return path_of(folder) + "/" + path;
    std::array<char, PATH_MAX> here;
    return ::getcwd(here.data(), here.size()) ? std::string(here.data()) + "/" + path : path;
}

// Counts a call, with what it changes; true when it is to fail, with errno. `half`: what is still done of it
// before the program ends, or the call fails.
template <class Half>
bool fails(const std::string& path, const Half& half) {
    if (plan().under.empty() || !path.starts_with(plan().under)) return false;
    const long call = ++calls;
    const bool hit = plan().call > 0 && (plan().for_good ? call >= plan().call : call == plan().call);
    if (!hit) return false;
    if (call == plan().call) half();
    if (plan().cause == 0) ::kill(::getpid(), SIGKILL);
    errno = plan().cause;
    return true;
}
bool fails(const std::string& path) {
    return fails(path, [] {});
}
bool fails(int folder, const char* path) { return fails(whole_path(folder, path)); }

int open_file(int folder, const char* path, int flags, mode_t mode) {
    const bool changes = (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0;
    if (changes && fails(folder, path)) return -1;
    return int(::syscall(SYS_openat, folder, path, flags, mode));
}

mode_t mode_of(int flags, va_list arguments) {
    const bool makes = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
    return makes ? va_arg(arguments, mode_t) : 0;
}

std::FILE* open_stream(const char* name, const char* path, const char* mode) {
    if (mode[0] != 'r' && fails(AT_FDCWD, path)) return nullptr;
    using Open = std::FILE* (*)(const char*, const char*);
    return reinterpret_cast<Open>(::dlsym(RTLD_NEXT, name))(path, mode);
}

struct Counted {
    ~Counted() {
        const std::string file = variable("HEADLIGHT_DISK_COUNT"), count = std::to_string(calls) + "\n";
        if (file.empty()) return;
        const auto descriptor =
            ::syscall(SYS_openat, AT_FDCWD, file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
        (void)::syscall(SYS_write, descriptor, count.c_str(), count.size());
    }
} counted;

} // namespace

extern "C" {

#define HEADLIGHT_OPEN(NAME)                                                                                 \
    int NAME(const char* path, int flags, ...) {                                                             \
        va_list arguments;                                                                                   \
        va_start(arguments, flags);                                                                          \
        const mode_t mode = mode_of(flags, arguments);                                                       \
        va_end(arguments);                                                                                   \
        return open_file(AT_FDCWD, path, flags, mode);                                                       \
    }
#define HEADLIGHT_OPENAT(NAME)                                                                               \
    int NAME(int folder, const char* path, int flags, ...) {                                                 \
        va_list arguments;                                                                                   \
        va_start(arguments, flags);                                                                          \
        const mode_t mode = mode_of(flags, arguments);                                                       \
        va_end(arguments);                                                                                   \
        return open_file(folder, path, flags, mode);                                                         \
    }
HEADLIGHT_OPEN(open)
HEADLIGHT_OPEN(open64)
HEADLIGHT_OPENAT(openat)
HEADLIGHT_OPENAT(openat64)

std::FILE* fopen(const char* path, const char* mode) { return open_stream("fopen", path, mode); }
std::FILE* fopen64(const char* path, const char* mode) { return open_stream("fopen64", path, mode); }

ssize_t write(int file, const void* bytes, size_t count) {
    if (fails(path_of(file), [&] { (void)::syscall(SYS_write, file, bytes, count / 2); })) return -1;
    return ::syscall(SYS_write, file, bytes, count);
}

int fsync(int file) { return fails(path_of(file)) ? -1 : 0; } // no test waits for a disk
int fdatasync(int file) { return fails(path_of(file)) ? -1 : 0; }

int ftruncate(int file, off_t size) noexcept {
    return fails(path_of(file)) ? -1 : int(::syscall(SYS_ftruncate, file, size));
}
int ftruncate64(int file, off64_t size) noexcept {
    return fails(path_of(file)) ? -1 : int(::syscall(SYS_ftruncate, file, size));
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
    if (fails(to_folder, to)) return -1;
    return int(::syscall(SYS_renameat2, from_folder, from, to_folder, to, 0));
}
int rename(const char* from, const char* to) noexcept { return renameat(AT_FDCWD, from, AT_FDCWD, to); }

int unlinkat(int folder, const char* path, int flags) noexcept {
    return fails(folder, path) ? -1 : int(::syscall(SYS_unlinkat, folder, path, flags));
}
int unlink(const char* path) noexcept { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char* path) noexcept { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char* path) noexcept {
    if (fails(AT_FDCWD, path)) return -1;
    if (::syscall(SYS_unlinkat, AT_FDCWD, path, 0) == 0) return 0;
    return errno == EISDIR || errno == EPERM ? int(::syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR))
                                             : -1;
}

int mkdirat(int folder, const char* path, mode_t mode) noexcept {
    return fails(folder, path) ? -1 : int(::syscall(SYS_mkdirat, folder, path, mode));
}
int mkdir(const char* path, mode_t mode) noexcept { return mkdirat(AT_FDCWD, path, mode); }
}
