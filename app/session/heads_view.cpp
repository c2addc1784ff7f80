#include "app/session/heads_view.h"

namespace headlight {

std::string name_of(HeadsPage page) {
    constexpr const char* names[std::size_t(HeadsPage::count)] = {
        "grid", "pair", "words", "masks", "batch", "sweep", "lens", "attribution", "claimed"};
    return names[std::size_t(page)];
}

std::string attribute_command(const SweepTarget& target) { return "heads attribute " + written(target); }

std::string written(const SweepTarget& target) {
    return std::to_string(target.row) + " " + std::to_string(target.word)
           + (target.against ? " " + std::to_string(*target.against) : std::string());
}

std::string follow_command(const FollowedWords& words) { return "heads follow " + written(words); }

std::string written(const FollowedWords& words) {
    return words.stream + " " + std::to_string(words.first) + " " + std::to_string(words.second);
}

void keep_what_exists(HeadsView& view, const ModelMap& map) {
    if (!map.attention(view.attention)) view.attention.clear();
    if (view.attention.empty()) {
        view.map = HeadMap::one;
        view.word.reset();
    }
    if (view.head >= map.max_heads()) view.head = 0;
    view.attributed.reset(); // of other words
    if (!map.stream(view.lens)) view.lens.clear();
    if (view.followed && !map.stream(view.followed->stream)) view.followed.reset();
    view.batch = {}; // sentences of another model
    view.words = {};
}

} // namespace headlight
