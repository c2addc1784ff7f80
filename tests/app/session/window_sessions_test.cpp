#include "app/session/window_sessions.h"
#include "engine/io/folder_transaction.h"

#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

using namespace headlight;

namespace {

// What a window finds that begins now, if anything.
std::string found(WindowSessions& window, bool afresh = false) {
    const auto session = window.begin(afresh);
    window.has_begun();
    return session ? session->lines : "";
}

} // namespace

TEST_CASE("what a window showed that was killed is found again, before what was closed last") {
    const TemporaryFolder folder;
    {
        WindowSessions closed(folder / "w");
        CHECK(found(closed) == "");
        REQUIRE(closed.write("closed"));
        REQUIRE(closed.close("closed"));
    }
    {
        WindowSessions killed(folder / "w");
        CHECK(found(killed) == "closed");
        REQUIRE(killed.write("killed"));
    } // its lock is gone, as with a process
    WindowSessions next(folder / "w");
    CHECK(found(next) == "killed");
    REQUIRE(next.close("next"));
    WindowSessions last(folder / "w");
    CHECK(found(last) == "next");
}

TEST_CASE("windows beside each other keep apart: each is found again, and a second one begins afresh") {
    const TemporaryFolder folder;
    {
        WindowSessions a(folder / "w"), b(folder / "w");
        CHECK(found(a) == "");
        REQUIRE(a.write("a"));
        CHECK(found(b) == "");
        REQUIRE(b.write("b"));
        REQUIRE(a.write("a again"));
    }
    WindowSessions one(folder / "w"), other(folder / "w"), third(folder / "w");
    std::vector<std::string> both = {found(one), found(other)};
    std::sort(both.begin(), both.end());
    CHECK(both == std::vector<std::string>{"a again", "b"});
    CHECK(found(third) == "");
}

TEST_CASE("who was asked for something else begins afresh, and what was killed waits for another time") {
    const TemporaryFolder folder;
    {
        WindowSessions killed(folder / "w");
        (void)found(killed);
        REQUIRE(killed.write("killed"));
    }
    {
        WindowSessions asked(folder / "w");
        CHECK(found(asked, true) == "");
        REQUIRE(asked.close("asked"));
    }
    WindowSessions next(folder / "w");
    CHECK(found(next) == "killed");
}

TEST_CASE("a session that ended the program when it was brought back is not brought back once more") {
    const TemporaryFolder folder;
    {
        WindowSessions killed(folder / "w");
        (void)found(killed);
        REQUIRE(killed.write("deadly"));
    }
    {
        WindowSessions dies(folder / "w");
        REQUIRE(dies.begin(false));
    } // before its first picture
    WindowSessions next(folder / "w");
    const auto session = next.begin(false);
    REQUIRE(session);
    CHECK(session->ended_at_start);
    CHECK(folder.read("w/" + next.set_aside(*session).filename().string()) == "deadly");
    REQUIRE(next.write("fresh"));
    REQUIRE(next.close("fresh"));
    WindowSessions last(folder / "w");
    const auto fresh = last.begin(false);
    REQUIRE(fresh);
    CHECK_FALSE(fresh->ended_at_start);
    CHECK(fresh->lines == "fresh");
}

TEST_CASE("of windows that nobody asked for again the latest stay") {
    const TemporaryFolder folder;
    for (int i = 0; i < 12; ++i) {
        WindowSessions killed(folder / "w");
        (void)found(killed, true);
        REQUIRE(killed.write("x"));
    }
    WindowSessions next(folder / "w");
    CHECK(found(next) == "x");
    std::ptrdiff_t windows = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "w"))
        windows += entry.is_directory();
    CHECK(windows <= 10);
}

TEST_CASE("a folder whose number none can follow is nobody's") {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder / "9223372036854775807");
    std::filesystem::create_directories(folder / "99999999999999999999");
    std::filesystem::create_directories(folder / "7");
    CHECK(numbered_folders(folder.path()).size() == 1);
    CHECK(claim_numbered_folder(folder.path()) == folder / "8");
}
