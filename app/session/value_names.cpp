#include "app/session/value_names.h"

#include <algorithm>

namespace headlight {

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
