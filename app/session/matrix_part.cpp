#include "app/session/matrix_part.h"

#include "app/session/value_names.h"

#include <algorithm>

namespace headlight {

namespace {

std::vector<std::string> part_of(std::vector<std::string> labels, Index first, Index last) {
    if (Index(labels.size()) <= last) return {};
    return {labels.begin() + first, labels.begin() + last + 1};
}

} // namespace

PartNumbers::PartNumbers(const Node& node, const std::vector<MatrixPart>& parts) {
    const bool transposed = is_drawn_transposed(node);
    for (const MatrixPart& part : parts) {
        const Cell from = drawn(node, {part.head, part.row0, part.column0}),
                   to = drawn(node, {part.head, part.row1, part.column1});
        for (Index r = from.row; r <= to.row; ++r)
            for (Index c = from.column; c <= to.column; ++c) {
                const Cell there = drawn(node, {part.head, r, c});
                numbers.push_back(node.value(there.batch, there.row, there.column));
            }
    }
    const MatrixPart& one = parts.front();
    tensor = Tensor(transposed ? Shape{Index(parts.size()), one.columns(), one.rows()}
                               : Shape{Index(parts.size()), one.rows(), one.columns()},
                    numbers.data());
}

std::optional<MatrixPart> part_asked(const Session& session, const std::optional<NamedCell>& pointed) {
    if (!session.has_model()) return {};
    const View& view = session.view();
    if (view.asking.part) return view.asking.part;
    for (const std::optional<NamedCell>& cell : {view.asking.held, pointed})
        if (cell && session.has(*cell)) return whole_matrix(*session.find(cell->path), cell->cell.batch);
    const Node& node = *session.step().node;
    return whole_matrix(node, place_of_head(session.model().map(), node, view.head));
}

PartStatistics statistics_of(const Node& node, const MatrixPart& part) {
    const PartNumbers copy(node, {part});
    PartStatistics result{statistics(copy.tensor), {}};
    if (node.is(ValueKind::probabilities) && part.columns() == node.value.columns())
        result.entropies = row_entropies(copy.tensor);
    return result;
}

std::string part_as_text(const Session& session, const MatrixPart& part, ExportFormat format) {
    const Node& node = *session.find(part.path);
    const PartNumbers copy(node, {part});
    const Cell first = drawn(node, {part.head, part.row0, part.column0}),
               last = drawn(node, {part.head, part.row1, part.column1});
    const bool transposed = is_drawn_transposed(node);
    ExportOptions options;
    options.format = format;
    options.decimals = 4;
    options.row_labels = part_of(axis_labels(session, node, !transposed), first.row, last.row);
    options.column_labels = part_of(axis_labels(session, node, transposed), first.column, last.column);
    return export_text(copy.tensor, options);
}

} // namespace headlight
