#include "app/lessons/player.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace headlight;

namespace {

const std::filesystem::path assets = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets";

struct Class {
    Session session{assets, *Strings::load(assets)};
    LessonPlayer lessons{session};

    bool run(const std::string& line) {
        const bool done = bool(session.execute(line));
        lessons.advance(0);
        return done;
    }
    int hands_of(double answer) {
        for (const auto& [said, hands] : lessons.votes(0))
            if (std::abs(said - answer) < 1e-9) return hands;
        return 0;
    }
};

} // namespace

TEST_CASE("hands are counted as totals, for choices, numbers and cells, and taken back one entry at a time") {
    Class taught;
    REQUIRE(taught.run("lesson open 03"));
    REQUIRE(taught.run("lesson hands on"));
    REQUIRE(taught.run("lesson card 3"));
    CHECK(taught.session.view().teaching.votes);
    CHECK(taught.run("lesson votes 1=23 2=5"));
    CHECK(taught.lessons.hands(0) == std::vector<int>{23, 5, 0});
    CHECK(taught.run("lesson votes 2=6, 3"));
    CHECK(taught.lessons.hands(0) == std::vector<int>{23, 6, 1});
    CHECK_FALSE(taught.run("lesson votes 1=2 4=1")); // there are three; nothing of the line counts
    CHECK_FALSE(taught.run("lesson votes 1=many"));
    CHECK(taught.lessons.hands(0) == std::vector<int>{23, 6, 1});
    const Question before = taught.session.question();
    CHECK(taught.run("lesson votes undo"));
    CHECK(taught.lessons.hands(0) == std::vector<int>{23, 5, 0});
    CHECK(taught.run("lesson votes undo"));
    CHECK(taught.run("lesson votes undo")); // there is no more
    CHECK(taught.lessons.hands(0).empty());
    CHECK(taught.session.question() == before);
    CHECK_FALSE(taught.lessons.answer(2, 0));

    REQUIRE(taught.run("lesson card 2"));
    CHECK(taught.run("lesson votes 0,55=12 0.4=9; −2.1=3"));
    CHECK(taught.hands_of(0.55) == 12);
    CHECK(taught.hands_of(0.4) == 9);
    CHECK(taught.hands_of(-2.1) == 3);
    CHECK_FALSE(taught.lessons.answer(1, 0));
    CHECK(taught.run("lesson forward"));
    REQUIRE(taught.lessons.answer(1, 0));
    CHECK_FALSE(taught.session.view().teaching.votes);

    REQUIRE(taught.run("lesson card 1"));
    CHECK(taught.run("lesson votes roma=12 1=2"));
    CHECK(taught.hands_of(0) == 2);
    CHECK(taught.lessons.votes(0).size() == 2);
    CHECK(taught.run("select plain.scores 0 1 0")); // a hand that points
    CHECK(taught.hands_of(0) == 3);
    CHECK_FALSE(taught.lessons.answer(0, 0));
    CHECK_FALSE(taught.session.view().asking.held);
}
