// On which scale a sweep is told, and what its numbers then say.
#pragma once

#include "app/session/session_sweep.h"
#include "app/ui/values/panel.h"

#include <string>

namespace headlight {

std::string scale_key(SweepMeasure measure); // "board.sweep.logit"
// What a number of the table is: "logit (nats)", or "share of m" where logits are told as shares.
std::string scale_name(const Session& session, const SessionSweep& done, SweepMeasure measure);

// Nearly 1 it is told by what it lacks: "1 − 1.1·10⁻⁷", which no line break parts.
std::string probability_words(double probability, double log_odds);

// What the word is compared with, or that this scale compares it with nothing; empty where nobody asked.
std::string foil_words(const Session& session, const SessionSweep& done, SweepMeasure measure);

// On the scale of logits what a patch restores, and what a path does, is told as a share where that says
// something.
KeptTensor shown_changes(const Session& session, const SessionSweep& done, SweepMeasure measure);

// What a number of the table says, and where the scale ends.
void scale_words(PanelColumn& column, const Session& session, const SessionSweep& done, SweepMeasure measure);

} // namespace headlight
