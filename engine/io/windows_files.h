// What the sources of this folder ask of POSIX, and Windows has under other names. Files are bytes, and names
// are wide: a path of any letters opens.
#pragma once

#ifdef _WIN32

#include <cstddef>
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

namespace headlight::on_windows {

constexpr int O_CLOEXEC = _O_NOINHERIT, O_NONBLOCK = 0;
constexpr int PROT_READ = 1, MAP_PRIVATE = 2;
inline void* const MAP_FAILED = nullptr;

// As POSIX has them; errno says why.
int open(const wchar_t* path, int flags, int permissions = 0666);
int fsync(int descriptor);
void* mmap(void* at, std::size_t size, int, int, int descriptor, int);
int munmap(void* bytes, std::size_t size);
// Over a file that is there already, too.
int rename(const wchar_t* from, const wchar_t* to);
int unlink(const wchar_t* path);
int rmdir(const wchar_t* path);
bool is_folder(const wchar_t* path);
bool is_running(long process);

} // namespace headlight::on_windows

#endif
