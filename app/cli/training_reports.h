// What `bench train` says beside the steps a second: where the time goes, and how it would go with more
// threads.
#pragma once

#include "app/cli/terminal.h"
#include "engine/train/trainer.h"

#include <functional>
#include <memory>

namespace headlight {

// Every kind of operation; and beside the steps the products of matrices alone. For about so many seconds.
void report_operations(Terminal& terminal, Trainer& trainer, double seconds);

// Steps a second with 1, 2, 4, 8 and 16 threads as ScaleModel has them, beside those measured with as many
// threads as there are; memory by formula, beside `resident`: megabytes that the process grew by when a
// trainer was made and took its first steps.
void report_scale(Terminal& terminal, const std::function<std::unique_ptr<Trainer>(int threads)>& make,
                  double resident, double seconds);

} // namespace headlight
