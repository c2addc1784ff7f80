// A disk that fails when a test wants it to: every change that the engine makes to the file system goes
// through one of a few system calls, which the test program defines in the C library's stead.
#pragma once

namespace headlight::test {

// While it lives, the calls of this thread that change the disk (open for writing, write, fsync, rename,
// unlink, mkdir, rmdir) are counted from 1. One at a time.
class FailingDisk {
public:
    enum class From {
        once,    // one call fails, as of a disk that is full, and the next ones work again
        for_good // that call and all later ones: nothing more reaches the disk, as after a kill
    };
    // Of call number `call`. Of a write that fails, half of the bytes arrive. 0: none fails.
    explicit FailingDisk(int call, From from = From::once);
    ~FailingDisk();
    FailingDisk(const FailingDisk&) = delete;
    FailingDisk& operator=(const FailingDisk&) = delete;

    int calls() const; // so far
};

} // namespace headlight::test
