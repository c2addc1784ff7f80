#include "tests/app/cli/trained_model.h"

#include <doctest/doctest.h>

namespace headlight::test {

namespace {

const TemporaryFolder& folder() {
    static const TemporaryFolder folder;
    return folder;
}

} // namespace

std::filesystem::path trained_pairs() {
    return folder().write("pairs.tsv", "# what it knows\nthe cat\to gato\n\nthe king\to rei\r\na\tum\n");
}

const std::filesystem::path& trained_model() {
    static const std::filesystem::path model = [] {
        const std::filesystem::path path = folder() / "model";
        const Outcome outcome =
            headlight_says(with({"train", "--pairs", trained_pairs(), "--until-exact", "1", "--out", path,
                                 "--learning-rate", "5e-3", "--warmup", "20", "--dropout", "0"},
                                tiny_sizes));
        REQUIRE_MESSAGE(outcome.status == 0, outcome.errors);
        return path;
    }();
    return model;
}

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

} // namespace headlight::test
