#include "app/session/settings.h"

#include "app/session/window_sessions.h"
#include "engine/io/file.h"
#include "tests/support/failing_disk.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

using namespace headlight;

TEST_CASE("settings come back as they were written") {
    const TemporaryFolder folder;
    const auto file = folder.path() / "deep/er/settings.json";
    const Settings before{"pt",
                          "light",
                          true,
                          1600,
                          1000,
                          true,
                          true,
                          "/models/copy",
                          "o gato “dorme”\n",
                          {"open /a \"b\".headlight", "model /c"},
                          "/home/ana"};
    write_settings(file, before);
    const Settings after = read_settings(file);
    CHECK(after.language == before.language);
    CHECK(after.theme == before.theme);
    CHECK(after.presenter == before.presenter);
    CHECK(after.first_steps_done == before.first_steps_done);
    CHECK(after.width == before.width);
    CHECK(after.height == before.height);
    CHECK(after.maximized == before.maximized);
    CHECK(after.model == before.model);
    CHECK(after.source == before.source);
    CHECK(after.recent == before.recent);
    CHECK(after.folder == before.folder);
}

TEST_CASE("two windows share the settings: each writes what it changed, and leaves the rest") {
    const TemporaryFolder folder;
    const auto file = folder.path() / "settings.json";
    Settings first;
    first.source = "the cat";
    first.recent = {"open /a"};
    write_changed_settings(file, {}, first);
    Settings a = first, b = first;
    a.theme = "light";
    a.recent = {"open /b", "open /a"};
    b.source = "the dog";
    b.recent = {"open /c", "open /a"};
    write_changed_settings(file, first, a);
    write_changed_settings(file, first, b);
    const Settings both = read_settings(file);
    CHECK(both.theme == "light");
    CHECK(both.source == "the dog");
    CHECK(both.recent == std::vector<std::string>{"open /c", "open /a", "open /b"});
}

TEST_CASE("how far somebody is in a lesson outlives another window, and another lesson there") {
    const TemporaryFolder folder;
    const auto file = folder / "settings.json";
    Settings first;
    first.lessons = "01-tokens 2 0,1,;02-embedding 0 ;";
    write_settings(file, first);
    Settings a = first, b = first;
    a.lessons = "01-tokens 2 0,1,;02-embedding 3 0,1,2,;";
    b.lessons = "01-tokens 4 0,1,3,;02-embedding 0 ;07-softmax 1 0,;";
    b.theme = "light";
    write_changed_settings(file, first, a);
    write_changed_settings(file, first, b);
    CHECK(read_settings(file).lessons == "01-tokens 4 0,1,3,;02-embedding 3 0,1,2,;07-softmax 1 0,;");
    Settings idle = first;
    idle.source = "the dog"; // of a window where no lesson was taken
    write_changed_settings(file, first, idle);
    CHECK(read_settings(file).lessons == "01-tokens 4 0,1,3,;02-embedding 3 0,1,2,;07-softmax 1 0,;");
}

TEST_CASE("whichever call fails, or is the last, settings and what a window shows are as they were or as "
          "they are") {
    using test::FailingDisk;
    const TemporaryFolder folder;
    Settings old, fresh;
    old.source = "the cat";
    fresh.source = "the dog";
    bool reached_end = false;
    for (int call = 1; !reached_end; ++call)
        for (const auto from : {FailingDisk::From::once, FailingDisk::From::for_good}) {
            CAPTURE(call);
            const auto home = folder / (std::to_string(call) + (from == FailingDisk::From::once ? "a" : "b"));
            WindowSessions window(home / "windows");
            (void)window.begin(false);
            write_changed_settings(home / "settings.json", {}, old);
            REQUIRE(window.write("old"));
            {
                const FailingDisk disk(call, from);
                write_changed_settings(home / "settings.json", old, fresh);
                (void)window.write("fresh");
                reached_end = disk.calls() < call;
            }
            const std::string read = read_settings(home / "settings.json").source;
            CHECK((read == "the cat" || read == "the dog"));
            const Result<std::string> shown = read_file(home / "windows/1/now.headlight", 100);
            REQUIRE(shown);
            CHECK((*shown == "old" || *shown == "fresh"));
        }
}

TEST_CASE("a missing, broken or strange settings file gives what there was at first") {
    const TemporaryFolder folder;
    const Settings first;
    CHECK(read_settings(folder.path() / "none.json").theme == first.theme);
    for (const char* text : {"", "{", "[]", "null", "\xff\xfe", "{\"theme\": 3, \"width\": \"wide\"}",
                             "{\"width\": 1e300, \"presenter\": 1, \"source\": null}"}) {
        folder.write("settings.json", text);
        const Settings read = read_settings(folder.path() / "settings.json");
        CHECK(read.theme == first.theme);
        CHECK(read.width == first.width);
        CHECK(read.presenter == first.presenter);
        CHECK(read.source == first.source);
    }
    folder.write("settings.json", "{\"width\": 99999999999, \"height\": -5, \"theme\": \"light\"}");
    const Settings read = read_settings(folder.path() / "settings.json");
    CHECK(read.theme == "light");
    CHECK(read.width >= 640);
    CHECK(read.width <= 8192);
    CHECK(read.height == 480);
}
