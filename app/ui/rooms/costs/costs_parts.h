// What the page of costs is put together from.
#pragma once

#include "app/ui/values/value_view.h"

namespace headlight {

// Measured: curves over length or width, and what of them is shown; without a side the layer and its counts
// too.
void costs_measured(const ScreenRect& rect, bool has_side, const Session& session, CommandSink& commands);
// On paper: a table of models at one length, and of one of them the counts over length.
void costs_on_paper(const ScreenRect& rect, const Session& session, CommandSink& commands);
// Beside them: the layer at hand with its counts, where attention overtakes, and why.
void costs_measured_side(PanelColumn& column, const Session& session, CommandSink& commands);
void costs_paper_side(PanelColumn& column, const Session& session);

// --- numbers and names
// --------------------------------------------------------------------------------------
std::string cost_count(double number); // "2,097,152", "1.24 G"
std::string cost_bytes(double bytes);  // "512 KB", "1.61 GB"
const std::string& cost_part_title(const Session& session, CostPart part);
Colour cost_part_colour(CostPart part);

// A slider over powers of two, in a column; returns what it was moved to.
std::optional<Index> power_slider(const char* name, const std::string& label, std::string_view tip, Index now,
                                  Index low, Index high, PanelColumn& column);

} // namespace headlight
