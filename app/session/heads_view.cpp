#include "app/session/heads_view.h"

#include "app/session/session_sweep.h"
#include "app/session/setting.h"
#include "engine/inspect/heads.h"

namespace headlight {

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

// --- commands

namespace {

// "decoder.1.cross_attn"
void open_map(HeadsView& heads, const std::string& attention, HeadMap map) {
    heads.map = map;
    if (heads.attention != attention) heads.word.reset(); // of another pair of sentences
    heads.attention = attention;
    if (heads.page != HeadsPage::pair) heads.page = HeadsPage::grid;
}

constexpr double most_stops = 10'000;
constexpr std::size_t most_own = 40;

bool is_head_measure(const std::string& name) {
    for (std::size_t m = 0; m < head_measures; ++m)
        if (name_of(HeadMeasure(m)) == name) return true;
    return name == "entropy";
}

void show_pair(HeadsView& heads, bool way) {
    heads.page = HeadsPage::pair;
    heads.shows_way = way;
}

// A head that was looked at stays chosen when its map is closed: the masks are shown beside it.
std::vector<std::string> lines_of_map(const HeadsView& now, const HeadsView& fresh, const ModelMap& map) {
    std::vector<std::string> lines;
    if (!now.lens.empty() || now.attributed || now.followed || now.shows_way || !now.words.word.empty())
        lines.emplace_back("heads grid"); // they have left it
    const bool is_closed = now.attention.empty();
    if (map.attentions.empty() || (is_closed && now.head == fresh.head && now.map == fresh.map)) return lines;
    constexpr const char* maps[] = {"", "mean", "maximum", "rollout"};
    const std::string open = "heads open " + (is_closed ? map.attentions.front().path : now.attention) + " ";
    lines.push_back(open + std::to_string(now.head));
    if (now.map != HeadMap::one) lines.push_back(open + maps[int(now.map)]);
    if (is_closed) lines.emplace_back("heads close");
    return lines;
}

} // namespace

void add_heads_commands(CommandRegistry& commands, View& view, Inquiries& inquiries, const Strings& strings) {
    using namespace argument;
    using H = HeadsView;
    SettingsOf heads(commands, with_model(of_view(view, &View::heads)));
    const double any = double(std::numeric_limits<int>::max());
    heads
        .add_and("heads", &H::page, one_of(heads_page_names),
                 [](H& all) {
                     if (all.page == HeadsPage::grid) all.attention.clear();
                 })
        .is_told_last = true;
    // --- what shows its own page as it is chosen
    heads.add_and("heads lens", &H::lens, stream(), [](H& all) { all.page = HeadsPage::lens; });
    heads.change("heads attribute off", {}, [](H& all, const Arguments&) { all.attributed.reset(); });
    heads.add("heads attribute", &H::by_size, "size|computed", "size");
    heads.add_written(
        "heads attribute", {whole("ROW", 0, any), word("WORD"), optional(word("AGAINST"))},
        [&](H& all, const Arguments& in) -> Result<Done> {
            const Result<SweepTarget> target = target_of(in, inquiries.experiment().model());
            if (!target) return target.error();
            all.attributed = *target;
            if (all.page != HeadsPage::claimed) all.page = HeadsPage::attribution;
            return Done{};
        },
        [](const H& all) { return all.attributed ? written(*all.attributed) : std::string(); });
    heads.change("heads follow off", {}, [](H& all, const Arguments&) { all.followed.reset(); });
    heads.add_written(
        "heads follow", {stream(), whole("FIRST", 0, any), whole("SECOND", 0, any)},
        [](H& all, const Arguments& in) {
            all.followed = {in.text("STREAM"), in.whole("FIRST"), in.whole("SECOND")};
            show_pair(all, true);
        },
        [](const H& all) { return all.followed ? written(*all.followed) : std::string(); });
    heads.add_lines(
        "heads pair", {"maps|way"}, [](H& all, const Arguments& in) { show_pair(all, in.said("way")); },
        [](const H& now, const H&) {
            return setting_words::line_if(now.shows_way || now.followed,
                                          now.shows_way ? "heads pair way" : "heads pair maps");
        });
    heads.add_and("heads words", within(&H::words, &WordsView::word), word("WORD"),
                  [](H& all) { all.page = HeadsPage::words; });
    // --- the map that is shown large
    heads.change("heads open", {attention(), "mean|maximum|rollout"}, [](H& all, const Arguments& in) {
        open_map(all, in.text("ATTENTION"), HeadMap(in.place() + 1)); // after the map of one head
    });
    heads.add_lines(
        "heads open", {attention(), whole("HEAD", last_head)},
        [](H& all, const Arguments& in) {
            all.head = in.whole("HEAD");
            open_map(all, in.text("ATTENTION"), HeadMap::one);
        },
        [&](const H& now, const H& fresh) {
            return lines_of_map(now, fresh, inquiries.opened->experiment.model().map());
        });
    heads.change("heads close", {}, [](H& all, const Arguments&) { all.attention.clear(); });
    heads.change("heads word off", {}, [](H& all, const Arguments&) { all.word.reset(); });
    heads.add_written(
        "heads word", {"query|key", whole("N", 0, any)},
        [](H& all, const Arguments& in) {
            all.word = {in.said("key"), in.whole("N")};
        },
        [](const H& all) {
            if (!all.word) return std::string();
            return (all.word->is_key ? "key " : "query ") + std::to_string(all.word->place);
        });
    heads.add("heads transpose", &H::transposed, "on|off");
    heads.add("heads lines", &H::lines, "on|off");
    heads.add("heads weighted", &H::weighted, "on|off");
    heads.add("heads first", &H::hides_first, "on|off", "off");
    // --- the grid; a word over many sentences
    heads.change("heads filter off", {}, [](H& all, const Arguments&) { all.filter = {}; });
    heads.add_written(
        "heads filter", {word("MEASURE"), number("LEAST")},
        [](H& all, const Arguments& in) -> Result<Done> {
            if (!is_head_measure(in.text("MEASURE")))
                return Error{"error.command_usage", {"heads filter MEASURE LEAST"}};
            all.filter = {in.text("MEASURE"), in.number("LEAST")};
            return Done{};
        },
        [](const H& all) {
            const HeadsFilter& filter = all.filter;
            return filter.measure.empty() ? "" : filter.measure + " " + exactly(filter.least);
        });
    heads.add_written(
        "heads order", {optional(word("MEASURE"))},
        [&strings](H& all, const Arguments& in) -> Result<Done> {
            const std::string& measure = in.text("MEASURE");
            if (!measure.empty() && !strings.texts("en").contains("heads." + measure))
                return Error{"error.command_usage", {"heads order [MEASURE]"}};
            all.order = measure;
            return Done{};
        },
        [](const H& all) { return all.order; });
    heads.add_lines(
        "heads read", {file("TEXT")},
        [](H& all, const Arguments& in) -> Result<Done> {
            if (all.words.own.size() >= most_own)
                return Error{"error.words_full", {std::to_string(most_own)}};
            all.words.own.push_back(in.text("TEXT"));
            return Done{};
        },
        [](const H& now, const H&) {
            std::vector<std::string> lines;
            for (const std::string& text : now.words.own) lines.push_back("heads read " + text);
            return lines;
        });
    heads.change("heads unread", {}, [](H& all, const Arguments&) { all.words.own.clear(); });
    heads.change("heads stop", {"next|back"}, [](H& all, const Arguments& in) {
        all.words.stop = std::max<Index>(0, all.words.stop + (in.said("next") ? 1 : -1));
    });
    heads.add("heads stop", within(&H::words, &WordsView::stop), whole("STOP", 0, most_stops));
    heads.add_written(
        "sweep show", {"telling|probability|log_probability|log_odds|logit"},
        [](H& all, const Arguments& in) {
            all.measure.reset(); // the one that tells most
            if (in.place() > 0) all.measure = SweepMeasure(in.place() - 1);
        },
        [](const H& all) { return all.measure ? std::string(name_of(*all.measure)) : "telling"; });
}

} // namespace headlight
