// The window follows the training: a run's model is shown in an inquiry of its own, with the newest weights
// or those of a kept moment, and what was opened waits as it was.
#pragma once

#include "engine/base/result.h"
#include "engine/tensor/real.h"

#include <string_view>

namespace headlight {

class CommandRegistry;
class Session;
class Strings;
struct Inquiries;
struct Moment;
struct TrainingView;
struct View;

inline constexpr std::string_view bring_run_back = "train undelete";

// Takes what the trainer has told; time goes on for the film, and for what is made over time. True when
// something changed.
bool follow_training(TrainingView& training, Inquiries& inquiries, double seconds);

void show_moment(TrainingView& training, Inquiries& inquiries, const Moment& moment);
// Back to what was opened; a run's last weights stay when nothing was.
void leave_training(TrainingView& training, Inquiries& inquiries);

// train, moment, difference, over_time.
void add_training_commands(CommandRegistry& commands, const Session& session, Inquiries& inquiries,
                           TrainingView& training, View& view, const Strings& strings);

} // namespace headlight
