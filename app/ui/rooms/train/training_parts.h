#pragma once

#include "app/live/run.h"
#include "app/live/run_findings.h"
#include "app/session/training/over_time.h"
#include "app/session/training/training_view.h"
#include "app/ui/values/value_view.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight {

// The curves of runs, thinned for drawing: however many steps a run has, a curve is a few thousand points,
// each of them a number that was really measured at that step, and no peak is lost.

// Points come one after another; of many that fall together the lowest and the highest stay.
class ThinnedCurve {
public:
    void add(float x, float y);
    std::span<const float> x() const;
    std::span<const float> y() const;

private:
    struct Bucket {
        float low_x, low, high_x, high;
    };
    static constexpr std::size_t most_buckets = 4096;
    void halve();

    std::vector<Bucket> buckets_;
    std::size_t points_a_bucket_ = 1, in_last_ = 0;
    mutable std::vector<float> x_, y_; // of the buckets, until the next point
    mutable bool laid_out_ = true;
};

class CurveStore {
public:
    // A number of every step: training loss, learning rate or gradient norm; as it is, or as the mean of the
    // past with weights that fall by `smoothing` a step.
    const ThinnedCurve& of_steps(const Run& run, Curve curve, double smoothing);
    // Of the held-out pairs, at each step at which they were judged.
    const ThinnedCurve& of_judgements(const Run& run, Curve curve);
    // Forgets runs that are gone.
    void keep(std::span<const std::unique_ptr<Run>> runs);

private:
    struct Known {
        ThinnedCurve curve;
        std::size_t taken = 0;
        double smoothing = 0, sum = 0, weight = 0;
    };
    std::map<std::pair<Index, int>, Known> known_; // by the run's number, which is never reused, and curve
};

// What the training room's panels remember from frame to frame: texts that are being typed, curves thinned to
// what a plot can show. Everything else is the session's.

struct TrainingPanelState {
    CurveStore curves;
    // At many checkpoints: one head, one word's probability, the number that is held.
    std::optional<OverTime> head, word, held;
    unsigned long head_version = 0;   // rises with every number in it
    std::optional<TrainingPage> page; // of the frame before
    std::string pairs_file;           // being typed
    std::optional<std::string> name;  // being typed, in the place of the run's
    std::string setting;              // being typed, in the list that is open
    std::string target;               // being typed: what a sentence should become
    WantedWords wanted;
    std::vector<RunFinding> signs; // of the run of this name, as it was
    std::pair<std::string, std::vector<double>> of_signs;
};

// What the training room is put together from.

// The column: the run and its controls, and one of the pages below them.
void training_panel(const ScreenRect& rect, const Session& session, CommandSink& commands);
// The time machine: every checkpoint that was kept of the run, from its first step to its newest. Drag to see
// the model as it was.
void timeline_strip(const ScreenRect& rect, const Session& session, CommandSink& commands);

// The column while a net of gradient descent is open: its way down is its run. `choose_trained`: which of the
// two the room is about; nothing where no such net is open.
void way_panel(const ScreenRect& rect, const Session& session, CommandSink& commands);
void choose_trained(PanelColumn& column, const Session& session, CommandSink& commands);

// --- the parts of the column, each drawn where the one before it ended -------------------------------------

struct TrainingContext {
    const Session& session;
    CommandSink& commands;
    PanelColumn column;
    TrainingPanelState& state = ui().state<TrainingPanelState>();

    const Strings& strings() const { return session.strings(); }
    const LiveTraining& training() const { return session.training().training; }
    const Run* run() const { return training().run(); }
};

// A line of small soft text; running text.
void small_caption(TrainingContext& context, std::string_view text);
void running_text(TrainingContext& context, std::string_view text, bool soft = true);

void run_controls(TrainingContext& context); // which run, start and pause
void run_standing(TrainingContext& context); // how far it is
const std::vector<RunFinding>& signs_of(TrainingContext& context, const Run& run); // what goes wrong
std::string told_signs(TrainingContext& context, const Run& run); // the first of them; "" while there is none
void settings_page(TrainingContext& context);                     // of the next run
void pairs_view(TrainingContext& context);    // own sentence pairs: the file, what is in it
void own_file_view(TrainingContext& context); // a file of one's own for the task that is chosen
void disk_view(TrainingContext& context);     // save a run, open one
void curves_page(TrainingContext& context, float bottom);
void examples_page(TrainingContext& context);
void words_page(TrainingContext& context);
void offer_target(TrainingContext& context, const std::string& target); // a button: fed to the canvas's model
void backward_page(TrainingContext& context);
void checkpoints_page(TrainingContext& context);

// "2:05", "1:02:05".
std::string duration(double seconds);
Colour colour_of_run(const Run& run); // one each, in plots and lists
// In what it differs from the others, "Learning rate 0.01"; empty where there is nothing.
std::string told_apart(const Session& session, const Run& run);
// What the text of a command is called on the screen: "0.99" of the goal is "99 %".
std::string setting_value(const Strings& strings, const std::string& name, const std::string& value);
bool judged_on_training(const Run& run); // there were too few pairs to hold any out
std::string task_label(const Session& session, const TrainingSettings& settings);

} // namespace headlight
