// The curves of runs as a table that other programs read.
#pragma once

#include "app/live/run.h"

#include <memory>
#include <span>
#include <string>

namespace headlight {

// A line a step: run, step, loss, gradient_norm, learning_rate, and of the steps after which the held-out
// pairs were judged held_out_loss, token_accuracy, exact_match, seconds; else these are empty. Numbers are
// written with a point, whatever the language.
std::string curves_table(std::span<const std::unique_ptr<Run>> runs, char separator);

} // namespace headlight
