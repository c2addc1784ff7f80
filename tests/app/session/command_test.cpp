#include "app/session/command.h"

#include <doctest/doctest.h>

#include <string>

using namespace headlight;
using namespace headlight::argument;

namespace {

struct Desk {
    CommandRegistry commands{[] { return nullptr; }};
    std::string done; // what the last command was told

    Desk() {
        const auto note = [this](const Arguments& in) {
            done = in.choice() + "|" + in.text("FILE") + "|" + std::to_string(in.whole("ROW", -1)) + "|"
                   + exactly(in.number("SHARE", -1));
        };
        commands.add("go", {"up|down", optional(whole("ROW", 0, 9))}, note);
        commands.add("go", {"to", file()}, note);
        commands.add("mix", {"all" | number("SHARE", 0, 0.5)}, note);
        commands.add("mix", {optional(whole("HEAD")), whole("ROW"), number("SHARE")}, note);
        commands.add_with_model("ask", {value()}, note);
    }

    std::string error(const char* line) {
        const Result<Done> result = commands.execute(line);
        REQUIRE_FALSE(result);
        std::string text = result.error().key;
        for (const std::string& argument : result.error().arguments) text += " " + argument;
        return text;
    }
    std::string what(const char* line) {
        REQUIRE(commands.execute(line));
        return done;
    }
};

} // namespace

TEST_CASE("a command reads its arguments as it declares them") {
    Desk training_pages;
    CHECK(training_pages.what("go up") == "up||-1|-1");
    CHECK(training_pages.what("go down 7") == "down||7|-1");
    CHECK(training_pages.what("go to my own file ") == "to|my own file|-1|-1");
    CHECK(training_pages.what("go to \"my own file\"") == "to|my own file|-1|-1");
    CHECK(training_pages.what("mix all") == "all||-1|-1");
    CHECK(training_pages.what("mix 0.25") == "||-1|0.25");
    CHECK(training_pages.what("mix 3 0.75") == "||3|0.75");
    CHECK(training_pages.what("mix 1 3 0.75") == "||3|0.75");
    CHECK(training_pages.commands.execute("# go nowhere"));
}

TEST_CASE("what is wrong with a line is said by the declaration") {
    Desk training_pages;
    CHECK(training_pages.error("go sideways") == "error.command_usage go up|down [ROW], go to FILE");
    CHECK(training_pages.error("go up 3 4") == "error.command_usage go up|down [ROW]");
    CHECK(training_pages.error("go to") == "error.command_usage go to FILE");
    CHECK(training_pages.error("go up ten") == "error.not_a_whole_number ten");
    CHECK(training_pages.error("go up 10") == "error.out_of_range go up 0 9");
    CHECK(training_pages.error("mix 0.6") == "error.out_of_range mix 0 0.5");
    CHECK(training_pages.error("ask encoder.output") == "error.no_model");
    CHECK(training_pages.error("fly") == "error.command_unknown fly");
    CHECK(training_pages.error("mixx all") == "error.command_unknown_near mixx mix");
}

TEST_CASE("help tells every way to write a command") {
    Desk training_pages;
    CHECK(training_pages.commands.list()[0].usage() == "go up|down [ROW] | to FILE");
    CHECK(training_pages.commands.list()[1].usage() == "mix all|SHARE | [HEAD] ROW SHARE");
    CHECK(training_pages.commands.list()[2].usage() == "ask PATH");
}
