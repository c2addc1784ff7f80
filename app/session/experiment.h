// The one place that computes: what a question asks, on a model that is open. Between two commands nothing
// here changes but the sweep, which goes on by itself, and the weights of a run that is followed.
#pragma once

#include "app/session/generation_work.h"
#include "app/session/loaded_model.h"
#include "app/session/long_answers.h"
#include "app/session/measured.h"
#include "app/session/norms_page.h"
#include "app/session/padded_batch.h"
#include "app/session/profile.h"
#include "app/session/question.h"
#include "app/session/sentence.h"
#include "app/session/session_sweep.h"
#include "app/session/trials.h"
#include "app/session/weight_curve.h"
#include "app/session/what_if.h"
#include "app/session/word_places.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

class Experiment {
public:
    Experiment(); // without a model: a sentence may wait for one
    Experiment(const Experiment&) = delete;
    Experiment& operator=(const Experiment&) = delete;

    const Question& question() const { return question_; }
    // Nothing that was computed is relied on: a computation ended in the middle.
    void forget_computed();
    // Computes what is other than it was. Error: a model that does not open; then nothing is other.
    Result<Done> ask(Question question);
    // The same of a model that is at hand.
    void ask(Question question, std::shared_ptr<LoadedModel> model);

    bool has_model() const { return model_ != nullptr; }
    const LoadedModel& model() const { return *model_; }
    const std::shared_ptr<LoadedModel>& shared_model() const { return model_; }
    const Sentence& sentence() const { return sentence_; }
    const WhatIf& what_if() const { return what_if_; }
    const SmallPages& small_pages() const { return small_pages_; }
    void compute_fixed_weights() {
        headlight::compute_fixed_weights(small_pages_);
    } // of one of them, when it is looked at
    // Another with every forward pass of the model, in this experiment or any other (not with gradients, the
    // padded batch, the small pages): what was drawn of an older one is out of date. The other two are the
    // version() with which the model, or the weights in use, became others.
    unsigned long version() const { return version_; }
    unsigned long model_version() const { return model_version_; }
    unsigned long weights_version() const { return weights_version_; }

    // Whoever asks waits so many seconds for an answer; then it has the words that were said until then, and
    // the others are said in advance_writing. At first without end.
    void set_patience(double seconds, Index most_words = 0) {
        long_answers_.set_patience(seconds, most_words);
    }
    const LongAnswers& long_answers() const { return long_answers_; }
    bool advance_writing(double seconds); // true when it moved
    void stop_writing();                  // the answer is what has been said, and what is looked for is found
    void write_on();                      // of one that was stopped, all of it

    // The gradients of the loss, from now until something else is computed.
    void differentiate();

    // The sentence, the second one and others in one padded batch, likewise; null while nobody has asked, and
    // of a model that pads nothing.
    const PaddedBatch* padded_batch() const { return padded_batch_.get(); }
    void compute_padded_batch();
    std::vector<std::string> batch_others() const; // its sentences beside those two
    // Both norms of a padded batch, and with one more sentence in it, likewise; null too of a model without.
    // Where nobody has put a batch together, of shorter examples.
    const NormsPage* norms() const { return norms_.get(); }
    void compute_norms();

    // How the words come out, one by one, until another answer is asked for; null while nobody has asked, and
    // of what writes nothing. Where that takes longer than is waited for it is of the first words, and goes
    // on in advance_inspection.
    const Generation* generation() const { return generation_.get(); }
    void compute_generation(bool measures = false);
    bool advance_inspection(double seconds); // true when it moved
    void finish_inspection();                // waits
    std::optional<Index> looked() const;     // words so far, while it goes on
    bool is_writing() const { return long_answers_.is_under_way() || inspecting_; } // until `stop_writing`
    // Words are fed that were looked for only in part: what is shown waits for the others.
    bool awaits_words() const;

    // What is tried on many sentences, done or under way; null when there is nothing. It stays while the
    // weights do.
    const Trials* trials() const { return trials_.get(); }
    Result<Done> begin_trials(TrialKind kind, const std::filesystem::path& assets);
    bool advance_trials(double seconds); // true when it moved
    void end_trials() { trials_.reset(); }

    // How long each value took, measured or under way; null while nobody looks, and until the first pass.
    const Profile* profile() const { return profile_.get(); }
    bool advance_profile(double seconds); // begins one where there is none; true when something is new
    void finish_profile();
    void end_profile() { profile_.reset(); }

    // C over one weight of the model, done or under way; null while nobody looks.
    const WeightCurve* weight_curve() const { return weight_curve_.get(); }
    void follow_weight(const std::optional<NamedCell>& cell); // none: no more
    bool advance_weight_curve(double seconds);                // true when it moved
    // Where a word lives, over many sentences; null while nobody has asked. It stays while the weights do.
    const WordPlaces* word_places() const { return word_places_.get(); }
    void look_for_word(const VocabularyRequest& request, const std::filesystem::path& assets);
    bool advance_word_places(double seconds); // true when it moved

    // Measures of this computation, made when they are asked for: what is computed stays as it is.
    Measured& measured() const { return measured_; }

    // A sweep over this computation, done or under way; null when there is none. `chooses_word`: nobody asked
    // for one.
    const SessionSweep* sweep() const { return sweep_.get(); }
    // `receiver`: of paths.
    void sweep_over(SweepKind kind, const SweepTarget& target, bool chooses_word,
                    const std::optional<PathReceiver>& receiver = {});
    bool advance_sweep(double seconds); // true when it moved
    void end_sweep() { sweep_.reset(); }

    // --- of a run in training
    // Other weights; the graph stays.
    void put_weights(std::span<const Real> weights);
    // The same sentence with earlier weights, to compare with; none when there are none.
    void set_earlier_weights(std::span<const Real> weights);
    void forget_earlier_weights() { earlier_.reset(); }
    // Of a value, the present minus the earlier, cell by cell; empty when nothing is compared.
    std::vector<Real> difference_of(std::string_view path) const;

private:
    void compute();
    void compute_answers();
    void write_what_is_cut();
    void compute_and_sweep_again(); // when nothing but the changes is other
    void compute_earlier();
    void look_for_words(bool measures);
    void forget_generation();
    std::optional<OwnWords> known_own_words() const;

    Question question_;
    std::shared_ptr<LoadedModel> model_;
    Sentence sentence_;
    LongAnswers long_answers_;
    WhatIf what_if_;
    SmallPages small_pages_;
    std::unique_ptr<SessionSweep> sweep_;
    std::unique_ptr<PaddedBatch> padded_batch_;
    std::unique_ptr<NormsPage> norms_;
    std::unique_ptr<Generation> generation_;
    std::unique_ptr<Question>
        of_generation_; // what was asked when it was begun, whatever pass of it is shown
    std::unique_ptr<GenerationWork> inspecting_; // for all of it
    bool is_generation_whole_ = false;           // all of it was found before, and is measured anew at most
    std::unique_ptr<Trials> trials_;
    std::unique_ptr<Profile> profile_;
    std::unique_ptr<WeightCurve> weight_curve_;
    std::unique_ptr<Question> of_curve_; // what was asked when it was begun, but for its weight
    std::unique_ptr<WordPlaces> word_places_;
    mutable Measured measured_;
    std::unique_ptr<LoadedModel> earlier_;
    unsigned long version_ = 0, model_version_ = 0, weights_version_ = 0;
};

} // namespace headlight
