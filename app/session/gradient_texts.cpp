#include "app/session/gradient_texts.h"

#include <cmath>

namespace headlight {

namespace {

std::string rounded(double x) {
    std::string text = std::to_string(std::round(x * 100) / 100);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

// The most specific text that there is, with the sizes that the forward story's texts take too.
std::string gradient_string(const Session& session, const BackwardStep& step, const std::string& part) {
    const ModelConfig& c = session.model().config();
    const Sentence& s = session.sentence();
    std::string key;
    for (const std::string& candidate : gradient_keys(step)) {
        key = "gradient." + candidate + "." + part;
        if (session.strings().texts("en").contains(key)) break;
    }
    return session.strings().text(
        key, {std::to_string(c.d_model), std::to_string(c.num_heads), std::to_string(c.d_k()),
              std::to_string(c.d_ff), std::to_string(s.source_ids.size()),
              std::to_string(s.target_ids.size()), std::to_string(c.target_vocab_size),
              rounded(std::sqrt(double(c.d_k()))), rounded(std::sqrt(double(c.d_model)))});
}

} // namespace

std::string gradient_title(const Session& session, const BackwardStep& step) {
    return gradient_string(session, step, "title");
}
std::string gradient_text(const Session& session, const BackwardStep& step) {
    return gradient_string(session, step, "text");
}

} // namespace headlight
