// Saved sessions, and command lines as somebody types them.
#include "tests/fuzz/sessions.h"
#include "tests/fuzz/targets.h"

#include "app/session/command.h"
#include "app/session/link.h"
#include "engine/text/words.h"
#include "tests/app/session/command_writer.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <numeric>

namespace headlight::fuzz {

namespace {

const std::vector<std::string> command_words = {"model copy\n",
                                                "source a b c\n",
                                                "target a b\n",
                                                "second c b a\n",
                                                "change head encoder.0.self_attn 0 silence\n",
                                                "change head decoder.0.cross_attn all scale 1e308\n",
                                                "change remove scaling\n",
                                                "change remove layer encoder.0\n",
                                                "change cell encoder.0.self_attn.scores 0 0 0 5\n",
                                                "change mask decoder.0.self_attn all all forbid\n",
                                                "change patch encoder.0.add1 all\n",
                                                "change weight encoder.0.self_attn.in_proj_weight random 7\n",
                                                "change row",
                                                "changes clear\n",
                                                "goto encoder.0.self_attn.scores\n",
                                                "select encoder.0.self_attn.weights 0 1 1\n",
                                                "head all\n",
                                                "heads",
                                                "batch",
                                                "sweep heads\n",
                                                "lesson vector 0 1 2\n",
                                                "cabinet turn 0 90\n",
                                                "say beam 4\n",
                                                "say temperature 0\n",
                                                "descent kind layers\n",
                                                "descent step 100\n",
                                                "places epochs 3\n",
                                                "costs length 8192\n",
                                                "race recall\n",
                                                "norms feature 0\n",
                                                "room heads\n",
                                                "closeup workings\n",
                                                "smoothing 0.1\n",
                                                "baseline on\n",
                                                "tokens",
                                                "desk curves\n",
                                                "backward on\n",
                                                "backward step last\n",
                                                "word 0\n",
                                                "measures.lens.decoder.0.said",
                                                "encoder.0.self_attn",
                                                "train set d_model 8\n",
                                                "train task copy\n",
                                                "train labels ",
                                                "\"",
                                                "undo\n",
                                                "redo\n",
                                                "+1",
                                                "1e9",
                                                "0.5"};

void replay(std::string_view input, const Judge& judge) {
    const std::string name = "session.txt";
    Session& session = session_with_model("sessions");
    const Result<Done> replayed = session.replay(input, name);
    if (!judge.accepts(replayed, name) && replayed.error().arguments.size() > 2)
        judge.outcome(replayed.error().arguments[2].substr(0, 60)); // why: by its beginning
    (void)session.advance(0.02);
    // What it has become is a session that opens again.
    std::string saved;
    for (const std::string& line : session.as_commands()) saved += line + "\n";
    const Result<Done> again = session.replay(saved, name);
    if (!again)
        throw Finding("a session that was saved does not open: " + session.strings().text(again.error()));
    judge.expect(session.strings().missing().empty(), "a text that is missing");
    open_small_model(session);
}

void type(std::string_view input, const Judge& judge) {
    Session& session = session_with_model("commands");
    constexpr std::size_t most_lines = 60;
    std::size_t lines = 0;
    while (!input.empty() && lines++ < most_lines) {
        const std::size_t end = std::min(input.find('\n'), input.size());
        const std::string_view line = trim(input.substr(0, end));
        input.remove_prefix(std::min(end + 1, input.size()));
        const AtHand at_hand = session.at_hand();
        for (const Completion& completion : completions(session.commands(), session.strings(), at_hand, line))
            judge.expect(!completion.shown.empty() || line.empty(), "a completion that shows nothing");
        if (is_left_out(line)) continue;
        (void)judge.accepts(session.execute(line));
        if (lines % 8 == 0) (void)session.advance(0.02);
    }
    (void)session.take_exports();
    (void)session.take_screenshots();
    (void)session.take_copied();
    judge.expect(session.strings().missing().empty(), "a text that is missing");
    open_small_model(session);
}

// The input is no more than a seed: the lines are drawn from the registry.
void draw_commands(std::string_view input, const Judge& judge) {
    static const TemporaryFolder folder;
    Session& session = session_with_model("random commands");
    const auto seed = std::accumulate(input.begin(), input.end(), 17u, [](unsigned sum, char c) {
        return sum * 31 + static_cast<unsigned char>(c);
    });
    CommandWriter writer(session, folder.path(), seed);
    constexpr int lines = 40;
    for (int i = 0; i < lines; ++i) {
        const std::string line = writer.line();
        try {
            (void)judge.accepts(session.execute(line));
            if (i % 4 == 0) (void)session.advance(0.02);
        } catch (const std::exception& fault) {
            throw Finding(fault.what() + ("\n  after: " + line) + "\n  of the model "
                          + session.question().model.string());
        }
    }
    (void)session.take_exports();
    (void)session.take_screenshots();
    (void)session.take_copied();
    judge.expect(session.strings().missing().empty(), "a text that is missing");
    for (const char* line : {"train pause", "train leave", "race stop", "norms train stop", "changes clear"})
        (void)session.execute(line);
    open_small_model(session);
}

// An address that anybody may have written; what it leads to has an address that leads there, too.
void follow(std::string_view input, const Judge& judge) {
    const Result<Link> link = read_link(input);
    if (!judge.accepts(link)) return;
    judge.expect(link->lines.find('\r') == std::string::npos && link->lines.size() <= longest_link + 1,
                 "a line in a line");
    Session& session = session_with_model("links");
    if (!judge.accepts(follow_link(session, *link))) return;
    const std::string address = link_of(session);
    judge.expect(address == "#" || looks_like_link(address), "no address");
    const Result<Link> again = read_link(address);
    if (!again || !follow_link(session, *again))
        throw Finding("a link of what a link led to is not followed: " + address.substr(0, 200));
    judge.expect(link_of(session) == address, "a link leads elsewhere: " + address.substr(0, 200));
}

} // namespace

Target link_target() {
    return {.name = "link",
            .words = {"#",
                      "&",
                      "=",
                      "+",
                      "%20",
                      "%C3%A3",
                      "%0A",
                      "model=copy",
                      "text=a+b+c",
                      "lang=pt",
                      "card=2",
                      "at=encoder.0.self_attn.scores",
                      "held=encoder.0.self_attn.weights+0+1+1",
                      "room=heads",
                      "change=head+encoder.0.self_attn+0+silence",
                      "film=time+9.5",
                      "target=a+b",
                      "smoothing=0.1",
                      "descent=step+10",
                      "https://x.example/",
                      "lesson=",
                      "head=1"},
            .read = follow,
            .longest = 4096,
            .runs = 150};
}

Target session_target() {
    return {.name = "session",
            .examples = {"assets/classroom/*"},
            .words = command_words,
            .read = replay,
            .longest = 50'000,
            .runs = 40};
}

Target command_target() {
    return {.name = "command",
            .examples = {"assets/classroom/*"},
            .words = command_words,
            .read = type,
            .longest = 20'000,
            .runs = 60};
}

Target random_target() { return {.name = "random", .read = draw_commands, .longest = 8, .runs = 25}; }

} // namespace headlight::fuzz
