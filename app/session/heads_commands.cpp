// The commands of looking into heads: what is shown, not what is computed.
#include "app/session/command.h"
#include "app/session/heads_view.h"
#include "app/session/session.h"
#include "app/session/session_sweep.h"
#include "app/session/strings.h"
#include "engine/inspect/patterns.h"

namespace headlight {

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

} // namespace

void add_heads_commands(CommandRegistry& commands, HeadsView& heads, Inquiries& inquiries,
                        const Strings& strings) {
    using namespace argument;
    const auto add = [&](std::vector<Argument> arguments, auto run) {
        commands.add_with_model("heads", std::move(arguments), std::move(run));
    };
    add({"grid|pair|words|masks|batch|sweep|lens|attribution|claimed"}, [&](const Arguments& in) {
        heads.page = HeadsPage(in.place()); // as they are declared there
        if (heads.page == HeadsPage::grid) heads.attention.clear();
    });
    add({"pair", "maps|way"}, [&](const Arguments& in) { show_pair(heads, in.said("way")); });
    add({"words", word("WORD")}, [&](const Arguments& in) {
        heads.page = HeadsPage::words;
        heads.words.word = in.text("WORD");
    });
    add({"stop", "next|back"}, [&](const Arguments& in) {
        heads.words.stop = std::max<Index>(0, heads.words.stop + (in.said("next") ? 1 : -1));
    });
    add({"stop", whole("STOP", 0, most_stops)},
        [&](const Arguments& in) { heads.words.stop = in.whole("STOP"); });
    add({"read", file("TEXT")}, [&](const Arguments& in) -> Result<Done> {
        if (heads.words.own.size() >= most_own) return Error{"error.words_full", {std::to_string(most_own)}};
        heads.words.own.push_back(in.text("TEXT"));
        return Done{};
    });
    add({"unread"}, [&](const Arguments&) { heads.words.own.clear(); });
    add({"follow", "off"}, [&](const Arguments&) { heads.followed.reset(); });
    const double any = double(std::numeric_limits<int>::max());
    add({"follow", stream(), whole("FIRST", 0, any), whole("SECOND", 0, any)}, [&](const Arguments& in) {
        heads.followed = {in.text("STREAM"), in.whole("FIRST"), in.whole("SECOND")};
        show_pair(heads, true);
    });
    add({"open", attention(), "mean|maximum|rollout"}, [&](const Arguments& in) {
        open_map(heads, in.text("ATTENTION"), HeadMap(in.place() + 1)); // after the map of one head
    });
    add({"open", attention(), whole("HEAD", last_head)}, [&](const Arguments& in) {
        heads.head = in.whole("HEAD");
        open_map(heads, in.text("ATTENTION"), HeadMap::one);
    });
    add({"close"}, [&](const Arguments&) { heads.attention.clear(); });
    add({"order", optional(word("MEASURE"))}, [&](const Arguments& in) -> Result<Done> {
        const std::string& measure = in.text("MEASURE");
        if (!measure.empty() && !strings.texts("en").contains("heads." + measure))
            return Error{"error.command_usage", {"heads order [MEASURE]"}};
        heads.order = measure;
        return Done{};
    });
    add({"filter", "off"}, [&](const Arguments&) { heads.filter = {}; });
    add({"filter", word("MEASURE"), number("LEAST")}, [&](const Arguments& in) -> Result<Done> {
        if (!is_head_measure(in.text("MEASURE")))
            return Error{"error.command_usage", {"heads filter MEASURE LEAST"}};
        heads.filter = {in.text("MEASURE"), in.number("LEAST")};
        return Done{};
    });
    add({"weighted", "on|off"}, [&](const Arguments& in) { heads.weighted = in.said("on"); });
    add({"first", "on|off"}, [&](const Arguments& in) { heads.hides_first = in.said("off"); });
    add({"lens", stream()}, [&](const Arguments& in) {
        heads.lens = in.text("STREAM");
        heads.page = HeadsPage::lens;
    });
    add({"attribute", "off"}, [&](const Arguments&) { heads.attributed.reset(); });
    add({"attribute", "size|computed"}, [&](const Arguments& in) { heads.by_size = in.said("size"); });
    add({"attribute", whole("ROW", 0, any), word("WORD"), optional(word("AGAINST"))},
        [&](const Arguments& in) -> Result<Done> {
            const LoadedModel& model = inquiries.experiment().model();
            const Result<TokenId> said = word_of(in.text("WORD"), model);
            if (!said) return said.error();
            SweepTarget target{in.whole("ROW"), *said};
            if (in.has("AGAINST")) {
                const Result<TokenId> against = word_of(in.text("AGAINST"), model);
                if (!against) return against.error();
                target.against = *against;
            }
            heads.attributed = target;
            if (heads.page != HeadsPage::claimed) heads.page = HeadsPage::attribution;
            return Done{};
        });
    add({"transpose", "on|off"}, [&](const Arguments& in) { heads.transposed = in.said("on"); });
    add({"lines", "on|off"}, [&](const Arguments& in) { heads.lines = in.said("on"); });
    add({"word", "off"}, [&](const Arguments&) { heads.word.reset(); });
    add({"word", "query|key", whole("N", 0, any)}, [&](const Arguments& in) {
        heads.word = {in.said("key"), in.whole("N")};
    });
}

} // namespace headlight
