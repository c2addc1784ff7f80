#include "app/live/kept_runs.h"

#include "engine/io/folder_transaction.h"
#include "engine/io/system.h"

#include <algorithm>
#include <charconv>
#include <new>
#include <utility>

namespace headlight {

namespace fs = std::filesystem;

namespace {

// Folders are called 1, 2, 3, …: the order of the runs.
std::vector<std::pair<Index, std::string>> numbered_folders(const fs::path& folder) {
    std::vector<std::pair<Index, std::string>> numbered;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        Index number = 0;
        const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (fault == std::errc() && end == name.data() + name.size() && entry.is_directory(ignored))
            numbered.emplace_back(number, name);
    }
    std::sort(numbered.begin(), numbered.end());
    return numbered;
}

// Disks are slow and timelines long: at most a tenth of the time is spent with writing.
constexpr double shortest_rest = 2, rest_for_each_second = 10; // seconds

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

bool is_due(const Run& run) { return !run.is_remembered && run.model && !run.steps.empty(); }

} // namespace

// --- reading
// ------------------------------------------------------------------------------------------------

KeptRuns::KeptRuns(fs::path folder, std::size_t most_runs, Index timeline_budget)
    : folder_(std::move(folder)), rest_(shortest_rest) {
    reader_ = std::make_unique<BackgroundWork>([this, most_runs, timeline_budget] {
        read(most_runs, timeline_budget);
        return Portion::ended;
    });
}

KeptRuns::~KeptRuns() {
    reader_->join();
    if (writer_) writer_->join();
}

void KeptRuns::read(std::size_t most_runs, Index timeline_budget) {
    Remembered remembered;
    for (const auto& [number, name] : numbered_folders(folder_)) {
        if (!is_run(folder_ / name)) continue; // cut short: never was a run
        if (remembered.runs.size() >= most_runs) break;
        const FolderStamp files = stamp_of_folder(folder_ / name);
        Result<std::unique_ptr<Run>> run = read_run(folder_ / name, timeline_budget);
        if (!run) {
            remembered.errors.push_back(run.error());
            continue;
        }
        (*run)->remembered_as = name;
        (*run)->remembered_files = files; // if it changed since, it is another window's
        (*run)->is_remembered = true;
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

// A folder that is nobody's yet: whoever makes it has it.
std::string KeptRuns::claim_name() const {
    std::error_code cause;
    fs::create_directories(folder_, cause);
    Index number = 1;
    for (const auto& [taken, name] : numbered_folders(folder_)) number = std::max(number, taken + 1);
    while (!cause && !fs::create_directory(folder_ / std::to_string(number), cause)) ++number;
    return std::to_string(number); // when it cannot be made, the writing says why
}

// `name`: the run's folder, which had these files; empty: none yet.
KeptRuns::Written KeptRuns::write_one(std::string name, const FolderStamp& files,
                                      const RunRecord& record) const {
    const Stopwatch watch;
    Written written;
    const bool is_new = name.empty();
    written.name = is_new ? claim_name() : std::move(name);
    Result<FolderTransaction> to = FolderTransaction::begin(folder_ / written.name);
    if (!is_new && (!to || stamp_of_folder(to->folder()) != files)) { // another window has gone on with it
        written = write_one({}, {}, record);
    } else if (!to) {
        written.error = to.error();
    } else {
        Result<Done> done = write_run(*to, record);
        if (done) done = to->commit();
        if (!done) written.error = done.error();
        written.files = stamp_of_folder(to->folder());
    }
    written.seconds = watch.seconds();
    return written;
}

std::optional<Error> KeptRuns::take_over(Run* run, Written written) {
    if (run && written.error) run->is_remembered = false;
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
    rest_ = std::max(shortest_rest, rest_for_each_second * written_.seconds);
    const auto found =
        std::find_if(runs.begin(), runs.end(), [&](const auto& run) { return run->channel == at_writer_; });
    at_writer_.reset();
    return take_over(found == runs.end() ? nullptr : found->get(), std::exchange(written_, {}));
}

void KeptRuns::forget_others(const Runs& runs) {
    std::erase_if(own_, [&](const auto& own) {
        const auto& [name, files] = own;
        const bool is_known = std::any_of(
            runs.begin(), runs.end(), [&name = name](const auto& run) { return run->remembered_as == name; });
        // As it was left: else another window has gone on with it.
        if (!is_known && stamp_of_folder(folder_ / name) == files) remove_folder(folder_ / name);
        return !is_known;
    });
}

std::optional<Error> KeptRuns::keep(const Runs& runs) {
    if (!is_taken_) return std::nullopt;
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
        asked_->ask_for_moment();
    }
    const std::optional<Moment> now = run.training ? asked_->take_asked_moment(run.step()) : std::nullopt;
    if (run.training && !now) return error; // after the step that is being made
    asked_.reset();
    std::optional<RunRecord> record = record_of(run, now);
    if (!record) return error;
    run.is_remembered = true; // what happens from here on is not
    at_writer_ = run.channel;
    has_written_ = false;
    writer_ = std::make_unique<BackgroundWork>(
        [this, name = run.remembered_as, files = run.remembered_files, record = *std::move(record)] {
            try {
                written_ = write_one(name, files, record);
            } catch (const std::bad_alloc&) {
                written_.error = Error{"error.training_memory", {}};
            }
            has_written_ = true;
            return Portion::ended;
        });
    return error;
}

bool KeptRuns::is_behind(const Runs& runs) const {
    return is_taken_ && (writer_ || std::any_of(runs.begin(), runs.end(), [](const auto& run) {
                             return is_due(*run);
                         }));
}

std::vector<Error> KeptRuns::write(const Runs& runs) {
    std::vector<Error> errors;
    if (writer_) writer_->join();
    (void)settle(runs); // a run that could not be written is written again
    for (const auto& run : runs) {
        if (!is_due(*run)) continue;
        const std::optional<RunRecord> record = record_of(*run);
        if (!record) continue;
        run->is_remembered = true;
        if (auto error = take_over(run.get(), write_one(run->remembered_as, run->remembered_files, *record)))
            errors.push_back(*std::move(error));
    }
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
