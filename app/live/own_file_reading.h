// A file of one's own to train on (labelled lines, a text), read beside the window: what is in it is told
// before anything trains.
#pragma once

#include "engine/base/background.h"
#include "engine/base/result.h"
#include "engine/task/task.h"

#include <atomic>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

struct OwnFileReport {
    Index examples = 0, held_out = 0;                  // lines, or windows of a text
    std::vector<std::pair<std::string, Index>> labels; // of labelled lines: how many have each
    Index vocabulary = 0;                              // tokens, special ones included
    Index merges = 0;                                  // that byte pairs learnt
    bool held_out_is_training = false;                 // too little to hold any out
    std::vector<std::string> first;                    // the beginnings of a few examples
};

class OwnFileReading {
public:
    // Begins at once. Errors, later: those of make_own_task.
    OwnFileReading(std::string task, std::filesystem::path file, TokenizerKind unit);
    ~OwnFileReading(); // gives up what is not yet learnt
    OwnFileReading(const OwnFileReading&) = delete;
    OwnFileReading& operator=(const OwnFileReading&) = delete;

    bool is_of(const std::string& task, const std::filesystem::path& file, TokenizerKind unit) const {
        return task_ == task && file_ == file && unit_ == unit;
    }
    const std::filesystem::path& file() const { return file_; }
    TokenizerKind unit() const { return unit_; }
    bool is_over() const { return result().has_value(); }
    std::optional<Result<OwnFileReport>> result() const; // nothing while it is still reading

private:
    Result<OwnFileReport> report() const;

    const std::string task_;
    const std::filesystem::path file_;
    const TokenizerKind unit_;
    mutable std::mutex mutex_;
    std::optional<Result<OwnFileReport>> result_;
    std::atomic<bool> give_up_ = false;
    BackgroundWork work_; // the last: everything it touches is there before it
};

} // namespace headlight
