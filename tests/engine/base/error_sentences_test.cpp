#include "tests/support/matches.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

namespace fs = std::filesystem;

namespace {

std::string contents(const fs::path& path) {
    std::ifstream file(path);
    REQUIRE_MESSAGE(file, path.string());
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Of all files of the language.
std::map<std::string, std::string> sentences(const std::string& language) {
    std::map<std::string, std::string> all;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(fs::path(HEADLIGHT_SOURCE_DIR) / "assets/strings" / language)) {
        const std::map<std::string, std::string> texts = nlohmann::json::parse(contents(entry.path()));
        for (const auto& [key, text] : texts)
            if (key.starts_with("error.")) CHECK_MESSAGE(all.emplace(key, text).second, key);
    }
    return all;
}

// Everything in `text` that the pattern matches, once.
std::set<std::string> matches(const std::string& text, const std::string& pattern) {
    const std::multiset<std::string> all = headlight::test::matches(text, pattern);
    return {all.begin(), all.end()};
}

std::set<std::string> keys_in_sources() {
    std::set<std::string> keys;
    for (const char* room : {"engine", "app"})
        for (const fs::directory_entry& entry :
             fs::recursive_directory_iterator(fs::path(HEADLIGHT_SOURCE_DIR) / room))
            if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h"
                || entry.path().extension() == ".js")
                for (const std::string& key : headlight::test::quoted_keys(contents(entry.path())))
                    if (key.starts_with("error.")) keys.insert(key);
    keys.erase("error.model_file_missing"); // an example in a comment of result.h
    return keys;
}

} // namespace

TEST_CASE("keys in quotes are found as the pattern of one says") {
    const std::string text = R"("a.b" "a" "x" + "c_1.D.e", "A.b" "f." ".g" "h..i" "j.k"l.m" "n.o)";
    CHECK(headlight::test::quoted_keys(text) == matches(text, R"re("([a-z0-9_]+(?:\.[A-Za-z0-9_]+)+)")re"));
}

TEST_CASE("every error has a sentence in both languages, with the same arguments") {
    const auto english = sentences("en"), portuguese = sentences("pt");
    const std::string argument = R"(\{(\d+)\})";
    for (const auto& [key, sentence] : english) {
        CAPTURE(key);
        REQUIRE(portuguese.contains(key));
        CHECK(matches(sentence, argument) == matches(portuguese.at(key), argument));
    }
    CHECK(english.size() == portuguese.size());
}

TEST_CASE("every error that the sources name has a sentence, and no sentence is left over") {
    const auto english = sentences("en");
    const std::set<std::string> keys = keys_in_sources();
    for (const std::string& key : keys) CHECK_MESSAGE(english.contains(key), key);
    for (const auto& [key, sentence] : english) CHECK_MESSAGE(keys.contains(key), key);
}
