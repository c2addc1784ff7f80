// Reading files that may be missing, huge, cut short or not files at all.
#pragma once

#include "engine/base/result.h"
#include "engine/tensor/real.h"

#include <filesystem>
#include <string>

namespace headlight {

// An open file. What was not yet read is not in memory, so a file of weights larger than the memory can be
// opened to read a few of them; and a file that another program cuts short meanwhile is an Error, where one
// mapped into memory would be the end of this program.
class InputFile {
public:
    // Errors: missing, not permitted, a folder or a device.
    static Result<InputFile> open(const std::filesystem::path& path);
    InputFile(InputFile&& other) noexcept;
    InputFile& operator=(InputFile&& other) noexcept;
    ~InputFile();

    const std::string& name() const { return name_; } // the path, for errors
    Index size() const { return size_; }              // bytes, when it was opened
    // Exactly `bytes` bytes from `offset`; fewer are an Error.
    Result<Done> read(Index offset, void* to, Index bytes) const;

private:
    InputFile(std::string name, int descriptor, Index size)
        : name_(std::move(name)), descriptor_(descriptor), size_(size) {}
    std::string name_;
    int descriptor_ = -1;
    Index size_ = 0;
};

// The whole of a file of at most `limit` bytes.
Result<std::string> read_file(const std::filesystem::path& path, Index limit);

// The Error of a failed system call, by errno; `otherwise` is the key when the cause is none of the usual.
Error file_error(const std::string& name, int cause, const std::string& otherwise);

} // namespace headlight
