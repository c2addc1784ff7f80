#include "engine/io/windows_files.h"

#ifdef _WIN32

#include <cerrno>
#include <cstdlib>

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

#endif
