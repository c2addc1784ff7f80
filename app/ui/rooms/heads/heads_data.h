#pragma once

#include "app/session/session.h"
#include "app/ui/base/widget_registry.h"
#include "app/ui/values/value_view.h"
#include "engine/inspect/heads.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

// All attention of the sentence at hand, measured: kept until the numbers change.

struct MeasuredAttention {
    std::string path; // "decoder.1.cross_attn"
    const Node* weights = nullptr;
    const Stream *of = nullptr, *to = nullptr;  // the streams of its queries and keys
    bool says = false;                          // a query is about to say the next word
    std::vector<std::string> queries{}, keys{}; // the words at its rows and columns
    std::vector<MeasuredHead> heads{};
    KeptTensor mean{}, maximum{};
    KeptTensor rollout{}; // of this layer and those before; empty between two sentences
};

// Every attention of a sentence that was computed by `graph`, of the model itself or of another pass of it.
// It points into the graph.
std::vector<MeasuredAttention> measure_attention(const ModelMap& map, const Graph& graph,
                                                 const Sentence& sentence);

class HeadsData {
public:
    const std::vector<MeasuredAttention>& of(const Session& session);
    const MeasuredAttention* find(const Session& session, const std::string& path);

private:
    std::vector<MeasuredAttention> all_;
    unsigned long version_ = 0;
};

// The numbers of one map, [queries × keys]: of a head, or of all heads as one.
std::vector<Real> map_numbers(const MeasuredAttention& attention, HeadMap map, Index head);

// "heads.entropy", … as a number; none where the measure does not apply.
std::optional<double> measure_of(const MeasuredHead& head, const std::string& name);
const std::vector<std::string>& measure_names(); // "entropy", "self", …

// One head of the grid: its map as large as fits, and beside or below it what it does, measured.

struct HeadTile {
    const MeasuredAttention* attention = nullptr;
    Index head = 0; // or mean_of_all
};
constexpr Index mean_of_all = -1;

// "head 3", "Word before", "0.82": the strongest measure. Where none stands out, the nearest to it, and that
// the head is mixed: "0.17 · mixed". Where the grid is sorted, the measure that it is sorted by, and the
// place.
struct HeadWords {
    std::string title, does, more;
    bool stands_out = false;
};
HeadWords head_words(const Session& session, const HeadTile& tile);

// How all tiles of a grid are cut: of one size, the maps in one place, the words in another.
struct TileShape {
    float width = 0, height = 0;
    ScreenRect map, words; // from the tile's corner
};

// A map and no words: those are told when one points at it.
TileShape map_alone(float width, float height);

// Tiles of that width, as high as allowed, but never less than their words and a map that can be seen.
TileShape shape_of(std::span<const HeadTile> tiles, const Session& session, float width, float height);

// True while the pointer is over it; `pressed` when it was pressed and let go.
bool draw_tile(const HeadTile& tile, const TileShape& shape, ImVec2 corner, const Session& session,
               bool& pressed);

// One map of attention as lines between two columns of words: the thicker, the more attention.

struct LinesView {
    const char* name = "";           // in the registry: words are "name.query.3", "name.key.0"
    std::span<const Real> weights{}; // [queries × keys]
    std::span<const std::string> queries{}, keys{};
    std::string query_title{}, key_title{};
    bool transposed = false; // keys at the left
    std::optional<HeldWord> held{};
};

// The word that was pressed in this frame. Only the lines of the word under the pointer, or of the held one,
// are drawn, and the other column is tinted by them; else all.
std::optional<HeldWord> lines_view(const LinesView& view, const ScreenRect& rect);

} // namespace headlight
