#include "app/ui/changes/changes.h"
#include "app/session/step_text.h"
#include "app/session/value_names.h"

#include <algorithm>
#include <vector>

namespace headlight {

namespace {

ChangeChoice choice(const Session& session, const std::string& key, std::string change,
                    std::string label = {}) {
    const Strings& s = session.strings();
    const std::string tip = key + ".tip";
    const bool made = is_made(session, change);
    return {label.empty() ? s.text(key) : std::move(label),
            s.texts("en").contains(tip) ? s.text(tip) : std::string(), std::move(change), made};
}

bool is_possible(const Session& session, const std::string& change) {
    return bool(edits_of(change, session.model(), session.what_if().second_graph()));
}

// "encoder.0" of "encoder.0.self_attn.scores"; "" outside the layers.
std::string layer_of(const Session& session) {
    const Layer* layer = session.model().map().layer_of(*session.step().node);
    return layer ? layer->path : std::string();
}

} // namespace

bool is_made(const Session& session, const std::string& change) {
    const auto& changes = session.question().changes;
    return std::find(changes.begin(), changes.end(), Change{change, true}) != changes.end();
}

std::string switch_command(const Session& session, const std::string& change) {
    const auto& changes = session.question().changes;
    const auto made = std::find(changes.begin(), changes.end(), Change{change, true});
    if (made == changes.end()) return "change " + change;
    return "change delete " + std::to_string(made - changes.begin() + 1);
}

std::string present_attention(const Session& session) {
    const Attention* attention = session.model().map().attention_of(*session.step().node);
    return attention ? attention->path : std::string();
}

std::vector<std::string> attentions(const Session& session) {
    std::vector<std::string> all;
    for (const Attention& attention : session.model().map().attentions) all.push_back(attention.path);
    return all;
}

std::vector<ChangeChoice> first_choices(const Session& session) {
    std::vector<ChangeChoice> choices;
    const std::vector<std::string> all = attentions(session);
    // What shows in the words that are said: early attentions and ÷√d_k seldom do.
    for (const std::string& change : {std::string("remove positions all"),
                                      all.empty() ? std::string() : "head " + all.back() + " all silence",
                                      all.empty() ? std::string() : "head " + all.back() + " all uniform",
                                      std::string("remove ffn all")}) {
        if (change.empty() || !is_possible(session, change)) continue;
        const std::string key = change.starts_with("remove positions") ? "whatif.try.positions"
                                : change.ends_with("silence")          ? "whatif.try.silence"
                                : change.ends_with("uniform")          ? "whatif.try.uniform"
                                                                       : "whatif.try.ffn";
        choices.push_back(choice(session, key, change));
    }
    return choices;
}

std::vector<ChangeChoice> head_choices(const Session& session) {
    const std::string attention = present_attention(session);
    if (attention.empty()) return {};
    const Index head = session.view().head;
    const std::string who =
        "head " + attention + " " + (head < 0 ? std::string("all") : std::to_string(head)) + " ";
    std::vector<ChangeChoice> choices;
    for (const char* how : {"silence", "uniform", "identity", "previous", "next"})
        choices.push_back(choice(session, std::string("whatif.choice.") + how, who + how));
    choices.push_back(choice(session, "whatif.choice.half", who + "scale 0.5"));
    choices.push_back(choice(session, "whatif.choice.double", who + "scale 2"));
    if (session.what_if().second()) choices.push_back(choice(session, "whatif.choice.other", who + "other"));
    return choices;
}

std::vector<ChangeChoice> removal_choices(const Session& session, bool everywhere) {
    const std::string layer = layer_of(session);
    if (!everywhere && layer.empty()) return {};
    std::vector<ChangeChoice> choices;
    for (const char* what : {"scaling", "positions", "residual", "norm", "ffn", "attention", "layer"}) {
        const std::string change = std::string("remove ") + what + " " + (everywhere ? "all" : layer);
        if (is_possible(session, change))
            choices.push_back(choice(session, std::string("whatif.choice.") + what, change));
    }
    return choices;
}

std::vector<ChangeChoice> weight_choices(const Session& session) {
    std::vector<const Node*> weights;
    if (const auto& held = session.view().asking.held)
        if (const Node* node = session.model().graph().find(held->path);
            node && node->is(ValueKind::parameter))
            weights.push_back(node);
    for (const Node* operand : session.step().operands)
        if (operand->is(ValueKind::parameter)
            && std::find(weights.begin(), weights.end(), operand) == weights.end())
            weights.push_back(operand);
    std::vector<ChangeChoice> choices;
    for (const Node* weight : weights)
        for (const char* how : {"zero", "identity", "random"}) {
            const std::string change = "weight " + weight->path + " " + how;
            const std::string key =
                std::string("whatif.choice.") + how + (how == std::string("identity") ? "_weight" : "");
            if (is_possible(session, change))
                choices.push_back(choice(session, key, change,
                                         session.strings().text(key, {value_name(session, *weight)})));
        }
    return choices;
}

std::vector<ChangeChoice> held_choices(const Session& session) {
    const auto& held = session.view().asking.held;
    const Node* found = held ? session.model().graph().find(held->path) : nullptr;
    if (!found) return {};
    const Node& node = *found;
    const std::string row = std::to_string(held->cell.row), column = std::to_string(held->cell.column);
    std::vector<ChangeChoice> choices;
    if (node.is(ValueKind::mask))
        for (const char* how : {"allow", "forbid"})
            choices.push_back(choice(session, std::string("whatif.choice.") + how,
                                     "mask " + node.path + " " + row + " " + column + " " + how));
    if (const Graph* second = session.what_if().second_graph(); second && !node.is(ValueKind::parameter)) {
        const Node* theirs = second->find(node.path);
        if (theirs && held->cell.row < theirs->shape().rows)
            choices.push_back(choice(session, "whatif.choice.patch_row", "patch " + node.path + " " + row));
        choices.push_back(choice(session, "whatif.choice.patch_all", "patch " + node.path + " all"));
    }
    return choices;
}

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
