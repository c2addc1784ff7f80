#include "app/ui/panels/value_view.h"

#include "app/ui/ui.h"
#include "engine/inspect/axes.h"

namespace headlight {

namespace {

std::string last_name(const std::string& path) { return path.substr(path.rfind('.') + 1); }

// One colour each for query, key and value, everywhere.
std::optional<Colour> colour_of(const Node& node) {
    const std::string last = last_name(node.path);
    if (last == "q" || last == "query" || last == "w_q" || last == "b_q") return theme().colours.query;
    if (last == "k" || last == "key" || last == "w_k" || last == "b_k") return theme().colours.key;
    if (last == "v" || last == "value" || last == "w_v" || last == "b_v") return theme().colours.value;
    return {};
}

bool of_attention(const Axes& axes) {
    return axes.rows.kind == Axis::Kind::positions && axes.columns.kind == Axis::Kind::positions;
}

std::string unit(const Session& session, const Axis& axis, const Node& node, bool rows) {
    const Strings& s = session.strings();
    if (axis.kind == Axis::Kind::positions) return s.text("story.axis.positions");
    if (axis.kind == Axis::Kind::vocabulary) return s.text("story.axis.vocabulary");
    const Index size = rows ? node.value.rows() : node.value.columns();
    const ModelConfig& c = session.model().config();
    if (node.value.batch() > 1 && size == c.d_k()) return "d_k";
    if (size == c.d_model) return "d_model";
    if (size == c.d_ff) return "d_ff";
    return {};
}

} // namespace

bool is_per_head(const Node& node) { return axes_of(node).per_head; }

bool is_probability(const Node& node) { return node.op->name() == "softmax"; }

std::string value_name(const Session& session, const Node& node) {
    return session.strings().text("story.value." + last_name(node.path));
}

std::vector<std::string> axis_labels(const Session& session, const Node& node, bool rows) {
    const Axes axes = axes_of(node);
    const Axis& axis = rows ? axes.rows : axes.columns;
    const LoadedModel& model = session.model();
    if (axis.kind == Axis::Kind::positions) {
        const bool source = axis.tokens == model.transformer->source_tokens;
        return source ? session.sentence().source_labels : session.sentence().target_labels;
    }
    if (axis.kind == Axis::Kind::vocabulary) {
        const bool source = node.path == "encoder.embed.table";
        return (source ? model.files.source : model.files.target).vocabulary().tokens();
    }
    return {};
}

void make_value_view(ValueView& out, const Session& session, const Node& node, Index head, std::string name) {
    const Strings& s = session.strings();
    const Axes axes = axes_of(node);
    out.name = std::move(name);
    out.title = value_name(session, node);
    if (axes.per_head) out.title += "  ·  " + s.text("story.head_number", {std::to_string(head + 1)});
    out.row_labels = axis_labels(session, node, true);
    out.column_labels = axis_labels(session, node, false);
    const std::string rows =
        of_attention(axes) ? s.text("story.axis.queries") : unit(session, axes.rows, node, true);
    const std::string columns =
        of_attention(axes) ? s.text("story.axis.keys") : unit(session, axes.columns, node, false);
    out.units = rows.empty() || columns.empty() ? rows + columns : rows + " × " + columns;
    if (of_attention(axes)) {
        out.row_axis = s.text("story.axis.query") + " ↓";
        out.column_axis = s.text("story.axis.key") + " →";
    }

    HeatmapView& view = out.view;
    view.name = out.name;
    view.title = out.title;
    view.title_colour = colour_of(node);
    view.units = out.units;
    view.row_labels = out.row_labels;
    view.column_labels = out.column_labels;
    view.row_axis = out.row_axis;
    view.column_axis = out.column_axis;
    view.palette = is_probability(node) ? Palette::sequential : Palette::diverging;
    const Tensor& value = node.value;
    view.matrix = {value.matrix(head),
                   int(value.rows()),
                   int(value.columns()),
                   value.columns(),
                   heatmap_id(node.path, int(head)),
                   session.version()};
}

} // namespace headlight
