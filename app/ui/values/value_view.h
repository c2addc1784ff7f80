// A value of the graph as a heatmap: its labels, axes, colours and legend follow from the graph.
#pragma once

#include "app/session/session.h"
#include "app/session/value_names.h"
#include "app/ui/widgets/heatmap.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

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

} // namespace headlight
