#include "app/session/matrix_part.h"

#include "app/session/value_names.h"

#include <algorithm>

namespace headlight {

namespace {

// The numbers of a part, one row behind the other.
struct PartNumbers {
    std::vector<Real> numbers;
    Tensor tensor;

    PartNumbers(const Tensor& value, const MatrixPart& part) {
        for (Index r = part.row0; r <= part.row1; ++r) {
            const Real* row = value.row(part.head, r);
            numbers.insert(numbers.end(), row + part.column0, row + part.column1 + 1);
        }
        tensor = Tensor({1, part.rows(), part.columns()}, numbers.data());
    }
    PartNumbers(const PartNumbers&) = delete; // the tensor looks at the numbers
    PartNumbers& operator=(const PartNumbers&) = delete;
};

std::vector<std::string> part_of(std::vector<std::string> labels, Index first, Index last) {
    if (Index(labels.size()) <= last) return {};
    return {labels.begin() + first, labels.begin() + last + 1};
}

} // namespace

std::optional<MatrixPart> part_asked(const Session& session, const std::optional<Selection>& pointed) {
    if (!session.has_model()) return {};
    const View& view = session.view();
    if (view.asking.part) return view.asking.part;
    for (const std::optional<Selection>& cell : {view.selection, pointed})
        if (cell && session.has(*cell)) return whole_matrix(*session.find(cell->path), cell->cell.batch);
    const Node& node = *session.step().node;
    return whole_matrix(node, place_of_head(session.model().map(), node, view.head));
}

PartStatistics statistics_of(const Node& node, const MatrixPart& part) {
    const PartNumbers copy(node.value, part);
    PartStatistics result{statistics(copy.tensor), {}};
    if (node.is(ValueKind::probabilities) && part.columns() == node.value.columns())
        result.entropies = row_entropies(copy.tensor);
    return result;
}

std::string part_as_text(const Session& session, const MatrixPart& part, ExportFormat format) {
    const Node& node = *session.find(part.path);
    const PartNumbers copy(node.value, part);
    ExportOptions options;
    options.format = format;
    options.decimals = 4;
    options.row_labels = part_of(axis_labels(session, node, true), part.row0, part.row1);
    options.column_labels = part_of(axis_labels(session, node, false), part.column0, part.column1);
    return export_text(copy.tensor, options);
}

} // namespace headlight
