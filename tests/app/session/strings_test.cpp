#include "app/session/assets.h"
#include "app/session/strings.h"
#include "engine/text/unicode.h"
#include "tests/support/matches.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

namespace fs = std::filesystem;
using namespace headlight;

namespace {

Strings shipped() {
    Result<Strings> strings = Strings::load(fs::path(HEADLIGHT_SOURCE_DIR) / "assets");
    REQUIRE_MESSAGE(strings, (strings ? "" : strings.error().key + " " + strings.error().arguments.front()));
    return *std::move(strings);
}

std::string contents(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Every text in quotes that is written like a key of one of the topics that there are: "error.…", "cli.…".
std::set<std::string> keys_in_sources(const std::set<std::string>& topics) {
    std::set<std::string> keys;
    for (const char* room : {"engine", "app"})
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(HEADLIGHT_SOURCE_DIR) / room))
            if (entry.path().extension() == ".cpp")
                for (const std::string& key : test::quoted_keys(contents(entry.path())))
                    if (topics.contains(key.substr(0, key.find('.')))) keys.insert(key);
    return keys;
}

struct Folder : TemporaryFolder {
    Folder() { fs::create_directories(path() / "strings/en"); }
    void write(const std::string& name, const std::string& text) const {
        fs::create_directories((path() / "strings" / name).parent_path());
        TemporaryFolder::write("strings/" + name, text);
    }
};

} // namespace

TEST_CASE("every language has the same keys, with the same arguments in each text") {
    const Strings strings = shipped();
    REQUIRE(strings.languages() == std::vector<std::string>{"en", "pt"});
    const std::string argument = R"(\{(\d+)\})";
    for (const std::string& one : strings.languages())
        for (const std::string& other : strings.languages())
            for (const auto& [key, text] : strings.texts(one)) {
                CAPTURE(key);
                const auto translated = strings.texts(other).find(key);
                REQUIRE_MESSAGE(translated != strings.texts(other).end(), (other + " lacks it"));
                const auto mine = test::matches(text, argument),
                           theirs = test::matches(translated->second, argument);
                CHECK(std::set(mine.begin(), mine.end()) == std::set(theirs.begin(), theirs.end()));
            }
}

TEST_CASE("every key that the sources speak of has a text") {
    const Strings strings = shipped();
    std::set<std::string> topics;
    for (const auto& [key, text] : strings.texts("en")) topics.insert(key.substr(0, key.find('.')));
    REQUIRE(topics.contains("error"));
    const std::set<std::string> used = keys_in_sources(topics);
    CHECK(used.size() > 50);
    // Values of the first page from the ground are called so, too.
    const std::set<std::string> values = {"plain.tokens", "plain.scores", "plain.weights", "plain.output"};
    for (const std::string& key : used)
        CHECK_MESSAGE((strings.texts("en").contains(key) || values.contains(key)), key);
}

TEST_CASE("arguments are put where the text wants them, and nowhere else") {
    const std::vector<std::string> arguments{"A", "{0}", "C"};
    CHECK(fill_in("{1} and {0}, {0}", arguments) == "{0} and A, A");
    CHECK(fill_in("{3} {} {x} { {2", arguments) == "{3} {} {x} { {2");
    CHECK(fill_in("{", {}) == "{");
    CHECK(fill_in("", arguments).empty());
}

TEST_CASE("a missing key is shown as itself, and the language can change") {
    Folder folder;
    folder.write("en/a.json", R"({"hello": "Hello, {0}"})");
    folder.write("pt/a.json", R"({"hello": "Olá, {0}"})");
    Result<Strings> strings = Strings::load(folder.path());
    REQUIRE(strings);
    CHECK(strings->text("hello", {"Ana"}) == "Hello, Ana");
    CHECK(strings->text("no.such") == "[no.such]");
    strings->set_language("pt");
    CHECK(strings->text(Error{"hello", {"Ana"}}) == "Olá, Ana");
}

TEST_CASE("texts that cannot be used are refused with the file that has them") {
    Folder folder;
    const auto error_of = [&](const char* name, const char* text) {
        folder.write(name, text);
        const Result<Strings> strings = Strings::load(folder.path());
        REQUIRE_FALSE(strings);
        CHECK(strings.error().arguments.front().find(name) != std::string::npos);
        fs::remove(folder.path() / "strings" / name);
        return strings.error().key;
    };
    folder.write("en/a.json", R"({"hello": "Hello"})");
    CHECK(error_of("en/b.json", R"({"hello": "Hi"})") == "error.strings_twice");
    CHECK(error_of("en/b.json", R"({"deep": {"hello": "Hi"}})") == "error.strings_not_flat");
    CHECK(error_of("en/b.json", "[1]") == "error.strings_not_flat");
    CHECK(error_of("en/b.json", "{").starts_with("error.json"));
    fs::remove_all(folder.path() / "strings/en");
    CHECK(Strings::load(folder.path()).error().key == "error.assets_missing");
}

TEST_CASE("the language is that of the first locale variable that is set, when it is spoken") {
    const Strings strings = shipped();
    const auto language = [&](const char* lc_all, const char* lang) {
        unsetenv("LC_MESSAGES");
        lc_all ? setenv("LC_ALL", lc_all, 1) : unsetenv("LC_ALL");
        lang ? setenv("LANG", lang, 1) : unsetenv("LANG");
        return language_of_environment(strings);
    };
    CHECK(language("pt_BR.UTF-8", "en_US.UTF-8") == "pt");
    CHECK(language("C", "pt_BR.UTF-8") == "en");
    CHECK(language(nullptr, "pt_PT@euro") == "pt");
    CHECK(language("", "pt") == "pt");
    CHECK(language(nullptr, "de_DE.UTF-8") == "en");
    CHECK(language(nullptr, nullptr) == "en");
}

TEST_CASE("a folder of assets that is named wins, and a wrong one is not passed over") {
    const char* before = std::getenv("HEADLIGHT_ASSETS");
    const std::string kept = before ? before : "";
    unsetenv("HEADLIGHT_ASSETS");
    REQUIRE(find_assets());
    CHECK(fs::is_directory(*find_assets() / "strings/en"));
    Folder folder;
    setenv("HEADLIGHT_ASSETS", folder.path().c_str(), 1);
    CHECK(*find_assets() == folder.path());
    setenv("HEADLIGHT_ASSETS", "/no/such/folder", 1);
    CHECK(find_assets().error().key == "error.assets_missing");
    kept.empty() ? unsetenv("HEADLIGHT_ASSETS") : setenv("HEADLIGHT_ASSETS", kept.c_str(), 1);
}

TEST_CASE("what a file brought with it is told by its beginning and its end, cut between characters") {
    CHECK(shortened("encoder.0") == "encoder.0");
    CHECK(shortened(std::string(1500, 'x')) == std::string(1500, 'x'));
    std::string name;
    for (int i = 0; i < 2'500'000; ++i) name += "\u00e7"; // two bytes each
    for (const std::string& before : {std::string(), std::string("a")}) {
        const std::string told = shortened(before + name);
        CHECK(told.size() < 420);
        CHECK(is_valid_utf8(told));
    }
    const Strings strings = shipped();
    CHECK(strings.text(Error{"error.safetensors_overlap", {"file", "a", name}}).size() < 700);
}

TEST_CASE("what a file brought with it does not part or turn around the line that tells of it") {
    CHECK(in_one_line("layer.0 é “x” 😀") == "layer.0 é “x” 😀");
    CHECK(in_one_line("a\nb\tc") == "a b c");
    CHECK(in_one_line("\x1b[2J\x7f") == " [2J\uFFFD");
    CHECK(in_one_line("a\xff\u202E\u0085") == "a\uFFFD\uFFFD\uFFFD");
    const Strings strings = shipped();
    const std::string told = strings.text(Error{"error.weights_unexpected", {"file", "a\r\nb\xff"}});
    CHECK(is_valid_utf8(told));
    CHECK(told.find_first_of("\r\n") == told.npos);
}
