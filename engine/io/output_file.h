// A file that is being written, one byte after another.
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace headlight {

// Owns an open descriptor. Errors name the file by what a person calls it: the full disk, the reader of a
// pipe who left, …
class OutputFile {
public:
    OutputFile(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {}
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile();

    Result<Done> write(const void* bytes, std::size_t count);
    Result<Done> write(std::string_view text) { return write(text.data(), text.size()); }
    // Returns when the bytes are on the disk, where there is one. At most once, after the last write.
    Result<Done> close();

private:
    std::string name_;
    int descriptor_;
};

// Waits until the folder's entries, made and renamed, are on the disk.
Result<Done> sync_folder(const std::filesystem::path& folder);

} // namespace headlight
