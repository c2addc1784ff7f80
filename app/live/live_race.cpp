#include "app/live/live_race.h"

#include "engine/base/stopwatch.h"
#include "engine/base/threads.h"
#include "engine/io/file.h"
#include "engine/io/model_folder.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <tuple>

namespace headlight {

namespace {

// Seconds that a lane works before another may; where there are no threads, before a frame may be drawn.
double turn() { return has_threads() ? 0.05 : 0.01; }
constexpr const char* race_file = "race.jsonl";

std::string folder_name(const RaceEntry& entry) { return entry.model + "-" + std::to_string(entry.distance); }

} // namespace

LiveRace::LiveRace(RacePlan plan, std::filesystem::path assets, int threads)
    : LiveRace(Race{std::move(plan), {}, {}}, {}, std::move(assets), threads) {}

LiveRace::LiveRace(Race before, std::vector<TrainedRacer> trained, std::filesystem::path assets, int threads)
    : assets_(std::move(assets)), race_(std::move(before)), trained_(std::move(trained)) {
    begin_lanes(threads);
}

LiveRace::~LiveRace() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    wake_all();
    for (const auto& worker : workers_) worker->join();
}

void LiveRace::begin_lanes(int threads) {
    for (const std::string& model : race_.plan.models) {
        auto lane = std::make_unique<Lane>();
        lane->news.model = model;
        lane->news.entries = race_.entries() / Index(race_.plan.models.size());
        for (const RaceResult& result : race_.results) lane->news.done += result.entry.model == model;
        lane->is_over = !race_.next(model);
        lanes_.push_back(std::move(lane));
    }
    for (int i = 0; i < std::max(1, threads); ++i)
        workers_.push_back(std::make_unique<BackgroundWork>([this] { return work(); }));
}

void LiveRace::go() {
    {
        const std::lock_guard lock(mutex_);
        going_ = true;
        ++version_;
    }
    wake_all();
}

void LiveRace::stop() {
    const std::lock_guard lock(mutex_);
    going_ = false;
    ++version_;
}

bool LiveRace::is_over() const {
    return std::all_of(lanes_.begin(), lanes_.end(), [](const auto& lane) { return lane->is_over; });
}

bool LiveRace::is_going() const {
    const std::lock_guard lock(mutex_);
    return going_ && !is_over();
}

bool LiveRace::wait(double seconds) const {
    for (const auto& worker : workers_) worker->help(seconds);
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, std::chrono::duration<double>(seconds),
                           [&] { return is_over() || error_.has_value(); });
}

std::shared_ptr<const RaceNews> LiveRace::news() const {
    const std::lock_guard lock(mutex_);
    if (news_ && news_->version == version_) return news_;
    auto news = std::make_shared<RaceNews>();
    news->race = race_;
    for (const auto& lane : lanes_) news->lanes.push_back(lane->news);
    news->trained = trained_;
    news->is_going = going_ && !is_over();
    news->error = error_;
    news->version = version_;
    news_ = news;
    return news_;
}

// --- the threads -------------------------------------------------------------------------------------------

// Of those that rest the one that has done least.
LiveRace::Lane* LiveRace::next_lane() {
    Lane* next = nullptr;
    const auto done = [](const Lane& lane) { return std::tuple(lane.news.done, lane.news.step); };
    for (const auto& lane : lanes_)
        if (!lane->is_busy && !lane->is_over && (!next || done(*lane) < done(*next))) next = lane.get();
    return next;
}

void LiveRace::wake_all() {
    for (const auto& worker : workers_) worker->wake();
}

Portion LiveRace::work() {
    std::unique_lock lock(mutex_);
    if (ending_) return Portion::ended;
    Lane* const lane = going_ ? next_lane() : nullptr;
    if (!lane) return Portion::waits;
    lane->is_busy = true;
    try {
        train(*lane, lock);
    } catch (const std::bad_alloc&) {
        if (!lock.owns_lock()) lock.lock();
        error_ = Error{"error.training_memory", {}};
        going_ = false;
    }
    lane->is_busy = false;
    ++version_;
    wake_all(); // another may wait for a lane that rests
    if (is_over() || error_) ended_.notify_all();
    return Portion::more;
}

// One turn of a lane, without the lock while it computes.
void LiveRace::train(Lane& lane, std::unique_lock<std::mutex>& lock) {
    if (!lane.training) {
        const std::optional<RaceEntry> entry = race_.next(lane.news.model);
        lane.news.entry = entry;
        lane.news.checkpoints.clear();
        lane.news.step = 0;
        ++version_;
        const RacePlan plan = race_.plan;
        lock.unlock();
        Result<std::unique_ptr<RaceTraining>> begun = RaceTraining::begin(plan, *entry, assets_.string());
        lock.lock();
        if (!begun) {
            error_ = begun.error();
            going_ = false;
            return;
        }
        lane.training = *std::move(begun);
        if (!going_ || ending_) return;
    }
    lock.unlock();
    const Stopwatch watch;
    bool goes_on = true;
    while (goes_on && watch.seconds() < turn()) goes_on = lane.training->step();
    const RaceResult result = lane.training->result();
    lock.lock();
    lane.news.step = lane.training->steps();
    lane.news.checkpoints = result.checkpoints;
    if (!goes_on) finish(lane, result);
}

void LiveRace::finish(Lane& lane, const RaceResult& result) {
    race_.results.push_back(result);
    if (race_.is_best_so_far(race_.results.back())) {
        const ModelFiles& files = lane.training->model();
        std::erase_if(trained_, [&](const TrainedRacer& other) {
            return other.entry.model == result.entry.model && other.entry.distance == result.entry.distance;
        });
        trained_.push_back({result.entry, result.accuracy(), std::make_shared<const ModelFiles>(files)});
    }
    lane.training.reset();
    lane.news.step = 0;
    ++lane.news.done;
    lane.is_over = !race_.next(lane.news.model);
}

// --- on disk -----------------------------------------------------------------------------------------------

Result<Done> write_live_race(const std::filesystem::path& folder, const RaceNews& news, Index from) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    for (const TrainedRacer& racer : news.trained) {
        if (news.race.find(racer.entry) < news.race.results.data() + from) continue;
        const ModelFiles& files = *racer.files;
        const Result<Done> written = write_model_folder(folder / folder_name(racer.entry), files.config,
                                                        files.parameters, files.source, files.target);
        if (!written) return written;
    }
    return write_file_atomically(folder / race_file, race_text(news.race));
}

Result<std::optional<KeptRace>> read_live_race(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / race_file;
    if (std::error_code ignored; !std::filesystem::exists(file, ignored)) return std::optional<KeptRace>();
    Result<Race> race = read_race_file(file);
    if (!race) return race.error();
    KeptRace kept{*std::move(race), {}};
    for (const RaceResult& result : kept.race.results) {
        const bool is_first = result.entry.seed == 1;
        if (!is_first || kept.race.best_rate(result.entry.model, result.entry.distance) != result.entry.rate)
            continue;
        Result<ModelFiles> files = read_model_folder(folder / folder_name(result.entry));
        if (files)
            kept.trained.push_back(
                {result.entry, result.accuracy(), std::make_shared<const ModelFiles>(*std::move(files))});
    }
    return std::optional(std::move(kept));
}

} // namespace headlight
