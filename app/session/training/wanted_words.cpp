#include "app/session/training/wanted_words.h"

#include "app/session/session.h"
#include "app/session/training/training_view.h"

namespace headlight {

std::optional<std::string> wanted_of(const LiveTraining& training, const std::string& source) {
    const Run* run = training.run();
    if (!run || !run->model) return {};
    if (run->model->task) return run->model->task->target_of(source);
    const PairReading* reading = training.reading();
    const auto read = reading && reading->file() == run->settings.pairs ? reading->result() : std::nullopt;
    const std::vector<SentencePair>* of_file = read && *read ? &(**read)->pairs : nullptr;
    for (const std::vector<SentencePair>* pairs : {&run->model->held_out, of_file})
        if (pairs)
            for (const SentencePair& pair : *pairs)
                if (pair.source == source) return pair.target;
    return {};
}

bool WantedWords::bring_up_to_date(const Session& session) {
    if (version_ == session.version()) return target_.has_value();
    version_ = session.version();
    const Question& question = session.question();
    target_.reset();
    if (session.training().shown) target_ = wanted_of(session.training().training, question.source);
    if (!target_) {
        scratch_.reset();
        shown_.reset();
        return false;
    }
    const LoadedModel& shown = session.model();
    if (shown_ != session.shared_model() || !scratch_) {
        shown_ = session.shared_model();
        scratch_ = another_of(shown);
    }
    const Parameters& weights = shown.files.parameters;
    put_weights(*scratch_, {weights.data(), std::size_t(weights.count())});
    scratch_->graph().set_edits(shown.graph().edits());
    scratch_->smooth_labels(question.label_smoothing);
    sentence_ = run_sentence(*scratch_, question.source, target_);
    return true;
}

} // namespace headlight
