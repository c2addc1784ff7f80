#pragma once

#include "engine/base/index.h"
#include "engine/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace headlight {

// Reading files that may be missing, huge, cut short or not files at all.

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

// A file that is being written, one byte after another.

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

// A file that appears whole or not at all: written under another name in the same folder, then renamed.
// Whoever reads meanwhile sees the old one; a full disk or a crash leaves the old one.
//
// A link stays: the file that it leads to is replaced. A device or a pipe stays, too: what is written to it
// goes straight through, as a shell's redirection does, and waits for a pipe's reader.

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
