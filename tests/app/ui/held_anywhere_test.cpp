// A number is held, whatever computes it, and the window goes anywhere with it.
#include "tests/app/ui/stage.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <vector>

using namespace headlight;

namespace {

std::vector<std::string> held_paths(Session& session) {
    std::vector<std::string> paths = {"encoder.0.self_attn.weights", "decoder.1.ffn.linear1.weight",
                                      "measures.heads.decoder.1.cross_attn.first"};
    for (const Graph* graph : session.at_hand().pages) {
        paths.push_back(graph->nodes().front().path);
        paths.push_back(graph->nodes()[graph->nodes().size() / 2].path);
        paths.push_back(graph->nodes().back().path);
    }
    return paths;
}

} // namespace

TEST_CASE(
    "a number that is held, of the model, a page or a measure, is at home in every room and in every file") {
    const TemporaryFolder folder;
    Stage stage;
    for (const char* room : {"room places", "room norms", "room costs"}) { // they compute when they are seen
        REQUIRE(stage.session().execute(room));
        stage.frame(2);
    }
    const std::vector<std::string> paths = held_paths(stage.session());
    CHECK(paths.size() > 12);
    for (const std::string& path : paths) {
        INFO(path);
        const Node* node = stage.session().find(path);
        if (!node || node->value.size() == 0) continue;
        const std::string select = "select " + path + " 0 0 0";
        REQUIRE(stage.session().execute(select));
        stage.frame();
        REQUIRE(stage.session().execute("region all"));
        for (const char* file : {"part.csv", "part.npy", "part.md", "part.svg", "part.png"})
            CHECK(stage.run("export part " + (folder / file).string() + "\n") == "");
        for (const std::string_view room : room_names) {
            INFO(room);
            REQUIRE(stage.session().execute(select));
            REQUIRE(stage.session().execute("room " + std::string(room)));
            stage.frame(2);
            CHECK(stage.run("export part " + (folder / "there.csv").string() + "\n") == "");
            CHECK(stage.run("export part " + (folder / "there.svg").string() + "\n") == "");
        }
    }
}

TEST_CASE("what a picture was asked for may be gone when it is drawn") {
    const TemporaryFolder folder;
    Stage stage;
    const auto ask = [&](const std::string& what) {
        REQUIRE(stage.session().execute("export " + what + " " + (folder / "out.svg").string()));
    };
    REQUIRE(stage.session().execute("goto decoder.0.cross_attn.weights"));
    ask("card");
    REQUIRE(stage.session().execute("model next-word")); // has no such value
    stage.frame();
    CHECK(std::filesystem::exists(folder / "out.svg"));
    REQUIRE(stage.session().execute("select decoder.0.self_attn.weights 0 0 0"));
    std::filesystem::remove(folder / "out.svg");
    ask("part");
    REQUIRE(stage.session().execute("model sentiment"));
    stage.frame();
    CHECK_FALSE(std::filesystem::exists(folder / "out.svg")); // said, not guessed
    REQUIRE(stage.view().notice);
    CHECK(stage.view().notice->text.find("decoder.0.self_attn.weights") != std::string::npos);
}
