// A part of a matrix as numbers, with the labels that stand beside it.
#pragma once

#include "app/session/session.h"
#include "engine/inspect/export.h"
#include "engine/inspect/statistics.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

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

} // namespace headlight
