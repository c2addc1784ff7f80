#include "app/ui/changes/change_words.h"

#include "app/session/step_text.h"
#include "app/session/value_names.h"

#include <vector>

namespace headlight {

namespace {

using Words = std::vector<std::string>;

std::string number_after(const std::string& word) { // people count from 1
    const Result<long> index = whole_number_of(word);
    return index ? std::to_string(*index + 1) : word;
}

std::string head_words(const Session& session, const Words& words) {
    const Strings& s = session.strings();
    const std::string who = place_words(session, words[1]) + ", "
                            + (words[2] == "all" ? s.text("whatif.all_heads")
                                                 : s.text("story.head_number", {number_after(words[2])}));
    return s.text("whatif.head." + words[3], {who, words.size() > 4 ? words[4] : std::string()});
}

std::string removal_words(const Session& session, const Words& words) {
    const Strings& s = session.strings();
    const bool everywhere = words.size() < 3 || words[2] == "all";
    return s.text("whatif.remove." + words[1],
                  {everywhere ? s.text("whatif.everywhere") : place_words(session, words[2])});
}

// The token or the number that a row or a column stands for.
std::string label_at(const Session& session, const Node& node, bool rows, const std::string& word) {
    const Strings& s = session.strings();
    if (word == "all") return s.text(rows ? "whatif.every_row" : "whatif.every_column");
    const Result<long> index = whole_number_of(word);
    if (!index) return word;
    const std::vector<std::string> labels = axis_labels(session, node, rows);
    if (Index(*index) < Index(labels.size())) return labels[std::size_t(*index)];
    return s.text(rows ? "whatif.row" : "whatif.column", {std::to_string(*index)});
}

std::string value_words(const Session& session, const Node& node) {
    const std::string name = value_name(session, node), place = place_words(session, node.path);
    return place.empty() ? name : name + " (" + place + ")";
}

std::string cell_words(const Session& session, const Node& node, const Words& words) {
    const Strings& s = session.strings();
    const std::size_t n = words.size();
    std::string value = value_words(session, node);
    if (n == 6 && node.shape().batch > 1)
        value += ", " + s.text("story.head_number", {number_after(words[2])});
    return s.text("whatif.cell", {value, label_at(session, node, true, words[n - 3]),
                                  label_at(session, node, false, words[n - 2]), words[n - 1]});
}

} // namespace

std::string place_words(const Session& session, const std::string& path) {
    const LoadedModel& model = session.model();
    const Strings& s = session.strings();
    for (const StoryBlock& block : model.blocks)
        if (path == block.id || path.starts_with(block.id + "."))
            return step_place(session, model.story[std::size_t(block.first)]);
    for (const StoryBlock& block : model.blocks)
        if (block.layer >= 0 && block.id.starts_with(path + "."))
            return side_name(session, block.side) + "  ·  "
                   + s.text("story.layer_short", {std::to_string(block.layer + 1)});
    if (model.map().stream(path)) return side_name(session, path);
    Index step = model.step_of(path);
    if (const std::size_t dot = path.rfind('.'); step < 0 && dot != path.npos)
        step = model.step_of(path.substr(0, dot)); // of a norm's γ and β: where the norm is
    return step >= 0 ? step_place(session, model.story[std::size_t(step)]) : std::string();
}

std::string change_words(const Session& session, std::string_view change) {
    const Strings& s = session.strings();
    const Words words = words_of(change);
    if (words.size() < 2) return std::string(change);
    if (words[0] == "remove") return removal_words(session, words);
    if (words[0] == "head" && words.size() >= 4) return head_words(session, words);
    if (words[0] == "stop" && words.size() == 3) {
        const Result<long> stop = whole_number_of(words[2]);
        return stop ? s.text("whatif.stop", {side_name(session, words[1]), stop_name(session, *stop)})
                    : std::string(change);
    }
    const Node* node = session.model().graph().find(words[1]);
    if (!node) return std::string(change);
    const std::size_t n = words.size();
    if (words[0] == "cell" && n >= 5) return cell_words(session, *node, words);
    if (words[0] == "row" && n == 4)
        return s.text("whatif.row_by", {value_words(session, *node), label_at(session, *node, true, words[2]),
                                        label_at(session, *node, true, words[3])});
    if (words[0] == "mask" && n == 5)
        return s.text("whatif.mask." + words[4],
                      {value_words(session, *node), label_at(session, *node, true, words[2]),
                       label_at(session, *node, false, words[3])});
    if (words[0] == "patch" && n >= 3)
        return s.text("whatif.patch",
                      {value_words(session, *node), label_at(session, *node, true, words[2])});
    if (words[0] == "scale" && n == 3) return s.text("whatif.scale", {value_words(session, *node), words[2]});
    if (words[0] == "weight" && n >= 3)
        return s.text("whatif.weight." + words[2], {value_words(session, *node)});
    return std::string(change);
}

} // namespace headlight
