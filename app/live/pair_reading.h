#pragma once

#include "engine/base/background.h"
#include "engine/base/result.h"
#include "engine/task/pairs.h"
#include "engine/task/task.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

// Own sentence pairs, read beside the window: a large file shows how far it is, and what is in it.

// What is known of a file of pairs once it is read.
struct PairReport {
    std::vector<SentencePair> pairs;
    std::vector<RefusedLine> refused;         // lines that are no pair, by number; the others are trained on
    Index source_words = 0, target_words = 0; // sizes of the two vocabularies, special tokens included
    Index unknown_words = 0;                  // of held-out pairs, occurrences: no training pair has them
    Index held_out = 0;                       // pairs
    bool held_out_is_training = false;        // too few pairs to hold any out
};

struct PairProgress {
    Index bytes_read = 0, bytes = 0; // of the file
    Index pairs = 0, refused = 0;    // so far
    bool ended = false;
};

class PairReading {
public:
    // Begins at once. Errors, later: those of a file that cannot be read, or has more than a gigabyte, and
    // pairs_none.
    explicit PairReading(std::filesystem::path file);
    ~PairReading(); // gives up what is not yet read
    PairReading(const PairReading&) = delete;
    PairReading& operator=(const PairReading&) = delete;

    const std::filesystem::path& file() const { return file_; }
    PairProgress progress() const;
    // Nothing while it is still reading.
    std::optional<Result<std::shared_ptr<const PairReport>>> result() const;
    // Waits for it; nothing when `give_up` is raised before, which is looked at now and then.
    std::optional<Result<std::shared_ptr<const PairReport>>> wait(const std::atomic<bool>& give_up) const;

private:
    void read();
    Result<std::shared_ptr<const PairReport>> report();
    void set_progress(const PairReport& report, Index bytes_read, Index bytes);

    const std::filesystem::path file_;
    mutable std::mutex mutex_;
    mutable std::condition_variable ended_;
    PairProgress progress_;
    std::optional<Result<std::shared_ptr<const PairReport>>> result_;
    std::atomic<bool> give_up_ = false;
    mutable BackgroundWork work_; // the last: everything it touches is there before it
};

// A file of one's own to train on (labelled lines, a text), read beside the window: what is in it is told
// before anything trains.

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
