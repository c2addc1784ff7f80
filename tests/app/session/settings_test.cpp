#include "app/session/settings.h"
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
