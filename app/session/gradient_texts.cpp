#include "app/session/gradient_texts.h"

#include "app/session/step_text.h"

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

} // namespace headlight
