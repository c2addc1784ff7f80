// Whatever is set, as the commands declare it: a setting that is added is looked at here without being named.
#include "app/session/link.h"
#include "app/session/session.h"
#include "engine/io/file.h"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace headlight;

namespace {

const std::filesystem::path assets = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets";

// Where there is something of everything: another sentence, a branch, a batch.
constexpr const char* begun = "model copy\nsource abc\nsecond abd\nsay begin 5 6\n";

std::unique_ptr<Session> a_window(const std::string& lines = {}) {
    Result<Strings> strings = Strings::load(assets);
    REQUIRE(strings);
    auto window = std::make_unique<Session>(assets, *std::move(strings));
    if (!lines.empty()) REQUIRE(window->replay(lines, "a session"));
    return window;
}

std::string text_of(const Session& session) {
    std::string all;
    for (const std::string& line : session.as_commands()) all += line + "\n";
    return all;
}

// What may stand there: the least, the most, something between; what the model has; each of some words.
std::vector<std::string> values_of(const Argument& argument, const LoadedModel& model) {
    const std::map<std::string, std::vector<std::string>> named = {
        {"DIR", {"reverse"}},
        {"PATH", {"encoder.0.norm1"}},
        {"WORD", {"5"}},
        {"WORDS", {"5"}},
        {"AGAINST", {"6"}},
        {"MEASURE", {"entropy"}},
        {"CHANGE", {"head encoder.0.self_attn 0 silence", "remove norm"}}};
    std::vector<std::string> values = argument.words;
    if (argument.kind == Argument::Kind::words) return values;
    if (const auto known = named.find(argument.name);
        known != named.end() && argument.kind != Argument::Kind::whole) {
        values.insert(values.end(), known->second.begin(), known->second.end());
    } else if (argument.kind == Argument::Kind::whole || argument.kind == Argument::Kind::number) {
        const double least = std::max(argument.least, 0.0),
                     most = std::min(argument.last ? double(argument.last(model)) : argument.most, 1000.0);
        const double between = least + (most - least) / 4;
        for (const double number : {least, std::min(least + 1, most), std::floor(between), most, between})
            if (argument.kind == Argument::Kind::number || number == std::floor(number))
                values.push_back(exactly(number));
    } else if (argument.kind == Argument::Kind::attention) {
        for (const Attention& attention : model.map().attentions) values.push_back(attention.path);
    } else if (argument.kind == Argument::Kind::stream) {
        for (const Stream& stream : model.map().streams) values.push_back(stream.name);
    } else {
        values.emplace_back("I am");
    }
    return values;
}

struct Set {
    const CommandForm* form;
    std::vector<std::string> lines; // other values of it, each of which a saved session tells of
};

// Of each setting at most so many values that are not as at first.
std::vector<Set> settings(Session& window, std::size_t most) {
    std::vector<Set> all;
    const std::string before = text_of(window);
    for (const WindowCommand& command : window.commands().list())
        for (const CommandForm& form : command.forms) {
            if (!form.lines) continue;
            Set set{&form, {}};
            for (std::size_t i = 0; i < 12 && set.lines.size() < most; ++i) {
                std::string line = command.name;
                for (const Argument& argument : form.arguments) {
                    const std::vector<std::string> values = values_of(argument, window.model());
                    line += " " + values[i % values.size()];
                }
                REQUIRE(window.replay(begun, "a session"));
                if (window.execute(line) && text_of(window) != before) set.lines.push_back(line);
            }
            CHECK_MESSAGE(!set.lines.empty(), "no value is told by a saved session: " << command.usage());
            if (!set.lines.empty()) all.push_back(std::move(set));
        }
    REQUIRE(window.replay(begun, "a session"));
    return all;
}

// What somebody sees, beside what a session tells.
struct Seen {
    Question question;
    HeadsView heads;
    GenerationView generation;
    CostsView costs;
    ProfileView profile;
    ColourRange range;
    std::string lines, step;
    Room room;
    CloseUp close_up;
    bool moves, gradients;

    explicit Seen(const Session& session)
        : question(session.question()),
          heads(session.view().heads),
          generation(session.view().generation),
          costs(session.view().costs),
          profile(session.view().profile),
          range(session.view().colour_range),
          lines(text_of(session)),
          step(session.step().path()),
          room(session.view().room),
          close_up(session.view().close_ups.open),
          moves(session.is_moving()),
          gradients(session.view().backward.on) {}
    bool operator==(const Seen&) const = default;
};

// Two ways into a window: a file, and an address, which says what a window tells.
struct Way {
    std::string text;
    bool is_link;
    std::string address;
    Result<Done> follow(Session& window) const {
        if (!is_link) return window.replay(text, "a session");
        const Result<Link> link = read_link(address);
        return link ? follow_link(window, *link) : link.error();
    }
};

} // namespace

TEST_CASE("every setting is told by a saved session, which brings it back, and undo what numbers depend on") {
    const auto window = a_window(begun), other = a_window();
    const std::string before = text_of(*window);
    for (const Set& set : settings(*window, 2)) {
        CAPTURE(set.lines.front());
        CHECK(set.form->replayable);
        REQUIRE(window->execute(set.lines.front()));
        const std::string told = text_of(*window);
        const Result<Done> done = other->replay(told, "a session");
        REQUIRE_MESSAGE(done, (done ? "" : other->strings().text(done.error())));
        CHECK(text_of(*other) == told);
        CHECK(other->question() == window->question());
        if (set.form->of == CommandForm::Of::question) {
            REQUIRE(window->execute("undo"));
            CHECK_FALSE(window->question() == other->question());
            REQUIRE(window->execute("redo"));
            CHECK(window->question() == other->question());
        }
        REQUIRE(window->replay(begun, "a session"));
        CHECK(text_of(*window) == before);
    }
}

TEST_CASE("what a pointer moves is one step for undo") {
    const auto window = a_window(begun);
    const CommandRegistry& commands = window->commands();
    int moved = 0;
    for (const Set& set : settings(*window, 5)) {
        if (!set.form->moves) continue;
        const auto what = [&](const std::string& line) {
            const Result<FittingForm> fitting = commands.fit(line);
            REQUIRE(fitting);
            return fitting->form->moves(fitting->arguments);
        };
        const Question before = window->question();
        int lines = 0;
        for (const std::string& line : set.lines)
            if (what(line) == what(set.lines.front())) {
                const bool is_change = line.starts_with("change ");
                REQUIRE(window->execute("drag " + (is_change ? line.substr(7) : line)));
                ++lines;
            }
        moved += lines > 1;
        REQUIRE(window->execute("drag end"));
        REQUIRE(window->execute("undo"));
        CHECK_MESSAGE(window->question() == before, set.lines.front());
        REQUIRE(window->replay(begun, "a session"));
    }
    CHECK(moved > 10);
}

TEST_CASE("a session leads to the same window over every other one, from a file and from a link") {
    std::vector<std::string> texts;
    for (const std::string& name : classroom_examples(assets)) {
        const Result<std::string> text =
            read_file((assets / "classroom" / (name + ".txt")).string(), 1 << 20);
        REQUIRE(text);
        texts.push_back(*text);
    }
    // And of each command one where nothing that it sets is as at first.
    const auto window = a_window(begun);
    std::map<std::string, std::vector<std::string>> lines;
    for (const Set& set : settings(*window, 1))
        lines[set.lines.front().substr(0, set.lines.front().find(' '))].push_back(set.lines.front());
    for (const auto& [command, all] : lines) {
        REQUIRE(window->replay(begun, "a session"));
        for (const std::string& line : all) CHECK_MESSAGE(window->execute(line), line);
        texts.push_back(text_of(*window));
    }
    std::vector<Way> ways;
    std::vector<Seen> expected;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto fresh = a_window(texts[i]);
        Way way{texts[i], i % 2 == 1, {}};
        if (way.is_link) way.text = text_of(*fresh), way.address = link_of(*fresh);
        expected.emplace_back(*a_window(way.text));
        ways.push_back(std::move(way));
    }
    // Each after each other, once.
    std::vector<std::vector<bool>> is_done(ways.size(), std::vector<bool>(ways.size()));
    for (std::size_t stride = 1; stride < ways.size(); ++stride)
        for (std::size_t first = 0; first < ways.size(); ++first)
            for (std::size_t at = first, next; !is_done[at][next = (at + stride) % ways.size()]; at = next) {
                if (at == first) REQUIRE(ways[at].follow(*window));
                is_done[at][next] = true;
                const Result<Done> done = ways[next].follow(*window);
                REQUIRE_MESSAGE(done, ways[next].text << (done ? "" : window->strings().text(done.error())));
                const Seen seen(*window);
                if (seen == expected[next]) continue;
                CAPTURE(ways[at].text);
                CAPTURE(ways[next].text);
                CHECK(seen.lines == expected[next].lines);
                REQUIRE(seen == expected[next]);
            }
}
