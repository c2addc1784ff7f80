#include "app/live/pair_reading.h"
#include "engine/base/giving_up.h"
#include "engine/io/file.h"
#include "engine/train/evaluate.h"

#include <algorithm>
#include <chrono>
#include <new>

namespace headlight {

namespace {

constexpr Index most_bytes = Index(1) << 30;
constexpr Index portion = Index(1) << 20; // bytes parsed before the progress is told

// Held-out words that the vocabulary does not have.
Index count_unknown(const Tokenizer& tokenizer, const std::string& text) {
    const std::vector<Piece> pieces = tokenizer.encode(text);
    return Index(
        std::count_if(pieces.begin(), pieces.end(), [](const Piece& piece) { return !piece.known; }));
}

} // namespace

PairReading::PairReading(std::filesystem::path file)
    : file_(std::move(file)), work_([this] {
          read();
          return Portion::ended;
      }) {}

PairReading::~PairReading() {
    give_up_ = true;
    work_.join();
}

void PairReading::read() {
    Result<std::shared_ptr<const PairReport>> result = [&]() -> Result<std::shared_ptr<const PairReport>> {
        try {
            const ListenForGivingUp listening(give_up_);
            return report();
        } catch (const std::bad_alloc&) {
            return Error{"error.training_memory", {}};
        } catch (const GivenUp&) {
            return Error{"error.training_ended", {}};
        }
    }();
    const std::lock_guard lock(mutex_);
    progress_.ended = true;
    result_ = std::move(result);
    ended_.notify_all();
}

void PairReading::set_progress(const PairReport& report, Index bytes_read, Index bytes) {
    const std::lock_guard lock(mutex_);
    progress_ = {bytes_read, bytes, Index(report.pairs.size()), Index(report.refused.size()), false};
}

Result<std::shared_ptr<const PairReport>> PairReading::report() {
    const std::string name = file_.string();
    const Result<std::string> text = read_file(file_, most_bytes);
    if (!text) return text.error();

    auto found = std::make_shared<PairReport>();
    std::size_t lines = 0;
    for (std::size_t begin = 0; begin < text->size();) { // whole lines at a time
        std::size_t end = text->find('\n', std::min(begin + std::size_t(portion), text->size()));
        end = end == text->npos ? text->size() : end + 1;
        const std::string_view part = std::string_view(*text).substr(begin, end - begin);
        PairFile parsed = parse_pairs(part);
        std::move(parsed.pairs.begin(), parsed.pairs.end(), std::back_inserter(found->pairs));
        for (const RefusedLine& line : parsed.refused)
            found->refused.push_back({line.line + lines, line.reason});
        lines += std::size_t(std::count(part.begin(), part.end(), '\n'));
        begin = end;
        set_progress(*found, Index(begin), Index(text->size()));
    }
    if (found->pairs.empty() && !found->refused.empty())
        return Error{found->refused.front().reason, {name, std::to_string(found->refused.front().line)}};
    const Result<std::unique_ptr<Task>> task = make_pairs_task(name, found->pairs);
    if (!task) return task.error();
    const Tokenizers tokenizers = make_tokenizers(**task);
    found->source_words = tokenizers.source.vocabulary().size();
    found->target_words = tokenizers.target.vocabulary().size();
    found->held_out = Index((*task)->held_out().size());
    found->held_out_is_training = (*task)->held_out_is_training();
    for (const SentencePair& pair : (*task)->held_out())
        found->unknown_words +=
            count_unknown(tokenizers.source, pair.source) + count_unknown(tokenizers.target, pair.target);
    return std::shared_ptr<const PairReport>(std::move(found));
}

PairProgress PairReading::progress() const {
    const std::lock_guard lock(mutex_);
    return progress_;
}

std::optional<Result<std::shared_ptr<const PairReport>>> PairReading::result() const {
    const std::lock_guard lock(mutex_);
    return result_;
}

std::optional<Result<std::shared_ptr<const PairReport>>>
PairReading::wait(const std::atomic<bool>& give_up) const {
    using namespace std::chrono_literals;
    work_.help();
    std::unique_lock lock(mutex_);
    while (!result_ && !give_up) ended_.wait_for(lock, 20ms);
    return result_;
}

namespace {

constexpr std::size_t examples_told = 4;

}

OwnFileReading::OwnFileReading(std::string task, std::filesystem::path file, TokenizerKind unit)
    : task_(std::move(task)), file_(std::move(file)), unit_(unit), work_([this] {
          Result<OwnFileReport> result = [&]() -> Result<OwnFileReport> {
              try {
                  const ListenForGivingUp listening(give_up_);
                  return report();
              } catch (const std::bad_alloc&) {
                  return Error{"error.training_memory", {}};
              } catch (const GivenUp&) {
                  return Error{"error.training_ended", {}};
              }
          }();
          const std::lock_guard lock(mutex_);
          result_ = std::move(result);
          return Portion::ended;
      }) {}

OwnFileReading::~OwnFileReading() {
    give_up_ = true;
    work_.join();
}

std::optional<Result<OwnFileReport>> OwnFileReading::result() const {
    const std::lock_guard lock(mutex_);
    return result_;
}

Result<OwnFileReport> OwnFileReading::report() const {
    const Result<std::unique_ptr<Task>> made = make_own_task(task_, file_.string(), unit_);
    if (!made) return made.error();
    const Task& task = **made;
    OwnFileReport report;
    report.examples = Index(task.all_training().size());
    report.held_out = Index(task.held_out().size());
    report.held_out_is_training = task.held_out_is_training();
    const Tokenizer tokenizer = make_tokenizers(task).source;
    report.vocabulary = tokenizer.vocabulary().size();
    if (const Bpe* bpe = std::get_if<Bpe>(&tokenizer.parts().model))
        report.merges = Index(bpe->merges().size());
    for (const std::string& label : task.learner().labels)
        report.labels.emplace_back(
            label, std::count_if(task.all_training().begin(), task.all_training().end(),
                                 [&](const SentencePair& pair) { return pair.target == label; }));
    for (std::size_t i = 0; i < std::min(examples_told, task.all_training().size()); ++i) {
        const SentencePair& pair = task.all_training()[i];
        report.first.push_back(report.labels.empty() ? pair.source : pair.target + ":  " + pair.source);
    }
    return report;
}

} // namespace headlight
