#include "app/session/value_names.h"

#include "engine/inspect/axes.h"

#include <algorithm>

namespace headlight {

namespace {

std::string last_name(const std::string& path) { return path.substr(path.rfind('.') + 1); }

} // namespace

bool is_per_head(const Node& node) { return axes_of(node).per_head; }

std::string value_name(const Session& session, const Node& node) {
    // The most specific name there is: "story.value.embed.output" before "story.value.output".
    const std::string last = last_name(node.path);
    const std::size_t end = node.path.size() - std::min(node.path.size(), last.size() + 1);
    const std::string owner = last_name(node.path.substr(0, end));
    const std::string specific = "story.value." + owner + "." + last;
    return session.strings().text_or(
        session.strings().texts("en").contains(specific) ? specific : "story.value." + last, last);
}

std::vector<std::string> axis_labels(const Session& session, const Node& node, bool rows) {
    const Axes axes = axes_of(node);
    const Axis& axis = rows ? axes.rows : axes.columns;
    const LoadedModel& model = session.model();
    if (axis.kind == Axis::Kind::positions) {
        return labels_of(session.sentence(), model.map(), *axis.tokens);
    }
    if (axis.kind == Axis::Kind::vocabulary) {
        const Stream* stream = model.map().stream_of(axis.tokens);
        const bool source = stream && stream->vocabulary == 0;
        return (source ? model.files.source : model.files.target).vocabulary().tokens();
    }
    return {};
}

std::string place_label(const std::vector<std::string>& labels, Index i) {
    return i < Index(labels.size()) ? labels[std::size_t(i)] : std::to_string(i);
}

} // namespace headlight
