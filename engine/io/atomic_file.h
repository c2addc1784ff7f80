// A file that appears whole or not at all: written under another name in the same folder, then renamed.
// Whoever reads meanwhile sees the old one; a full disk or a crash leaves the old one.
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace headlight {

class AtomicFile {
public:
    // Errors: the folder is missing or may not be written to.
    static Result<AtomicFile> create(const std::filesystem::path& path);
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&&) = delete;
    ~AtomicFile(); // not committed: what was written is removed, and the old file stays

    Result<Done> write(const void* bytes, std::size_t count);
    Result<Done> write(std::string_view text) { return write(text.data(), text.size()); }
    // Errors: the disk is full, or the path names a folder. At most once, after the last write.
    Result<Done> commit();

private:
    AtomicFile(std::filesystem::path path, std::filesystem::path temporary, int descriptor)
        : path_(std::move(path)), temporary_(std::move(temporary)), descriptor_(descriptor) {}
    std::filesystem::path path_;
    std::filesystem::path temporary_; // empty: committed
    int descriptor_ = -1;
};

Result<Done> write_file_atomically(const std::filesystem::path& path, std::string_view text);

} // namespace headlight
