#include "app/session/link.h"

#include "app/lessons/player.h"
#include "app/session/session.h"

#include <doctest/doctest.h>

#include <filesystem>

#include <string>

using namespace headlight;

namespace {

std::string repeated(const std::string& part, int times) {
    std::string text = "#";
    for (int i = 0; i < times; ++i) text += part + "&";
    return text;
}

std::string lines_of(const std::string& address) {
    const Result<Link> link = read_link(address);
    REQUIRE_MESSAGE(link, address);
    return link->lines;
}

} // namespace

TEST_CASE("a link is read as people write it") {
    CHECK(lines_of("#model=everyday-en-pt&text=I+like+my+dog&at=decoder.0.cross_attn.weights")
          == "model everyday-en-pt\nsource I like my dog\ngoto decoder.0.cross_attn.weights\n");
    CHECK(lines_of("https://school.example/headlight/?embed#room=heads&text=n%C3%A3o+%26+sim&model=copy")
          == "model copy\nsource não & sim\nroom heads\n"); // what others depend on comes first
    CHECK(lines_of("#source=a%20b&goto=encoder.0&select=encoder.0+1+2+3&reads")
          == "source a b\ngoto encoder.0\nreads\nselect encoder.0 1 2 3\n");
    CHECK(lines_of("#").empty());
    CHECK(lines_of("").empty());
    const Result<Link> lesson = read_link("https://school.example/#lesson=03&card=4&lang=pt");
    REQUIRE(lesson);
    CHECK(lesson->lesson == "03");
    CHECK(lesson->card == 4);
    CHECK(lesson->language == "pt");
    CHECK(lesson->page == "https://school.example/");
    CHECK(lesson->lines.empty());
    CHECK(read_link("headlight:#lesson=3")->page.empty());
}

TEST_CASE("what carries a session is told from a sentence") {
    for (const char* link :
         {"#lesson=03", "https://x.example/#model=copy", "headlight:#text=a", " #text=a\n", "file:///x#at=b"})
        CHECK_MESSAGE(looks_like_link(link), link);
    for (const char* text : {"", "#", "#1 is the best", "the #model=copy", "C#=x", "a#b=c",
                             "https://x.example/", "#Über=1", "#=x"})
        CHECK_MESSAGE(!looks_like_link(text), text);
}

TEST_CASE("a link says as much as a session that somebody shares, and no more") {
    CHECK(read_link("#model=copy&" + repeated("change=output.logits+0+0+0+set+1", 300).substr(1)));
    CHECK(read_link("#text=the+models+model+models"));
    for (const std::string& address :
         {repeated("model=copy", 2), std::string("#model=copy&room=heads&model=sentiment"),
          repeated("room=heads", 10'000), repeated("mode%6C=copy", 2),
          "#text=" + std::string(longest_link, 'a')}) {
        const Result<Link> link = read_link(address);
        REQUIRE_FALSE(link);
        CHECK(link.error().key == "error.link_too_long");
    }
}

TEST_CASE("what is no letter of an address is told, never followed") {
    for (const char* address : {"#text=%", "#text=%4", "#text=%zz", "#text=a%0Aopen+x", "#text=%00", "#=x",
                                "#te%0Axt=a", "#lesson=3&card=x", "#lesson=3&card=0", "#text=%-1"}) {
        const Result<Link> link = read_link(address);
        REQUIRE_MESSAGE(!link, address);
        CHECK(link.error().key == "error.link_damaged");
    }
}

TEST_CASE("a link is followed in a fresh window: the same numbers, whatever was there before") {
    const std::filesystem::path assets = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets";
    Session one(assets, *Strings::load(assets)), other(assets, *Strings::load(assets));
    LessonPlayer player(one), other_player(other);
    for (const char* line : {"model translate-pt-en", "source Você não dormiu. Não, você!",
                             "goto decoder.0.cross_attn.weights", "select decoder.0.cross_attn.weights 1 1 1",
                             "change head decoder.0.cross_attn 1 silence", "film time 12.5"})
        REQUIRE_MESSAGE(one.execute(line), line);
    const std::string link = link_of(one);
    CHECK(link.find(' ') == link.npos);
    CHECK(looks_like_link(link));
    for (const char* line : {"model translate-en-pt", "smoothing 0.1", "lesson open 3", "room heads"})
        REQUIRE(other.execute(line));
    REQUIRE(follow_link(other, *read_link("https://x.example/" + link)));
    CHECK(link_of(other) == link);
    CHECK(other.question() == one.question());
    CHECK_FALSE(other_player.is_open());
    CHECK(other.view().film.seconds == 12.5);
    REQUIRE(other.execute("copy link"));
    CHECK(other.take_copied() == "https://x.example/" + link);

    const std::string before = link_of(other);
    CHECK_FALSE(follow_link(other, *read_link("#model=copy&room=nowhere")));
    CHECK_FALSE(follow_link(other, *read_link("#quit")));
    CHECK_FALSE(follow_link(other, *read_link("#save=/tmp/x")));
    CHECK(link_of(other) == before);
}

TEST_CASE("a link leads to a lesson's card, in its language") {
    const std::filesystem::path assets = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets";
    Session session(assets, *Strings::load(assets));
    LessonPlayer player(session);
    REQUIRE(session.execute("open https://x.example/#lesson=03&card=2&lang=pt"));
    REQUIRE(player.is_open());
    CHECK(lesson_name(player.lesson().file) == "03-attention-without-parameters");
    CHECK(player.card_number() == 1);
    CHECK(session.strings().language() == "pt");
    CHECK(link_of(session) == "#lesson=03&card=2&lang=pt");
    CHECK_FALSE(session.execute("open #lesson=no-such"));
    CHECK(player.is_open());
    CHECK(session.execute("language en"));
}
