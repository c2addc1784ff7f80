#include "app/session/heads_view.h"

#include "engine/text/words.h"

namespace headlight {

std::string name_of(HeadsPage page) {
    constexpr const char* names[std::size_t(HeadsPage::count)] = {
        "grid", "pair", "words", "masks", "batch", "sweep", "lens", "attribution", "claimed"};
    return names[std::size_t(page)];
}

std::string attribute_command(const SweepTarget& target) {
    return "heads attribute " + std::to_string(target.row) + " " + std::to_string(target.word)
           + (target.against ? " " + std::to_string(*target.against) : std::string());
}

std::string follow_command(const FollowedWords& words) {
    return "heads follow " + words.stream + " " + std::to_string(words.first) + " "
           + std::to_string(words.second);
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

std::vector<std::string> commands_of(const HeadsView& view, const ModelMap& map) {
    const HeadsView fresh;
    std::vector<std::string> lines;
    if (map.attentions.empty()) return lines;
    // What shows its own page as it is chosen.
    if (!view.lens.empty()) lines.push_back("heads lens " + view.lens);
    if (view.attributed) lines.push_back(attribute_command(*view.attributed));
    if (!lines.empty()) lines.emplace_back("heads grid");
    if (const auto& words = view.followed) lines.push_back(follow_command(*words));
    if (view.followed || view.shows_way) {
        lines.emplace_back(view.shows_way ? "heads pair way" : "heads pair maps");
        lines.emplace_back("heads grid");
    }
    // A head that was looked at stays chosen when its map is closed: the masks are shown beside it.
    constexpr const char* maps[] = {"", "mean", "maximum", "rollout"};
    const bool is_closed = view.attention.empty();
    if (!is_closed || view.head != fresh.head || view.map != fresh.map) {
        const std::string open =
            "heads open " + (is_closed ? map.attentions.front().path : view.attention) + " ";
        lines.push_back(open + std::to_string(view.head));
        if (view.map != HeadMap::one) lines.push_back(open + maps[int(view.map)]);
        if (is_closed) lines.emplace_back("heads close");
    }
    if (view.word)
        lines.push_back(std::string("heads word ") + (view.word->is_key ? "key " : "query ")
                        + std::to_string(view.word->place));
    if (view.transposed) lines.emplace_back("heads transpose on");
    if (view.lines) lines.emplace_back("heads lines on");
    if (view.weighted) lines.emplace_back("heads weighted on");
    if (view.hides_first) lines.emplace_back("heads first off");
    if (!view.filter.measure.empty())
        lines.push_back("heads filter " + view.filter.measure + " " + exactly(view.filter.least));
    if (!view.by_size) lines.emplace_back("heads attribute computed");
    if (!view.order.empty()) lines.push_back("heads order " + view.order);
    if (view.measure) lines.push_back("sweep show " + std::string(name_of(*view.measure)));
    for (std::string& line : commands_of(view.batch)) lines.push_back(std::move(line));
    for (const std::string& text : view.words.own) lines.push_back("heads read " + text);
    if (!view.words.word.empty()) {
        lines.push_back("heads words " + view.words.word);
        lines.emplace_back("heads grid");
    }
    if (view.words.stop != 0) lines.push_back("heads stop " + std::to_string(view.words.stop));
    if (view.page != fresh.page) lines.push_back("heads " + name_of(view.page));
    return lines;
}

} // namespace headlight
