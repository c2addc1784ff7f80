#include "app/ui/values/value_view.h"

#include "app/ui/base/ui.h"

#include <algorithm>
#include <map>
#include <utility>

namespace headlight {

namespace {

bool of_attention(const Axes& axes) {
    return axes.rows.kind == Axis::Kind::positions && axes.columns.kind == Axis::Kind::positions;
}

std::string unit(const Session& session, const Axis& axis, const Node& node, bool rows) {
    const Strings& s = session.strings();
    if (axis.kind == Axis::Kind::positions) return s.text("story.axis.positions");
    if (axis.kind == Axis::Kind::vocabulary) return s.text("story.axis.vocabulary");
    if (!session.is_of_model(node)) return {};
    const Index size = rows ? node.value.rows() : node.value.columns();
    const ModelConfig& c = session.model().config();
    if (node.value.batch() > 1 && size == c.d_k()) return "d_k";
    if (size == c.d_model) return "d_model";
    if (size == c.d_ff) return "d_ff";
    return {};
}

} // namespace

std::optional<Colour> value_colour(const Node& node) {
    const std::string& colour = node.symbol.colour;
    if (colour == "query") return colours().query;
    if (colour == "key") return colours().key;
    if (colour == "value") return colours().value;
    return {};
}

bool is_probability(const Node& node) { return node.is(ValueKind::probabilities); }

namespace {

ValueLabels labels_of(const Session& session, const Node& node) {
    const Strings& s = session.strings();
    const Axes& axes = node.axes;
    const bool transposed = is_drawn_transposed(node);
    ValueLabels labels{axis_labels(session, node, !transposed),
                       axis_labels(session, node, transposed),
                       axis_words(session, node, !transposed),
                       axis_words(session, node, transposed),
                       {},
                       {}};
    if (of_attention(axes)) {
        labels.row_axis = s.text("story.axis.query") + " ↓";
        labels.column_axis = s.text("story.axis.key") + " →";
    } else if (axes.columns.kind == Axis::Kind::vocabulary && axes.rows.kind == Axis::Kind::positions) {
        labels.row_axis = s.text("window.reads") + " ↓"; // a row is what was read, a column what may be said
        labels.column_axis = s.text("window.says") + " →";
    }
    return labels;
}

} // namespace

std::vector<MatrixCell> drawn_cells(const Node& node, std::vector<MatrixCell> cells) {
    if (!is_drawn_transposed(node)) return cells;
    for (MatrixCell& cell : cells) std::swap(cell.row, cell.column);
    std::sort(cells.begin(), cells.end(), [](const MatrixCell& a, const MatrixCell& b) {
        return a.row != b.row ? a.row < b.row : a.column < b.column;
    });
    return cells;
}

bool tells_words(const Session& session, const Node& node) {
    if (!session.view().teaching.cover.words || !session.is_of_model(node)) return false;
    const Output& output = session.model().map().output;
    return &node == output.probabilities || &node == output.values;
}

std::vector<MatrixCell> covered_cells(const Session& session, std::string_view path, Index head) {
    std::vector<MatrixCell> covered;
    if (const Node* node = session.find(path); node && tells_words(session, *node)) return {{-1, -1}};
    for (const NamedCell& part : session.view().teaching.cover.cells)
        if (part.path == path && part.cell.batch == head)
            covered.push_back({int(part.cell.row), int(part.cell.column)});
    return covered;
}

bool labels_columns(const ValueLabels& labels) { return labels.columns.size() <= 100; }

const ValueLabels& value_labels(const Session& session, const Node& node) {
    struct Known {
        std::map<std::string, ValueLabels> labels;
        unsigned long version = 0, of_lesson = 0;
        std::string language;
        bool covered = false;
    };
    auto& [known, version, of_lesson, language, covered] = ui().memory<Known>();
    const bool covers = session.view().teaching.cover.words;
    if (version != session.version() || of_lesson != session.small_pages().version
        || language != session.strings().language() || covered != covers) {
        covered = covers;
        known.clear();
        version = session.version();
        of_lesson = session.small_pages().version;
        language = session.strings().language();
    }
    const auto found = known.find(node.path);
    return found != known.end() ? found->second
                                : known.emplace(node.path, labels_of(session, node)).first->second;
}

void make_value_view(ValueView& out, const Session& session, const Node& node, Index head, std::string name) {
    const Strings& s = session.strings();
    const Axes& axes = node.axes;
    const ValueLabels& labels = value_labels(session, node);
    out.name = std::move(name);
    out.title = value_name(session, node);
    if (axes.per_head) out.title += "  ·  " + head_label(session, node, head);
    const std::string rows =
        of_attention(axes) ? s.text("story.axis.queries") : unit(session, axes.rows, node, true);
    const std::string columns =
        of_attention(axes) ? s.text("story.axis.keys") : unit(session, axes.columns, node, false);
    const bool transposed = is_drawn_transposed(node);
    const std::string &down = transposed ? columns : rows, &across = transposed ? rows : columns;
    out.units = down.empty() || across.empty() ? down + across : down + " × " + across;
    out.row_labels = labels.rows;

    HeatmapView& view = out.view;
    view.name = out.name;
    view.title = out.title;
    view.title_colour = value_colour(node);
    view.units = out.units;
    view.row_labels = labels.rows;
    view.column_labels = labels.columns;
    view.row_words = labels.row_words;
    view.column_words = labels.column_words;
    view.show_column_labels = labels_columns(labels);
    if (of_attention(axes)) view.tallest_row = tallest_of_attention;
    view.row_axis = labels.row_axis;
    view.column_axis = labels.column_axis;
    view.palette = is_probability(node) ? Palette::sequential : Palette::diverging;
    out.covered = drawn_cells(node, covered_cells(session, node.path, head));
    view.covered = out.covered;
    view.hides_ends = session.view().teaching.cover.hides_some_of(node.path);
    const Tensor& value = node.value;
    view.matrix = {value.matrix(head),
                   int(transposed ? value.columns() : value.rows()),
                   int(transposed ? value.rows() : value.columns()),
                   transposed ? 1 : value.columns(),
                   heatmap_id(node.path, int(head)),
                   session.version_of(node.path),
                   transposed ? value.columns() : 1};
}

std::string formula_in_language(const Session& session, std::string formula) {
    for (const char* word : {"if", "or", "Sublayer"}) {
        const std::string there = std::string("\\mathrm{") + word + "}";
        const std::string& here = session.strings().text(std::string("formula.") + word);
        if (const std::size_t at = formula.find(there); at != formula.npos)
            formula.replace(at, there.size(), "\\mathrm{" + here + "}");
    }
    return formula;
}

} // namespace headlight
