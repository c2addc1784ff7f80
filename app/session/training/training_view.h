#pragma once

#include "app/live/live_training.h"
#include "app/session/loaded_model.h"
#include "app/session/sentence.h"
#include "app/session/training/over_time.h"
#include "engine/base/result.h"
#include "engine/tensor/real.h"
#include "engine/tensor/tensor.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace headlight {

// The sentence as training has it: fed what its task or its file wants of it, and asked for the next wanted
// word, whatever the canvas shows. What a model should say never comes from the model.

class LiveTraining;
class Session;

// What the task of the run that is looked at, or the file of its pairs, wants of this sentence; nothing where
// they do not have it.
std::optional<std::string> wanted_of(const LiveTraining& training, const std::string& source);

class WantedWords {
public:
    // Computes anew what is other than it was. False where nobody knows what the sentence should become: no
    // run is shown, or its task does not have the sentence.
    bool bring_up_to_date(const Session& session);

    const std::string& target() const { return *target_; }
    const Sentence& sentence() const { return sentence_; }
    const LoadedModel& model() const { return *scratch_; }

private:
    unsigned long version_ = 0; // of the session, for which it holds
    std::optional<std::string> target_;
    std::shared_ptr<const LoadedModel> shown_;
    std::unique_ptr<LoadedModel> scratch_; // its weights, changed as it is
    Sentence sentence_;
};

// What of the training lies open in the window's column: a page, and which curve how.

class CommandRegistry;
struct View;

enum class TrainingPage {
    settings, // of the next run
    curves,
    examples,   // held-out sentences and what the model says now
    words,      // what the decoder is fed and asked to say, row by row
    backward,   // from the loss back to the weights, and what Adam does to one of them
    checkpoints // how one head and one word's probability came to be
};

enum class Curve { loss, tokens, exact, rate, gradient };

struct TrainingPages {
    std::optional<TrainingPage> chosen; // none: settings before there is a run, then curves
    Curve curve = Curve::loss;
    bool logarithmic = false;
    double smoothing = 0.9; // of curves with a point a step: the share of the past in the mean that is drawn
    bool of_runs = false;   // while a net of gradient descent is open: runs are looked at, not its way down
    Index row = 0;          // of the target, whose word is looked at

    TrainingPage page(bool has_runs) const {
        return chosen.value_or(has_runs ? TrainingPage::curves : TrainingPage::settings);
    }
};

// desk PAGE, desk net|runs, curve NAME, curve log on|off, curve smoothing S, goal ROW.
void add_training_page_commands(CommandRegistry& commands, View& view);

// As the commands write them.
std::string_view name_of(TrainingPage page);
std::string_view name_of(Curve curve);
constexpr int training_pages = 6, curves_offered = 5;

// The window follows the training: a run's model is shown in an inquiry of its own, with the newest weights
// or those of a kept checkpoint, and what was opened waits as it was.

class CommandRegistry;
class Session;
class Strings;
struct Inquiries;
struct Checkpoint;
struct TrainingView;
struct View;

inline constexpr std::string_view bring_run_back = "train undelete";

// Takes what the trainer has told; time goes on for the film, and for what is made over time. True when
// something changed.
bool follow_training(TrainingView& training, Inquiries& inquiries, double seconds);

void show_checkpoint(TrainingView& training, Inquiries& inquiries, const Checkpoint& checkpoint);
// Back to what was opened; a run's last weights stay when nothing was.
void leave_training(TrainingView& training, Inquiries& inquiries);

// train, checkpoint, difference, over_time.
void add_training_commands(CommandRegistry& commands, const Session& session, Inquiries& inquiries,
                           TrainingView& training, View& view, const Strings& strings);

// What of the training the window shows: the newest weights, or those of a checkpoint that was kept.

// The same sentence in the model as it was after two steps of a run.
struct CheckpointDifference {
    Index from = 0, to = 0;
};

struct TrainingView {
    explicit TrainingView(std::filesystem::path assets) : training(std::move(assets)) {}

    LiveTraining training;
    bool shown = false;   // the window's model is that of a run
    bool pending = false; // will be, as soon as the run is prepared
    bool live = true;     // follows the newest weights
    Index step = 0;       // after which the weights are as they are shown
    bool playing = false; // the film: from one kept checkpoint to the next
    std::optional<CheckpointDifference> difference;
    std::optional<OverTime> over_time;
    bool compared = false; // there was a difference in the frame before

    // --- for those who follow it
    std::shared_ptr<const RunModel> model; // of the run that is shown
    double film_clock = 0;                 // seconds since the last picture
    double seconds_to_rest = 0;            // before the newest weights are shown again

    // Another model takes the place of the one that was shown: of a run, or none of it any more.
    void show(std::shared_ptr<const RunModel> other) {
        model = std::move(other);
        shown = model != nullptr;
        pending = playing = false;
        live = true;
        difference.reset();
        if (!shown) over_time.reset();
    }
};

// A model to be shown, of a run: no file is needed, and new weights are copied into it.
std::unique_ptr<LoadedModel> model_of_run(const RunModel& model, const std::string& name);

} // namespace headlight
