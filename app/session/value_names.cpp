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

Index place_of_head(const ModelMap& map, const Node& node, Index head) {
    const Index places = node.axes.per_head ? node.value.batch() : 1, heads = heads_of(map, node);
    return std::clamp<Index>(head, 0, heads - 1) * places / heads;
}

Index heads_of(const ModelMap& map, const Node& node) {
    const Attention* attention = node.axes.per_head ? map.attention_of(node) : nullptr;
    return attention ? attention->heads : node.value.batch();
}

std::string head_label(const Session& session, const Node& node, Index place) {
    const Index shared = std::max<Index>(1, heads_of(session.model().map(), node) / node.value.batch());
    const std::string first = std::to_string(place * shared + 1);
    return shared == 1
               ? session.strings().text("story.head_number", {first})
               : session.strings().text("story.head_numbers", {first, std::to_string((place + 1) * shared)});
}

namespace {

// "share", "weighted by values"; of a lens what the model calls such a value, and where the stream stopped:
// "probabilities · after layer 3".
std::string measure_name(const Session& session, const Node& node) {
    const Strings& s = session.strings();
    const GraphBox* lens = nullptr; // of the stop
    for (const GraphBox* box = node.box; box->parent; box = box->parent)
        if (box->parent->parent && box->parent->parent->name == "lens") lens = box;
    if (!lens) return s.text_or("measures.value." + node.name, node.name);
    const std::string name = s.text_or("story.value." + node.box->name + "." + node.name,
                                       s.text_or("story.value." + node.name, node.name));
    return name + "  ·  " + stop_name(session, std::stol(lens->name));
}

} // namespace

std::string stop_name(const Session& session, Index stop) {
    return stop == 0 ? session.strings().text("measures.stop.embedding")
                     : session.strings().text("measures.stop.layer", {std::to_string(stop)});
}

std::string value_name(const Session& session, const Node& node) {
    // The most specific name there is: "story.value.embed.output" before "story.value.output".
    const Strings& s = session.strings();
    if (is_measure(node.path)) return measure_name(session, node);
    if (session.is_of_model(node)) {
        const Output& output = session.model().map().output;
        if (&node == output.values && output.meaning == Output::Meaning::classes)
            return s.text("story.value.classes.logits");
    }
    return s.text_or("story.value." + node.box->name + "." + node.name,
                     s.text_or("story.value." + node.name, node.name));
}

std::vector<std::string> axis_labels(const Session& session, const Node& node, bool rows) {
    const Axes& axes = node.axes;
    const Axis& axis = rows ? axes.rows : axes.columns;
    if (session.norms() && node.graph == &session.norms()->computed->graph)
        return session.norms()->words_along(axis);
    if (small_page_of(node.path)) return words_along(session.small_pages(), axis);
    const LoadedModel& model = session.model();
    if (axis.kind == Axis::Kind::positions) {
        // What is to be predicted is not to be read beside a matrix either.
        if (session.view().teaching.cover.words && is_target(model.map(), *axis.tokens))
            return std::vector<std::string>(labels_of(session.sentence(), model.map(), *axis.tokens).size(),
                                            "?");
        return labels_of(session.sentence(), model.map(), *axis.tokens);
    }
    if (axis.kind == Axis::Kind::vocabulary)
        return model.labels_of(tokenizer_of(model.files, model.map().stream_of(axis.tokens)));
    if (axis.kind == Axis::Kind::classes) return model.config().labels;
    return {};
}

std::vector<int> axis_words(const Session& session, const Node& node, bool rows) {
    const Axis& axis = rows ? node.axes.rows : node.axes.columns;
    if (axis.kind != Axis::Kind::positions || !session.is_of_model(node)) return {};
    const ModelMap& map = session.model().map();
    const Stream* typed = typed_stream(map);
    const std::vector<Piece>& pieces = session.sentence().source;
    const bool is_cut = std::adjacent_find(pieces.begin(), pieces.end(),
                                           [](const Piece& a, const Piece& b) { return a.word == b.word; })
                        != pieces.end();
    if (!is_cut || !typed || map.stream_of(axis.tokens) != typed) return {};
    std::vector<int> words(std::size_t(axis.tokens->value.rows()), -1);
    for (std::size_t i = 0; i < pieces.size() && i + typed->before.size() < words.size(); ++i)
        words[i + typed->before.size()] = int(pieces[i].word);
    return words;
}

std::string place_label(const std::vector<std::string>& labels, Index i) {
    return i < Index(labels.size()) ? labels[std::size_t(i)] : std::to_string(i);
}

bool is_drawn_transposed(const Node& node) {
    if (!node.is(ValueKind::parameter) || node.value.rows() == 1) return false;
    const auto& nodes = node.graph->nodes();
    for (auto reader = nodes.begin() + node.index + 1; reader != nodes.end(); ++reader)
        for (std::size_t i = 0; i < reader->inputs.size(); ++i)
            if (&reader->input(i) == &node) return reader->op->reads_transposed(i);
    return false;
}

Cell drawn(const Node& node, Cell cell) {
    return is_drawn_transposed(node) ? Cell{cell.batch, cell.column, cell.row} : cell;
}

} // namespace headlight
