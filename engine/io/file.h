// Reading files that may be missing, huge, cut short or not files at all.
#pragma once

#include "engine/base/result.h"
#include "engine/base/index.h"

#include <filesystem>
#include <string>

namespace headlight {

// An open file, mapped into memory: a file of weights larger than the memory can be opened to read a few of
// them, and what was read once is read again at no cost. Before every read the file's size is asked for
// again, so that one which another program has cut short meanwhile is an Error.
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
    // What was read of it and is not needed again need not stay in memory.
    void forget(Index offset, Index bytes) const;

private:
    InputFile(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {}
    std::string name_;
    int descriptor_ = -1;
    const char* bytes_ = nullptr; // the mapping; none of an empty file
    Index size_ = 0;
};

// The whole of a file of at most `limit` bytes.
Result<std::string> read_file(const std::filesystem::path& path, Index limit);

// The Error of a failed system call, by errno; `otherwise` is the key when the cause is none of the usual.
Error file_error(const std::string& name, int cause, const std::string& otherwise);

} // namespace headlight
