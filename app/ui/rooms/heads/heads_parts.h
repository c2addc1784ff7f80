#pragma once

#include "app/ui/rooms/heads/heads_data.h"
#include "app/ui/rooms/heads/pair_data.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/heatmap.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

// What the room of heads is put together from.

// What the room keeps between frames, in Ui::memory.
struct HeadsState {
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

// What the page of two sentences is put together from.

// One colour for each sentence: that of the cells in which it has the larger number.
inline Colour sentence_colour(const Theme& theme, bool second) {
    return second ? theme.colours.positive : theme.colours.negative;
}

std::string word_of(const Session& session, const FollowedWords& words, bool second);
// "it", or "tired | wide" where the two are not the same.
std::string both_words(const Session& session, const FollowedWords& words);

// Where the second sentence is typed, and pairs that the model is made for.
void pair_field(PanelColumn& column, const Session& session, CommandSink& commands);
// While there is no second sentence: what the page shows, and the same pairs to begin with.
void pair_start(PanelColumn& column, const Session& session, CommandSink& commands);

// Both sentences as the model reads them and what it makes of them, a line or more each. Words of one alone
// are in its colour; a click follows a word.
void pair_words(PanelColumn& column, const Session& session, const FollowedWords* followed,
                CommandSink& commands);

// Maps or way; which attention, which head.
void pair_choices(PanelColumn& column, const Session& session, const PairedMap& map,
                  const PartingHead& parting, CommandSink& commands);

// The three maps, and the three numbers under the pointer; a click holds the number of the first sentence.
void pair_maps(const ScreenRect& rect, const Session& session, const PairedMap& map,
               const FollowedWords& words, std::optional<MatrixCell>& pointed, CommandSink& commands);

// The way of a word: in the plane, and how far apart the two are at each stop. As high as is said where it
// fits in that, else higher.
void pair_way(PanelColumn& column, float height, const Session& session, const WordWay& way);
// The plane alone; `lit` is a stop to be brought out. Returns the stop under the pointer.
std::optional<std::size_t> pair_plane(const ScreenRect& rect, const Session& session, const WordWay& way,
                                      std::optional<std::size_t> lit);
std::string stop_name(const Session& session, const StreamStop& stop);

} // namespace headlight
