// What of the training lies open in the window's column: a page, and which curve how.
#pragma once

#include "engine/tensor/tensor.h"

#include <optional>
#include <string_view>

namespace headlight {

class CommandRegistry;
struct View;

enum class DeskPage {
    settings, // of the next run
    curves,
    examples, // held-out sentences and what the model says now
    words,    // what the decoder is fed and asked to say, row by row
    backward, // from the loss back to the weights, and what Adam does to one of them
    moments   // how one head and one word's probability came to be
};

enum class Curve { loss, tokens, exact, rate, gradient };

struct TrainingDesk {
    std::optional<DeskPage> chosen; // none: settings before there is a run, then curves
    Curve curve = Curve::loss;
    bool logarithmic = false;
    double smoothing = 0.9; // of curves with a point a step: the share of the past in the mean that is drawn
    bool of_runs = false;   // while a net of gradient descent is open: runs are looked at, not its way down
    Index row = 0;          // of the target, whose word is looked at

    DeskPage page(bool has_runs) const {
        return chosen.value_or(has_runs ? DeskPage::curves : DeskPage::settings);
    }
};

// desk PAGE, desk net|runs, curve NAME, curve log on|off, curve smoothing S, goal ROW.
void add_desk_commands(CommandRegistry& commands, View& view);

// As the commands write them.
std::string_view name_of(DeskPage page);
std::string_view name_of(Curve curve);
constexpr int desk_pages = 6, curves_offered = 5;

} // namespace headlight
