// Own sentence pairs, read beside the window: a large file shows how far it is, and what is in it.
#pragma once

#include "engine/base/background.h"
#include "engine/base/result.h"
#include "engine/task/pairs.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace headlight {

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

} // namespace headlight
