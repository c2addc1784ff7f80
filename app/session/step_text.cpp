#include "app/session/step_text.h"
#include "engine/inspect/numbers.h"

#include <cmath>

namespace headlight {

namespace {

// The most specific text that there is, with the sizes that the forward story's texts take too.
std::string gradient_string(const Session& session, const BackwardStep& step, const std::string& part) {
    std::string key;
    for (const std::string& candidate : gradient_keys(step)) {
        key = "gradient." + candidate + "." + part;
        if (session.strings().texts("en").contains(key)) break;
    }
    return session.strings().text(key, sizes_in_texts(session, *step.node));
}

} // namespace

std::string gradient_title(const Session& session, const BackwardStep& step) {
    return gradient_string(session, step, "title");
}
std::string gradient_text(const Session& session, const BackwardStep& step) {
    return gradient_string(session, step, "text");
}

namespace {

// What is special about a value, as the model's map has it; the text of its role would not be true of it.
std::string special_key(const ModelMap& map, const Node& value) {
    const Output& output = map.output;
    const bool is_of_output = output.values && value.index >= output.values->index;
    if (output.meaning == Output::Meaning::classes && (is_of_output || &value == output.goal))
        return "classes." + value.name;
    if (value.op && value.op->name() == "batch_norm") return "batch_norm";
    if (value.name == "pooled" && !map.stream_of(value.input(0).axes.rows.tokens))
        return "classes.pooled_first";
    if (output.meaning == Output::Meaning::words && !output.is_next_word() && &value == output.goal)
        return "gloss.goal";
    if (value.is(ValueKind::mask)) {
        const Stream* stream = map.stream_of(value.axes.rows.tokens);
        return stream && stream->mask == &value && stream->is_causal ? "self_mask" : "mask";
    }
    const Attention* attention = map.attention_of(value);
    if (attention && attention->key_heads < attention->heads
        && (&value == attention->k || &value == attention->v))
        return "shared." + value.name;
    if (attention && !attention->is_self() && (value.name == "key" || value.name == "value"))
        return "across." + value.name;
    return {};
}

// Strings of a step: those of its side and role, of its role where training reaches it ("embed.positions" has
// other words when they are learned), of its role, of what is special about it, of the kind of thing it is.
std::string step_key(const Session& session, const StoryStep& step, const std::string& part) {
    const std::string special = special_key(session.model().map(), *step.node);
    const bool is_first = special.starts_with("classes") || special.starts_with("shared")
                          || special.starts_with("gloss") || special == "batch_norm";
    for (const std::string& candidate :
         {is_first ? special : std::string(), stack_of(*step.node) + "." + step.role,
          step.node->needs_grad ? step.role + ".learned" : std::string(), step.role, special, step.family})
        if (const std::string key = "story.step." + candidate + "." + part;
            session.strings().texts("en").contains(key))
            return key;
    return "story.any." + part;
}

// "= 4", "≈ 2.83".
std::string root_of(Index size) {
    const double root = std::sqrt(double(size));
    if (root == std::floor(root)) return "= " + std::to_string(long(root));
    return "≈ " + format_number(root, 3); // as the language writes it
}

// The attention and the feed-forward network that a text about a value speaks of: its own, else the first.
const Attention* attention_near(const ModelMap& map, const Node& value) {
    const Attention* own = map.attention_of(value);
    return own || map.attentions.empty() ? own : &map.attentions.front();
}

std::string step_string(const Session& session, const StoryStep& step, const std::string& part) {
    return session.strings().text(step_key(session, step, part), sizes_in_texts(session, *step.node));
}

} // namespace

std::vector<std::string> sizes_in_texts(const Session& session, const Node& value) {
    const ModelMap& map = session.model().map();
    const Sentence& s = session.sentence();
    const Node* stream = map.streams.empty() ? nullptr : map.streams.front().embedded;
    const Attention* attention = attention_near(map, value);
    const Index d_model = (stream ? *stream : value).value.columns();
    const Index heads = attention ? attention->heads : 1;
    const Index d_k = attention && attention->q ? attention->q->value.columns() : d_model;
    const Index d_ff =
        map.feed_forwards.empty() ? d_model : map.feed_forwards.front().hidden->value.columns();
    const Index said = map.output.values ? map.output.values->value.columns() : value.value.columns();
    std::vector<std::string> texts;
    for (const Index size :
         {d_model, heads, d_k, d_ff, Index(s.source_ids.size()), Index(s.goal_ids.size()), said})
        texts.push_back(std::to_string(size));
    texts.insert(texts.end(), {root_of(d_k), root_of(d_model), value.name});
    texts.push_back(std::to_string(attention ? attention->key_heads : 1));
    return texts;
}

std::string side_name(const Session& session, const std::string& side) {
    return session.strings().text_or("story.side." + side, side);
}

std::string block_name(const Session& session, const std::string& kind) {
    return session.strings().text_or("story.block." + kind, kind);
}

std::string step_title(const Session& session, const StoryStep& step) {
    return step_string(session, step, "title");
}
std::string step_text(const Session& session, const StoryStep& step) {
    return step_string(session, step, "text");
}

std::string step_place(const Session& session, const StoryStep& step) {
    for (const StoryBlock& block : session.model().blocks) {
        if (block.id != step.block) continue;
        std::string place = side_name(session, block.side);
        const auto add = [&](const std::string& part) {
            if (!part.empty()) place += (place.empty() ? "" : "  ·  ") + part;
        };
        if (block.layer >= 0)
            add(session.strings().text("story.layer_short", {std::to_string(block.layer + 1)}));
        if (block.id != block.side) add(block_name(session, block.kind));
        return place;
    }
    return {};
}

} // namespace headlight
