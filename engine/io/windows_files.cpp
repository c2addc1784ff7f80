#include "engine/io/windows_files.h"

#ifdef _WIN32

#include <cerrno>
#include <cstdlib>
#include <cwchar>
#include <utility>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

namespace headlight::on_windows {

namespace {

// errno of what Windows said last.
int failed() {
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
        errno = ENOENT;
        break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
        errno = EACCES;
        break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
        errno = EEXIST;
        break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        errno = ENOSPC;
        break;
    default:
        errno = EIO;
    }
    return -1;
}

} // namespace

// Others may rename and remove what is open, as elsewhere: _wopen would forbid it.
int open(const wchar_t* path, int flags, int) {
    const bool writes = flags & (O_WRONLY | O_RDWR);
    const DWORD access = !writes            ? GENERIC_READ
                         : flags & O_APPEND ? FILE_APPEND_DATA | SYNCHRONIZE
                                            : GENERIC_WRITE;
    const DWORD how = !(flags & O_CREAT) ? OPEN_EXISTING : flags & O_EXCL ? CREATE_NEW : OPEN_ALWAYS;
    const HANDLE file = CreateFileW(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                    nullptr, how, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) return failed();
    const int descriptor = _open_osfhandle(intptr_t(file), (flags & (O_APPEND | O_RDONLY)) | _O_BINARY);
    if (descriptor < 0) CloseHandle(file);
    return descriptor;
}

int fsync(int descriptor) {
    if (FlushFileBuffers(HANDLE(_get_osfhandle(descriptor)))) return 0;
    if (GetLastError() == ERROR_INVALID_HANDLE
        || GetLastError() == ERROR_INVALID_FUNCTION) { // a terminal, a pipe
        errno = EINVAL;
        return -1;
    }
    return failed();
}

void* mmap(void*, std::size_t, int, int, int descriptor, int) {
    const HANDLE mapping =
        CreateFileMappingW(HANDLE(_get_osfhandle(descriptor)), nullptr, PAGE_READONLY, 0, 0, nullptr);
    if (!mapping) return failed(), nullptr;
    void* bytes = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0);
    if (!bytes) (void)failed();
    CloseHandle(mapping); // the view keeps it
    return bytes;
}

int munmap(void* bytes, std::size_t) { return UnmapViewOfFile(bytes) ? 0 : failed(); }

int rename(const wchar_t* from, const wchar_t* to) {
    return MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ? 0 : failed();
}

int unlink(const wchar_t* path) { return DeleteFileW(path) ? 0 : failed(); }
int rmdir(const wchar_t* path) { return RemoveDirectoryW(path) ? 0 : failed(); }

bool is_folder(const wchar_t* path) {
    const DWORD attributes = GetFileAttributesW(path);
    return attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_DIRECTORY;
}

bool is_running(long process) {
    const HANDLE handle = OpenProcess(SYNCHRONIZE, FALSE, DWORD(process));
    if (!handle) return GetLastError() == ERROR_ACCESS_DENIED;
    const bool runs = WaitForSingleObject(handle, 0) == WAIT_TIMEOUT;
    CloseHandle(handle);
    return runs;
}

} // namespace headlight::on_windows

// The C++ library asks C's mbrtowc for a path's wide letters, and that knows no UTF-8 here; the linker gives
// it this one
// (--wrap). A letter beyond 16 bits is two surrogates: the first for three bytes, the second, kept in
// between, for the last.
extern "C" std::size_t __wrap_mbrtowc(wchar_t* to, const char* from, std::size_t count,
                                      std::mbstate_t* state) {
    constexpr std::size_t wrong = std::size_t(-1), too_short = std::size_t(-2);
    if (from == nullptr || count == 0) return from == nullptr ? 0 : too_short;
    const auto say = [&](unsigned letter) {
        if (to) *to = wchar_t(letter);
    };
    const auto byte = [&](std::size_t i) { return unsigned(static_cast<unsigned char>(from[i])); };
    if (state && *state != 0) {
        say(unsigned(std::exchange(*state, 0)));
        return 1;
    }
    const unsigned first = byte(0);
    if (first < 0x80) return say(first), first == 0 ? 0 : 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4) return errno = EILSEQ, wrong;
    if (count < length) return too_short;
    unsigned letter = first & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return errno = EILSEQ, wrong;
        letter = letter << 6 | (byte(i) & 0x3F);
    }
    if (letter < 0x10000) return say(letter), length;
    if (!state) return errno = EILSEQ, wrong;
    say(0xD800 + ((letter - 0x10000) >> 10));
    *state = int(0xDC00 + ((letter - 0x10000) & 0x3FF));
    return 3;
}

#endif
