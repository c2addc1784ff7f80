#include "app/session/value_names.h"

#include <algorithm>

namespace headlight {

std::string value_name(const Session& session, const Node& node) {
    // The most specific name there is: "story.value.embed.output" before "story.value.output".
    const Strings& s = session.strings();
    return s.text_or("story.value." + node.box->name + "." + node.name,
                     s.text_or("story.value." + node.name, node.name));
}

std::vector<std::string> axis_labels(const Session& session, const Node& node, bool rows) {
    const Axes& axes = node.axes;
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
