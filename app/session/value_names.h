#pragma once

#include "app/session/session.h"
#include "engine/inspect/export.h"
#include "engine/inspect/statistics.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

// A part of a matrix as numbers, with the labels that stand beside it.

// Which part is meant, in this order: the one that was chosen; the matrix of the cell that is held, or
// pointed at; the value of the present step. None without a model.
std::optional<MatrixPart> part_asked(const Session& session, const std::optional<NamedCell>& pointed = {});

// The numbers of parts alike, one behind the other, as they are drawn (is_drawn_transposed).
struct PartNumbers {
    std::vector<Real> numbers;
    Tensor tensor;

    PartNumbers(const Node& node, const std::vector<MatrixPart>& parts);
    PartNumbers(const PartNumbers&) = delete; // the tensor looks at the numbers
    PartNumbers& operator=(const PartNumbers&) = delete;
};

struct PartStatistics {
    Statistics numbers; // cells count from the corner of the part, as it is drawn
    // Of each row, when the rows are those of a softmax and the part has all of their columns.
    std::vector<Entropy> entropies;
};
PartStatistics statistics_of(const Node& node, const MatrixPart& part);

// With the tokens' labels, where rows or columns are tokens.
std::string part_as_text(const Session& session, const MatrixPart& part, ExportFormat format);

// What values, their rows and their columns are called, in the language of the session.

// "scores", "W_Q", "residual sum".
std::string value_name(const Session& session, const Node& node);

// Where a stream stops under a lens: "after the embedding", "after layer 3".
std::string stop_name(const Session& session, Index stop);

// Labels of the tokens that an axis stands for; none for features.
std::vector<std::string> axis_labels(const Session& session, const Node& node, bool rows);

// For each of these tokens the word of the typed sentence that it is a part of, counted from 0; −1: of none.
// Empty where every word is one token, as where the axis stands for anything else.
std::vector<int> axis_words(const Session& session, const Node& node, bool rows);

// Where the numbers of one head of its attention lie in a value: heads that share keys have one place there.
// 0 for a value that has no heads, and for no head (−1).
Index place_of_head(const ModelMap& map, const Node& node, Index head);
Index heads_of(const ModelMap& map, const Node& node); // of its attention; else as many as it has itself

// "head 2", or "heads 3–4" where these lie in the same place.
std::string head_label(const Session& session, const Node& node, Index place);

// Of row or column i: its token, or its number.
std::string place_label(const std::vector<std::string>& labels, Index i);

// A weight is stored [out × in], as PyTorch keeps it, and drawn as the papers write it, X W: its rows stand
// for what goes in, its columns for what comes out. Commands, paths and files name cells as they are stored.
bool is_drawn_transposed(const Node& node);
// Where a cell of the value is drawn; of one that is drawn, where it is stored.
Cell drawn(const Node& node, Cell cell);

} // namespace headlight
