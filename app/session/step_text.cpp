#include "app/session/step_text.h"

#include <cmath>

namespace headlight {

namespace {

// Strings of a step: those of its side and role, of its role, of the kind of thing it is.
std::string step_key(const Session& session, const StoryStep& step, const std::string& part) {
    const std::string side = step.path().substr(0, step.path().find('.'));
    std::string kind = step.role;
    if (const auto attention = kind.find("_attn."); attention != kind.npos)
        kind = "attn." + kind.substr(attention + 6);
    if (kind.starts_with("add")) kind = "add";
    if (kind.starts_with("norm")) kind = "norm";
    for (const std::string& candidate : {side + "." + step.role, step.role, kind})
        if (const std::string key = "story.step." + candidate + "." + part;
            session.strings().texts("en").contains(key))
            return key;
    return "story.step." + kind + "." + part;
}

std::string rounded(double x) {
    std::string text = std::to_string(std::round(x * 100) / 100);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

std::string step_string(const Session& session, const StoryStep& step, const std::string& part) {
    const ModelConfig& c = session.model().config();
    const Sentence& s = session.sentence();
    return session.strings().text(step_key(session, step, part),
                                  {std::to_string(c.d_model), std::to_string(c.num_heads),
                                   std::to_string(c.d_k()), std::to_string(c.d_ff),
                                   std::to_string(s.source_ids.size()), std::to_string(s.target_ids.size()),
                                   std::to_string(c.target_vocab_size), rounded(std::sqrt(double(c.d_k()))),
                                   rounded(std::sqrt(double(c.d_model)))});
}

} // namespace

std::string step_title(const Session& session, const StoryStep& step) {
    return step_string(session, step, "title");
}
std::string step_text(const Session& session, const StoryStep& step) {
    return step_string(session, step, "text");
}

std::string step_place(const Session& session, const StoryStep& step) {
    for (const StoryBlock& block : session.model().blocks) {
        if (block.id != step.block) continue;
        const Strings& s = session.strings();
        std::string place = s.text("story.side." + block.side);
        if (block.layer >= 0)
            place += "  ·  " + s.text("story.layer_short", {std::to_string(block.layer + 1)});
        if (block.side != "output") place += "  ·  " + s.text("story.block." + block.kind);
        return place;
    }
    return {};
}

} // namespace headlight
