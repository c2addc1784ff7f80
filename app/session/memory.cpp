#include "app/session/memory.h"

#include "engine/base/check.h"
#include "engine/io/folder_transaction.h"
#include "engine/model/transformer.h"
#include "engine/task/tasks.h"
#include "engine/text/tokenizer.h"

#include <algorithm>
#include <system_error>
#include <thread>

namespace headlight {

namespace {

namespace fs = std::filesystem;

int racing_threads() { return std::max(1, int(std::thread::hardware_concurrency())); }

MemoryQuestion question_of(const ModelFiles& files, const SentencePair& pair) {
    const std::vector<TokenId> answer = files.target.encode_ids(pair.target);
    return {files.source.encode_ids(pair.source), answer.empty() ? files.config.unk_id : answer.front()};
}

} // namespace

fs::path racer_folder(const fs::path& assets, const std::string& task, const RaceEntry& entry) {
    return assets / "races" / task / (entry.model + "-" + std::to_string(entry.distance));
}

const RacerAnswer* RacerAnswers::of(std::string_view model) const {
    for (const RacerAnswer& racer : racers)
        if (racer.entry.model == model) return &racer;
    return nullptr;
}

Memory::Memory(fs::path assets) : assets_(std::move(assets)) {
    for (const std::string& task : memory_task_names())
        if (std::error_code none; fs::exists(assets_ / "races" / (task + ".jsonl"), none))
            shipped_.insert(task);
}

Memory::~Memory() {
    if (live_) live_->stop();
    if (live_) news_ = live_->news();
    live_.reset();
    keeping_.reset();
    if (!folder_.empty() && news_ && news_->race.done() > kept_)
        (void)write_live_race(folder_, *news_, kept_);
}

// --- races -------------------------------------------------------------------------------------------------

const ReadyRace* Memory::ready(const std::string& task) const {
    const auto known = ready_.find(task);
    return known != ready_.end() && known->second ? &*known->second : nullptr;
}

void Memory::look_for_ready(const std::string& task) {
    if (ready_.contains(task)) return;
    std::optional<ReadyRace>& ready = ready_[task];
    const fs::path file = assets_ / "races" / (task + ".jsonl");
    if (std::error_code ignored; !fs::exists(file, ignored)) return;
    Result<Race> race = read_race_file(file);
    if (!race) {
        trouble_ = race.error();
        return;
    }
    ready = ReadyRace{*std::move(race), {}};
    for (const std::string& model : ready->race.plan.models)
        for (const Index distance : ready->race.plan.distances) {
            const std::vector<const RaceResult*> best = ready->race.best(model, distance);
            if (best.empty()) continue;
            std::error_code ignored;
            if (fs::exists(racer_folder(assets_, task, best.front()->entry), ignored))
                ready->trained.push_back({best.front()->entry, best.front()->accuracy(), nullptr});
        }
}

Result<Done> Memory::start(const RacePlan& plan) {
    if (const Result<Done> checked = check_race(plan); !checked) return checked;
    if (news_ && news_->race.plan != plan) return Error{"error.race_is_there", {}};
    if (!live_) live_ = std::make_unique<LiveRace>(plan, assets_, racing_threads());
    live_->go();
    news_ = live_->news();
    return Done{};
}

void Memory::stop() {
    if (!live_) return;
    live_->stop();
    news_ = live_->news();
}

void Memory::forget() {
    live_.reset();
    news_.reset();
    keeping_.reset();
    kept_ = 0;
    if (answers_ && answers_->asked.own) answers_.reset();
    if (!folder_.empty()) { // only what was written by this room
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
}

bool Memory::is_going() const { return live_ && live_->is_going(); }

bool Memory::wait(double seconds) {
    const bool is_over = !live_ || live_->wait(seconds);
    if (live_) news_ = live_->news();
    return is_over;
}

void Memory::remember_in(const fs::path& folder) {
    std::error_code ignored;
    fs::create_directories(folder, ignored);
    // Where the only race was kept before each window had its own.
    if (const fs::path before = folder.parent_path() / "race";
        fs::exists(before, ignored) && !fs::exists(folder / "1", ignored)) {
        fs::create_directory(folder / "1", ignored);
        fs::rename(before, folder / "1" / "race", ignored);
    }
    fs::path own;
    for (const auto& [number, name] : numbered_folders(folder)) {
        Result<FolderLock> lock = FolderLock::take(folder / name, 0);
        if (!lock) continue; // of a window that lives
        own = folder / name;
        lock_ = *std::move(lock);
        break;
    }
    if (own.empty()) {
        own = claim_numbered_folder(folder);
        if (Result<FolderLock> lock = FolderLock::take(own, 0)) lock_ = *std::move(lock);
    }
    folder_ = own / "race"; // which is locked by whoever writes it
    Result<std::optional<KeptRace>> kept = read_live_race(folder_);
    if (!kept) {
        trouble_ = kept.error();
        return;
    }
    if (!*kept) return;
    kept_ = (*kept)->race.done();
    live_ = std::make_unique<LiveRace>(std::move((*kept)->race), std::move((*kept)->trained), assets_,
                                       racing_threads());
    news_ = live_->news();
}

bool Memory::advance() {
    if (!live_) return false;
    const std::shared_ptr<const RaceNews> news = live_->news();
    const bool is_new = news != news_;
    if (is_new && news->error && !(news_ && news_->error)) trouble_ = news->error;
    news_ = news;
    keep();
    return is_new;
}

// Beside the window, what is new since the last time.
void Memory::keep() {
    if (folder_.empty()) return;
    if (keeping_) {
        if (!keeping_->is_over) return;
        if (!keeping_->result) trouble_ = keeping_->result.error();
        keeping_.reset();
    }
    if (news_->race.done() == kept_) return;
    keeping_ = std::make_unique<Keeping>();
    keeping_->work = std::make_unique<BackgroundWork>(
        [keeping = keeping_.get(), folder = folder_, news = news_, from = kept_] {
            keeping->result = write_live_race(folder, *news, from);
            keeping->is_over = true;
            return Portion::ended;
        });
    kept_ = news_->race.done();
}

// --- what they make of a sentence --------------------------------------------------------------------------

const Race* Memory::race(const AskedRacers& asked) const {
    if (asked.own) return news_ ? &news_->race : nullptr;
    const ReadyRace* race = ready(asked.task);
    return race ? &race->race : nullptr;
}

std::vector<TrainedRacer> Memory::trained(const AskedRacers& asked) const {
    if (!asked.own) {
        const ReadyRace* race = ready(asked.task);
        return race ? race->trained : std::vector<TrainedRacer>();
    }
    return news_ && news_->race.plan.task == asked.task ? news_->trained : std::vector<TrainedRacer>();
}

std::vector<Index> Memory::trained_distances(const AskedRacers& asked) const {
    std::set<Index> distances;
    for (const TrainedRacer& racer : trained(asked)) distances.insert(racer.entry.distance);
    return {distances.begin(), distances.end()};
}

const Task& Memory::task_of(const std::string& name, Index distance) {
    const std::pair<std::string, Index> wanted{name, distance};
    if (!task_ || task_is_ != wanted) {
        task_ = make_memory_task(name, distance);
        HEADLIGHT_CHECK(task_ != nullptr, "“" + name + "” is no task of memory");
        task_is_ = wanted;
    }
    return *task_;
}

RacerAnswer Memory::answer_of(const TrainedRacer& racer, const SentencePair& pair,
                              const SentencePair& other) const {
    RacerAnswer answer;
    answer.entry = racer.entry;
    answer.accuracy = racer.accuracy;
    answer.files = racer.files;
    ModelFiles files = *racer.files; // weights of its own: a pass may change none of them, but is not const
    const std::unique_ptr<Model> model = files.build(files.parameters, {.loss = true});
    const MemoryQuestion asked = question_of(files, pair), otherwise = question_of(files, other);
    answer.has_room = has_room(model->map, asked.words) && has_room(model->map, otherwise.words);
    if (!answer.has_room) return answer;
    answer.forgetting = forgetting_of(*model, asked, files.config.pad_id);
    answer.held = held_fact(*model, asked, otherwise, files.config.pad_id);
    const Tokenizer& words = model->map.source() ? files.source : files.target;
    for (const TokenId id : answer.forgetting.read) answer.read.push_back(token_label(words, id));
    const Index before = Index(memory_stream(model->map)->before.size());
    bool has_begun = false;
    for (std::size_t i = 0; i < asked.words.size() && asked.words.size() == otherwise.words.size(); ++i) {
        if (asked.words[i] == otherwise.words[i]) continue;
        if (!has_begun) answer.fact = before + Index(i);
        has_begun = true;
        answer.fact_end = before + Index(i) + 1;
    }
    return answer;
}

const RacerAnswers* Memory::answers(const AskedRacers& wished) {
    AskedRacers asked = wished;
    if (!asked.own) look_for_ready(asked.task);
    const std::vector<Index> distances = trained_distances(asked);
    if (distances.empty()) return nullptr;
    asked.trained = *std::min_element(distances.begin(), distances.end(), [&](Index a, Index b) {
        return std::abs(a - wished.trained) < std::abs(b - wished.trained);
    });
    const unsigned long race = asked.own ? Index(news_->trained.size()) + (unsigned long)(news_->race.done())
                                         : 0; // another model may have become the best
    if (answers_ && answers_->asked == asked && answered_race_ == race) return &*answers_;
    const std::vector<SentencePair>& sentences = task_of(asked.task, asked.distance).held_out();
    RacerAnswers found;
    found.asked = asked;
    found.pair = sentences[std::size_t(asked.sentence) % sentences.size()];
    found.other = with_other_fact(asked.task, found.pair).value_or(found.pair);
    for (TrainedRacer& racer : trained(asked)) {
        if (racer.entry.distance != asked.trained) continue;
        fs::path folder;
        if (!racer.files) {
            folder = racer_folder(assets_, asked.task, racer.entry);
            const RacerAnswer* known = answers_ && !answers_->asked.own && answers_->asked.task == asked.task
                                               && answers_->asked.trained == asked.trained
                                           ? answers_->of(racer.entry.model)
                                           : nullptr;
            if (known) {
                racer.files = known->files;
            } else if (Result<ModelFiles> files = read_model_folder(folder)) {
                racer.files = std::make_shared<const ModelFiles>(*std::move(files));
            } else {
                trouble_ = files.error();
                continue;
            }
        }
        found.racers.push_back(answer_of(racer, found.pair, found.other));
        found.racers.back().folder = folder;
    }
    const std::vector<std::string>& order = racer_names();
    std::stable_sort(found.racers.begin(), found.racers.end(),
                     [&](const RacerAnswer& a, const RacerAnswer& b) {
                         return std::find(order.begin(), order.end(), a.entry.model)
                                < std::find(order.begin(), order.end(), b.entry.model);
                     });
    found.version = ++answer_versions_;
    answers_ = std::move(found);
    answered_race_ = race;
    return &*answers_;
}

std::shared_ptr<LoadedModel> model_of_racer(const RacerAnswer& racer, const RacerAnswers& answers) {
    ModelFiles files = *racer.files;
    std::shared_ptr<LoadedModel> model = assemble_model(std::move(files));
    model->name = racer.entry.model;
    model->examples = {answers.pair.source, answers.other.source};
    return model;
}

} // namespace headlight
