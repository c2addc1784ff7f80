#include "app/live/kept_runs.h"

#include "engine/io/folder_transaction.h"
#include "engine/io/system.h"

#include <algorithm>
#include <new>
#include <utility>

namespace headlight {

namespace fs = std::filesystem;

namespace {

// Disks are slow and timelines long. Seconds, and seconds for each that the last writing took.
constexpr double shortest_rest = 0.25, rest_for_newest = 4, rest_for_all = 10;

bool is_run(const fs::path& folder) {
    (void)finish_interrupted_commit(folder); // when it cannot be done, reading says so
    std::error_code ignored;
    return fs::exists(folder / "run.json", ignored);
}

// Unless another program is writing there.
void remove_folder(const fs::path& folder) {
    const Result<FolderLock> lock = FolderLock::take(folder, 0);
    if (!lock) return;
    std::error_code ignored;
    fs::remove(folder / "run.json", ignored); // what is stopped from here on is no run any more
    fs::remove_all(folder, ignored);
}

bool has_changed(const Run& run) { return !run.is_remembered && run.model && !run.steps.empty(); }

} // namespace

// --- reading
// ------------------------------------------------------------------------------------------------

KeptRuns::KeptRuns(fs::path folder, std::size_t most_runs) : folder_(std::move(folder)) {
    // As they are now: what this window writes meanwhile is not read.
    reader_ = std::make_unique<BackgroundWork>([this, found = numbered_folders(folder_), most_runs] {
        read(found, most_runs);
        return Portion::ended;
    });
}

KeptRuns::~KeptRuns() {
    reader_->join();
    if (writer_) writer_->join();
}

void KeptRuns::read(const std::vector<std::pair<Index, std::string>>& found, std::size_t most_runs) {
    Remembered remembered;
    for (const auto& [number, name] : found) {
        if (!is_run(folder_ / name)) continue; // cut short: never was a run
        if (remembered.runs.size() >= most_runs) break;
        clear_leftovers(folder_ / name);
        const FolderStamp files = stamp_of_folder(folder_ / name);
        Result<std::unique_ptr<Run>> run = read_run(folder_ / name);
        if (!run) {
            remembered.errors.push_back(run.error());
            continue;
        }
        (*run)->remembered_as = name;
        (*run)->remembered_files = files; // if it changed since, it is another window's
        (*run)->is_remembered = (*run)->is_newest_remembered = true;
        remembered.runs.push_back(*std::move(run));
    }
    const std::lock_guard lock(mutex_);
    remembered_ = std::move(remembered);
}

std::optional<KeptRuns::Remembered> KeptRuns::take() {
    const std::lock_guard lock(mutex_);
    is_taken_ = is_taken_ || remembered_;
    if (remembered_)
        for (const auto& run : remembered_->runs) own_[run->remembered_as] = run->remembered_files;
    return std::exchange(remembered_, std::nullopt);
}

std::optional<KeptRuns::Remembered> KeptRuns::wait() {
    reader_->join();
    return take();
}

// --- writing
// ------------------------------------------------------------------------------------------------

// `name`: the run's folder, which had these files; empty: none yet.
KeptRuns::Written KeptRuns::write_one(std::string name, const FolderStamp& files, const RunRecord& record,
                                      Extent extent) const {
    const Stopwatch watch;
    Written written;
    written.extent = extent;
    const bool is_new = name.empty();
    written.name = is_new ? claim_numbered_folder(folder_).filename().string() : std::move(name);
    Result<FolderTransaction> to = FolderTransaction::begin(folder_ / written.name);
    if (!is_new && (!to || stamp_of_folder(to->folder()) != files)) { // another window has gone on with it
        written = write_one({}, {}, record, Extent::all);
    } else if (!to) {
        written.error = to.error();
    } else {
        Result<Done> done = extent == Extent::all ? write_run(*to, record) : write_newest_of_run(*to, record);
        if (done) done = to->commit();
        if (!done) written.error = done.error();
        written.files = stamp_of_folder(to->folder());
    }
    written.seconds = watch.seconds();
    return written;
}

std::optional<Error> KeptRuns::take_over(Run* run, Written written) {
    if (run && written.error) run->is_remembered = run->is_newest_remembered = false;
    if (written.error) return written.error;
    own_[written.name] = written.files;
    if (run) {
        run->remembered_as = written.name;
        run->remembered_files = std::move(written.files);
    }
    return std::nullopt;
}

std::optional<Error> KeptRuns::settle(const Runs& runs) {
    if (!writer_ || !has_written_) return std::nullopt;
    writer_.reset();
    since_writing_ = {};
    rest_ = std::max(shortest_rest, rest_for_newest * written_.seconds);
    if (written_.extent == Extent::all) {
        since_all_ = {};
        rest_of_all_ = rest_for_all * written_.seconds;
        rest_ = shortest_rest;
    }
    const auto found =
        std::find_if(runs.begin(), runs.end(), [&](const auto& run) { return run->channel == at_writer_; });
    at_writer_.reset();
    return take_over(found == runs.end() ? nullptr : found->get(), std::exchange(written_, {}));
}

void KeptRuns::forget_others(const Runs& runs) {
    std::erase_if(own_, [&](const auto& own) {
        const auto& [name, files] = own;
        const bool is_known =
            spared_.contains(name) || std::any_of(runs.begin(), runs.end(), [&name = name](const auto& run) {
                return run->remembered_as == name;
            });
        // As it was left: else another window has gone on with it.
        if (!is_known && stamp_of_folder(folder_ / name) == files) remove_folder(folder_ / name);
        return !is_known;
    });
}

bool KeptRuns::is_due(const Run& run) const {
    return has_changed(run) && (!run.is_newest_remembered || since_all_.seconds() >= rest_of_all_);
}

std::optional<Error> KeptRuns::keep(const Runs& runs) {
    const std::optional<Error> error = settle(runs);
    if (writer_) return error;
    forget_others(runs);
    if (since_writing_.seconds() < rest_) return error;
    Run* due = nullptr;
    for (const auto& run : runs) // one that trains is always due: it waits for the others
        if (is_due(*run) && (!due || due->training)) due = run.get();
    if (!due) return error;
    Run& run = *due;
    if (run.training && asked_ != run.channel) {
        asked_ = run.channel;
        asked_->ask_for_checkpoint();
    }
    const std::optional<Checkpoint> now =
        run.training ? asked_->take_asked_checkpoint(run.step()) : std::nullopt;
    if (run.training && !now) return error; // after the step that is being made
    asked_.reset();
    std::optional<RunRecord> record = record_of(run, now);
    if (!record) return error;
    const Extent extent = since_all_.seconds() >= rest_of_all_ ? Extent::all : Extent::newest;
    run.is_newest_remembered = true; // what happens from here on is not
    run.is_remembered = extent == Extent::all;
    at_writer_ = run.channel;
    has_written_ = false;
    writer_ = std::make_unique<BackgroundWork>(
        [this, name = run.remembered_as, files = run.remembered_files, record = *std::move(record), extent] {
            try {
                written_ = write_one(name, files, record, extent);
            } catch (const std::bad_alloc&) {
                written_.error = Error{"error.training_memory", {}};
            }
            has_written_ = true;
            return Portion::ended;
        });
    return error;
}

bool KeptRuns::is_behind(const Runs& runs) const {
    return writer_
           || std::any_of(runs.begin(), runs.end(), [](const auto& run) { return has_changed(*run); });
}

std::vector<Error> KeptRuns::write(const Runs& runs) {
    std::vector<Error> errors;
    if (writer_) writer_->join();
    (void)settle(runs); // a run that could not be written is written again
    for (const auto& run : runs) {
        if (!has_changed(*run)) continue;
        const std::optional<RunRecord> record = record_of(*run);
        if (!record) continue;
        run->is_remembered = run->is_newest_remembered = true;
        if (auto error = take_over(
                run.get(), write_one(run->remembered_as, run->remembered_files, *record, Extent::all)))
            errors.push_back(*std::move(error));
    }
    spared_.clear();
    forget_others(runs);
    for (const auto& [number, name] : numbered_folders(folder_))
        if (!is_run(folder_ / name)) remove_folder(folder_ / name); // what a stopped window claimed
    return errors;
}

fs::path training_folder() {
    const fs::path folder = data_folder();
    return folder.empty() ? folder : folder / "training";
}

} // namespace headlight
