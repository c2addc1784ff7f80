// A file that appears whole or not at all: written under another name in the same folder, then renamed.
// Whoever reads meanwhile sees the old one; a full disk or a crash leaves the old one.
//
// A link stays: the file that it leads to is replaced. A device or a pipe stays, too: what is written to it
// goes straight through, as a shell's redirection does, and waits for a pipe's reader.
#pragma once

#include "engine/base/result.h"
#include "engine/io/output_file.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace headlight {

class AtomicFile {
public:
    // Errors: the folder is missing or may not be written to; the path names a folder, a disk or a socket.
    static Result<AtomicFile> create(const std::filesystem::path& path);
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&&) = delete;
    ~AtomicFile(); // not committed: what was written is removed, and the old file stays

    OutputFile& contents() { return contents_; }
    Result<Done> write(std::string_view text) { return contents_.write(text); }
    // Errors: the disk is full. At most once, after the last write.
    Result<Done> commit();

private:
    AtomicFile(OutputFile contents, std::filesystem::path target, std::filesystem::path temporary)
        : contents_(std::move(contents)), target_(std::move(target)), temporary_(std::move(temporary)) {}
    OutputFile contents_;
    std::filesystem::path target_;    // what is replaced
    std::filesystem::path temporary_; // empty: committed, or nothing is replaced
};

// What this process may call something beside `path` as long as it is not whole; another name each time.
std::filesystem::path unfinished_name(const std::filesystem::path& path);
// A file, or a folder, that somebody writes in this way, or wrote when the program was killed.
bool is_unfinished_file(const std::filesystem::path& path);
// Those whose writers are gone. Whoever writes a file into a folder has it cleared up, too.
void clear_abandoned_files(const std::filesystem::path& folder);

Result<Done> write_file_atomically(const std::filesystem::path& path, std::string_view text);

} // namespace headlight
