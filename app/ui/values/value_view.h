#pragma once

#include "app/session/session.h"
#include "app/session/step_text.h"
#include "app/session/value_names.h"
#include "app/ui/base/ui.h"
#include "app/ui/widgets/columns.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/text.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

// What a panel is: a function of a rectangle and a session that it only reads. What a person wants is emitted
// as command lines, which are executed when the frame is laid out. With this comes all that panels are
// written with: the theme and the pen, text, and what a person presses.

class CommandSink {
public:
    void emit(std::string line) { lines_.push_back(std::move(line)); }
    std::vector<std::string> take() { return std::exchange(lines_, {}); }

private:
    std::vector<std::string> lines_;
};

// A value of the graph as a heatmap: its labels, axes, colours and legend follow from the graph.

// A HeatmapView with the strings that it refers to.
struct ValueView {
    HeatmapView view;
    std::string name, title, units;
    std::span<const std::string> row_labels; // of value_labels
    std::vector<MatrixCell> covered;         // by a lesson that asks for them

    ValueView() = default;
    ValueView(const ValueView&) = delete; // `view` points into it
    ValueView& operator=(const ValueView&) = delete;
};

// What stands beside and above a value's cells, as they are drawn.
struct ValueLabels {
    std::vector<std::string> rows, columns;
    std::vector<int> row_words, column_words; // of tokens, where a word is several
    std::string row_axis, column_axis;        // "query ↓", "key →"
};
// Kept until the sentence, the language or the model changes.
const ValueLabels& value_labels(const Session& session, const Node& node);
constexpr float tallest_of_attention = 1.3f;    // its rows and columns are alike: cells nearly square
bool labels_columns(const ValueLabels& labels); // not those of a whole vocabulary

// The matrix of `head` of a node's value (0 when it is no per-head value). `name` is the widget's.
void make_value_view(ValueView& out, const Session& session, const Node& node, Index head, std::string name);

// One colour each for query, key and value, everywhere.
std::optional<Colour> value_colour(const Node& node);

// "S = Q Kᵀ" in the session's language: the words inside are translated.
std::string formula_in_language(const Session& session, std::string formula);

// Cells of a value as they are drawn, in order of rows.
std::vector<MatrixCell> drawn_cells(const Node& node, std::vector<MatrixCell> cells);

// A lesson asks what the model says, and that is how probable it finds each word.
bool tells_words(const Session& session, const Node& node);
// What of this matrix a lesson covers, because it asks for it.
std::vector<MatrixCell> covered_cells(const Session& session, std::string_view path, Index head);

bool is_probability(const Node& node); // from 0 to 1, a sequential colour map

// What is read as words, not as colours: token ids, chosen words, the most probable words of a position.

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
