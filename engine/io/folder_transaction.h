#pragma once

#include "engine/base/result.h"
#include "engine/base/stopwatch.h"
#include "engine/io/file.h"
#include "engine/tensor/real.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace headlight {

// Several files of one folder that change together. At any moment, whatever fails and whenever the program or
// the machine stops, whoever opens the folder finds all of the old files or all of the new ones.
//
// New files are written to FOLDER/.headlight-staged and are brought to the disk there. One rename of that to
// FOLDER/.headlight-committed is the moment of the change. Then, file by file, the old one is moved aside and
// the new one into its place. When one of these moves fails, all are taken back. When the program is stopped
// between two of them, the next one that opens the folder or saves into it finishes them first.
//
//     .headlight-committed/new/NAME    not yet in its place
//                         /old/NAME    stood there before; kept until all are in place
//                         /files       the list: +NAME is brought, -NAME is no longer to be in the folder

// The one writer of a folder, among all programs, as long as it lives. Where the file system has no locks it
// keeps nobody out.
class FolderLock {
public:
    // Waits for others so many seconds. Errors: folder_busy.
    static Result<FolderLock> take(const std::filesystem::path& folder, double patience);
    FolderLock(FolderLock&& other) noexcept : held_(std::exchange(other.held_, -1)) {}
    FolderLock& operator=(FolderLock&& other) noexcept {
        std::swap(held_, other.held_);
        return *this;
    }
    ~FolderLock();

private:
    explicit FolderLock(std::int64_t held) : held_(held) {}
    std::int64_t held_ =
        -1; // descriptor of the folder itself, so that nothing is left behind; a handle on Windows
};

class FolderTransaction {
public:
    // Makes the folder when it is missing, and clears away what killed writers left. Errors: another program
    // is writing there; no permission; a full disk.
    static Result<FolderTransaction> begin(const std::filesystem::path& folder);
    FolderTransaction(FolderTransaction&& other) noexcept;
    FolderTransaction& operator=(FolderTransaction&&) = delete;
    ~FolderTransaction(); // not committed: the folder is as it was

    const std::filesystem::path& folder() const { return folder_; }
    // A file of the folder by its name in it. It is on the disk when this returns.
    Result<Done> write(const std::string& name, std::string_view text);
    Result<Done> write(const std::string& name, const std::function<Result<Done>(OutputFile&)>& contents);
    // None of this name is in the folder afterwards.
    void remove(std::string name) { removed_.push_back(std::move(name)); }
    // The moment of the change; at most once. After an Error the folder is as it was.
    Result<Done> commit();

private:
    FolderTransaction(std::filesystem::path folder, FolderLock lock, bool made_folder)
        : folder_(std::move(folder)), lock_(std::move(lock)), made_folder_(made_folder) {}
    Result<Done> make_stage();
    Result<Done> write_list();

    std::filesystem::path folder_; // empty: moved from
    FolderLock lock_;
    bool made_folder_;
    std::vector<std::string> brought_, removed_;
};

// What killed writers leave in a folder: nobody's files.
bool is_writers_leftover(const std::filesystem::path& entry);
// Whether there is anything else in it.
bool is_empty_but_for_leftovers(const std::filesystem::path& folder);

// Clears it away, unless another program is writing there.
void clear_leftovers(const std::filesystem::path& folder);

// Before a folder is read: finishes a change in which its writer was stopped. Errors: that cannot be done.
Result<Done> finish_interrupted_commit(const std::filesystem::path& folder);

// Which files are in the folder; another one of the same name is another file.
using FolderStamp = std::vector<std::pair<std::string, std::uint64_t>>;
FolderStamp stamp_of_folder(const std::filesystem::path& folder);

// Reads the files of a folder that are written together: those of one change, also when another program
// makes a change meanwhile. `read` returns a Result. One that changes all the time is read as it is in the
// end.
template <class Read>
auto read_settled(const std::filesystem::path& folder, const Read& read) -> decltype(read()) {
    constexpr int fewest_readings = 5;
    constexpr double patience = 3; // seconds: many changes of small files come to rest in them
    const Stopwatch reading;
    for (int readings = 1;; ++readings) {
        if (const Result<Done> finished = finish_interrupted_commit(folder); !finished)
            return finished.error();
        const FolderStamp before = stamp_of_folder(folder);
        auto result = read();
        if (stamp_of_folder(folder) == before) return result;
        if (readings >= fewest_readings && reading.seconds() >= patience) return result;
        if (readings >= fewest_readings) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

// A folder of folders that are called 1, 2, 3, …: one for each who came, in their order.

// Number and name, by number.
std::vector<std::pair<Index, std::string>> numbered_folders(const std::filesystem::path& folder);

// A folder that is nobody's yet, behind all others: whoever makes it has it. Where it cannot be made, its
// path alone: writing into it says why.
std::filesystem::path claim_numbered_folder(const std::filesystem::path& folder);

} // namespace headlight
