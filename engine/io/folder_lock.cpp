#include "engine/base/stopwatch.h"
#include "engine/io/file.h"
#include "engine/io/folder_transaction.h"

#include <cerrno>
#include <chrono>
#include <thread>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::milliseconds between_attempts{5};

#ifdef _WIN32

constexpr std::int64_t nobody = 0;

// A semaphore that is called by the folder's name: gone with the program, whatever ends it. A mutex would
// belong to the thread that took it.
HANDLE semaphore_of(const fs::path& folder) {
    std::error_code ignored;
    const fs::path whole = fs::weakly_canonical(folder, ignored);
    const std::wstring name =
        L"Local\\headlight-"
        + std::to_wstring(std::hash<std::wstring>()((whole.empty() ? folder : whole).native()));
    return CreateSemaphoreW(nullptr, 1, 1, name.c_str());
}

#endif

} // namespace

#ifdef _WIN32

Result<FolderLock> FolderLock::take(const fs::path& folder, double seconds) {
    const Stopwatch waiting;
    for (;;) {
        std::error_code ignored;
        if (!fs::is_directory(folder, ignored))
            return file_error(folder.string(), ENOENT, "error.file_unwritable");
        const HANDLE semaphore = semaphore_of(folder);
        if (!semaphore) return FolderLock(nobody); // no locks here
        if (WaitForSingleObject(semaphore, 0) == WAIT_OBJECT_0) return FolderLock(std::int64_t(semaphore));
        CloseHandle(semaphore);
        if (waiting.seconds() >= seconds) return Error{"error.folder_busy", {folder.string()}};
        std::this_thread::sleep_for(between_attempts);
    }
}

FolderLock::~FolderLock() {
    if (held_ <= nobody) return;
    ReleaseSemaphore(HANDLE(held_), 1, nullptr);
    CloseHandle(HANDLE(held_));
}

#else

Result<FolderLock> FolderLock::take(const fs::path& folder, double seconds) {
    const Stopwatch waiting;
    for (;;) {
        const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (descriptor < 0) return file_error(folder.string(), errno, "error.file_unwritable");
        FolderLock lock(descriptor);
        if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
            struct stat locked {
            }, named{};
            const bool is_it = ::fstat(descriptor, &locked) == 0 && ::stat(folder.c_str(), &named) == 0
                               && locked.st_ino == named.st_ino && locked.st_dev == named.st_dev;
            if (is_it) return lock; // and not one that was removed meanwhile
        } else if (errno != EWOULDBLOCK && errno != EINTR) {
            return lock; // no locks here
        }
        if (waiting.seconds() >= seconds) return Error{"error.folder_busy", {folder.string()}};
        std::this_thread::sleep_for(between_attempts);
    }
}

FolderLock::~FolderLock() {
    if (held_ >= 0) ::close(int(held_));
}

#endif

} // namespace headlight
