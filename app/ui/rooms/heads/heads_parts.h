// What the room of heads is put together from.
#pragma once

#include "app/ui/rooms/heads/heads_data.h"
#include "app/ui/rooms/heads/pair_data.h"
#include "app/ui/values/panel.h"
#include "app/ui/widgets/heatmap.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

// What the room keeps between frames, in Ui::memory.
struct HeadsMemory {
    HeadsData data;
    std::vector<Real> shown; // the numbers of the large map, transposed or not
    std::string shown_key;
    PairData pair;
    std::string second;                    // as it is being typed
    std::optional<std::string> second_was; // the session's, when it last was another
    std::optional<MatrixCell> pair_cell;   // under the pointer: places among the pairs of queries and keys
    std::string batch_typed;               // into the field of the batch's next sentence
};

// Every head as a small map; returns the one under the pointer as (attention, head).
std::optional<std::pair<const MeasuredAttention*, Index>>
heads_grid(const ScreenRect& rect, const Session& session, CommandSink& commands);

// One map large, as a matrix and as lines; its name, and the words that tell how it is read.
void head_large(const ScreenRect& rect, const Session& session, const MeasuredAttention& attention,
                bool with_words, CommandSink& commands);
std::string title_of_map(const Session& session, const MeasuredAttention& attention);
void words_of_map(PanelColumn& column, const Session& session, const MeasuredAttention& attention);

// Two sentences beside each other.
void pair_page(const ScreenRect& rect, const Session& session, CommandSink& commands);

// One word over many sentences.
void words_page(const ScreenRect& rect, const Session& session, CommandSink& commands);

// The masks, to be changed by clicks; several sentences padded to one length; a sweep over heads or
// positions.
void masks_page(const ScreenRect& rect, const Session& session, CommandSink& commands);
void batch_page(const ScreenRect& rect, const Session& session, CommandSink& commands);
void sweep_page(const ScreenRect& rect, const Session& session, CommandSink& commands);

// Measures that reach beyond one head: what would be said after earlier layers, what brings a word its logit,
// and that beside what silencing does.
void lens_page(const ScreenRect& rect, const Session& session, CommandSink& commands);
void attribution_page(const ScreenRect& rect, const Session& session, CommandSink& commands);
void claimed_page(const ScreenRect& rect, const Session& session, CommandSink& commands);

// Measures: of the head that is looked at, and how the grid is sorted; what if the large one were silent.
// `with_words`: those of the large map stand here too.
void heads_side(const ScreenRect& rect, const Session& session, const MeasuredAttention* attention,
                Index head, bool with_words, CommandSink& commands);

} // namespace headlight
