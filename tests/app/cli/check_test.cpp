// `headlight --check`: that it can say yes, and that it can say no.
#include "tests/app/cli/program.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;
using namespace headlight::test;

namespace {

// The assets that a check reads, to be spoiled.
struct OwnAssets : headlight::TemporaryFolder {
    OwnAssets() {
        const fs::path shipped = fs::path(HEADLIGHT_SOURCE_DIR) / "assets";
        for (const char* part : {"strings", "reference", "models"})
            fs::copy(shipped / part, path() / part, fs::copy_options::recursive);
    }
    Outcome checked(const std::vector<std::string>& more = {}) const {
        std::vector<std::string> words{"--check"};
        words.insert(words.end(), more.begin(), more.end());
        return headlight_says(words, {}, {{"HEADLIGHT_ASSETS", path().string()}});
    }
};

bool says(const Outcome& outcome, const std::string& text) {
    return outcome.output.find(text) != std::string::npos;
}

// Another number, the last of the file.
void change_last_number(const fs::path& file) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(-4, std::ios::end);
    float number = 0;
    stream.read(reinterpret_cast<char*>(&number), sizeof number);
    number += 0.01f;
    stream.seekp(-4, std::ios::end);
    stream.write(reinterpret_cast<const char*>(&number), sizeof number);
}

} // namespace

TEST_CASE("this machine computes what PyTorch computed, and says what it is") {
    const Outcome outcome = headlight_says({"--check"});
    CAPTURE(outcome.output);
    CHECK(outcome.status == 0);
    CHECK(outcome.errors.empty());
    for (const char* label : {"Version: Headlight ", "Made with: ", "Machine: ", "Products: ",
                              "Graphics: in a window: ", "Graphics: in pictures without a display: ",
                              "Compared: translate-en-pt", "Compared: next-word", "Compared: sentiment"})
        CHECK_MESSAGE(says(outcome, label), label);
    CHECK(says(outcome, "Verdict: This machine computes what PyTorch computed."));
    CHECK_FALSE(says(outcome, "[")); // a text that is missing
}

TEST_CASE("a weight that is another, or a reference that is missing, is no agreement") {
    const OwnAssets assets;
    change_last_number(assets.path() / "models/next-word/model.safetensors");
    const Outcome spoiled = assets.checked({"--language", "pt"});
    CAPTURE(spoiled.output);
    CHECK(spoiled.status == 1);
    CHECK(says(spoiled, "Veredito: Esta máquina calcula números diferentes"));

    fs::remove(assets.path() / "models/sentiment/config.json");
    const Outcome unreadable = assets.checked();
    CHECK(unreadable.status == 1);
    CHECK(says(unreadable, "Verdict: Nothing could be compared."));

    fs::remove_all(assets.path() / "reference");
    const Outcome missing = assets.checked();
    CHECK(missing.status == 1);
    CHECK(says(missing, "there are no reference values"));
}
