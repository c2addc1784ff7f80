// What is read as words, not as colours: token ids, chosen words, the most probable words of a position.
#pragma once

#include "app/session/session.h"
#include "app/ui/widgets/heatmap.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

bool is_word_list(const Node& node); // token ids, chosen ids

// The lines of such a value, in as many columns as it takes; returns the cell under the pointer.
std::optional<NamedCell> word_list(const Node& node, const ScreenRect& rect, const Session& session,
                                   const std::vector<MatrixCell>* lit);
float word_list_width(const Node& node); // of one column

// "After “the”": whose probabilities one row of the output holds.
std::string probability_heading(const Session& session, Index row);
// The most probable words of one row of the output, as bars.
void probable_words(const ScreenRect& rect, const Session& session, Index row);

} // namespace headlight
