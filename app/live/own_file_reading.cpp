#include "app/live/own_file_reading.h"

#include "engine/base/giving_up.h"
#include "engine/train/encoded_task.h"

#include <algorithm>
#include <new>

namespace headlight {

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
