// What the training room is put together from.
#pragma once

#include "app/live/run_findings.h"
#include "app/session/training/training_view.h"
#include "app/ui/rooms/train/training_memory.h"
#include "app/ui/values/panel.h"

#include <string>
#include <string_view>

namespace headlight {

// The column: the run and its controls, and one of the pages below them.
void training_panel(const ScreenRect& rect, const Session& session, CommandSink& commands);
// The time machine: every moment that was kept of the run, from its first step to its newest. Drag to see the
// model as it was.
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
    TrainingMemory& memory = ui().memory<TrainingMemory>();

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
void moments_page(TrainingContext& context);

// "2:05", "1:02:05".
std::string duration(double seconds);
Colour colour_of_run(const Run& run); // one each, in plots and lists
// In what it differs from the others, "Learning rate 0.01"; empty where there is nothing.
std::string told_apart(const Session& session, const Run& run);
// What the text of a command is called on the screen: "0.99" of the goal is "99 %".
std::string setting_value(const Strings& strings, const std::string& name, const std::string& value);
bool judged_on_training(const Run& run);  // there were too few pairs to hold any out
std::string task_label(const Session& session, const TrainingSettings& settings);

} // namespace headlight
