#include "app/ui/rooms/heads/pair_data.h"
#include "app/ui/rooms/rooms.h"
#include "app/ui/widgets/text.h"
#include "tests/app/ui/panel_stage.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace headlight;

namespace {

const std::string street = "The animal didn't cross the street because it was too ";

struct PairStage : CanvasStage {
    explicit PairStage(const std::string& model, const std::string& first, const std::string& second,
                       int width = 1280, int height = 800)
        : CanvasStage(model, width, height) {
        REQUIRE(run("room heads\nsource " + first + "\nsecond " + second + "\nheads pair\nwait 3") == "");
    }
    const Graph& first() { return session().model().graph(); }
    const Graph& second() { return *session().what_if().second_graph(); }
    void click(const std::string& name) { REQUIRE(run("click " + name) == ""); }
};

struct Tired : PairStage {
    Tired() : PairStage("translate-en-pt", street + "tired", street + "wide") {}
};

struct Manga : PairStage {
    Manga()
        : PairStage("translate-pt-en", "Eu gosto de comer manga",
                    "Ele pediu para a costureira cortar a manga") {}
};

// Every number of a page's maps against the two graphs.
void check_map(PairStage& stage, const PairedMap& map) {
    const Tensor &one = stage.first().find(map.path + ".weights")->value,
                 &other = stage.second().find(map.path + ".weights")->value;
    const auto at = [&](const WordMap& words, Index query, Index key) {
        return map.transposed ? words.numbers[std::size_t(key) * words.queries.size() + std::size_t(query)]
                              : words.numbers[std::size_t(query) * words.keys.size() + std::size_t(key)];
    };
    REQUIRE(Index(map.first.numbers.size()) == one.rows() * one.columns());
    REQUIRE(Index(map.second.numbers.size()) == other.rows() * other.columns());
    for (Index q = 0; q < one.rows(); ++q)
        for (Index k = 0; k < one.columns(); ++k) CHECK(at(map.first, q, k) == one(map.head, q, k));
    for (Index q = 0; q < other.rows(); ++q)
        for (Index k = 0; k < other.columns(); ++k) CHECK(at(map.second, q, k) == other(map.head, q, k));
    for (std::size_t q = 0; q < map.queries.size(); ++q)
        for (std::size_t k = 0; k < map.keys.size(); ++k) {
            const WordPair &query = map.queries[q], &key = map.keys[k];
            const Real difference = at(map.difference, Index(q), Index(k));
            if (query.both() && key.both())
                CHECK(difference
                      == other(map.head, query.second, key.second) - one(map.head, query.first, key.first));
            else
                CHECK(difference == -std::numeric_limits<Real>::infinity());
        }
}

} // namespace

TEST_CASE("the three maps are those of the two graphs and their difference, for every head") {
    for (const bool same_length : {true, false}) {
        PairStage stage = same_length ? PairStage("translate-en-pt", street + "tired", street + "wide")
                                      : PairStage("translate-pt-en", "Eu gosto de comer manga",
                                                  "Ele pediu para a costureira cortar a manga");
        HeadsData data;
        PairData pair;
        for (const char* path : {"encoder.0.self_attn", "decoder.0.self_attn", "decoder.1.cross_attn"})
            for (const char* head : {"0", "3"})
                for (const char* turned : {"off", "on"}) {
                    REQUIRE(stage.run(std::string("heads transpose ") + turned + "\nheads open " + path + " "
                                      + head)
                            == "");
                    CHECK(stage.view().heads.page == HeadsPage::pair);
                    check_map(stage, pair.map(stage.session(), data));
                }
    }
}

TEST_CASE("what of a word's attention goes elsewhere is half of all differences in its row") {
    Manga stage;
    HeadsData data;
    PairData pair;
    REQUIRE(stage.run("heads open encoder.0.self_attn 2") == "");
    const PairedMap& map = pair.map(stage.session(), data);
    const FollowedWords words = pair.way(stage.session()).words;
    CHECK(words == FollowedWords{"encoder", 4, 7}); // manga
    const Tensor &one = stage.first().find("encoder.0.self_attn.weights")->value,
                 &other = stage.second().find("encoder.0.self_attn.weights")->value;
    double shared = 0; // manga and </s> are in both: the smaller part of each stays where it was
    for (const auto& [a, b] : {std::pair<Index, Index>{4, 7}, {5, 8}})
        shared += double(std::min(one(2, 4, a), other(2, 7, b)));
    REQUIRE(map.elsewhere);
    CHECK(*map.elsewhere == doctest::Approx(1 - shared).epsilon(1e-4));
    for (const MeasuredAttention& attention : data.of(stage.session())) {
        if (attention.path.starts_with("decoder")) continue;
        for (Index head = 0; head < 4; ++head) {
            REQUIRE(stage.run("heads open " + attention.path + " " + std::to_string(head)) == "");
            CHECK(*pair.map(stage.session(), data).elsewhere
                  <= pair.parting_head(stage.session(), data).elsewhere);
        }
    }
}

TEST_CASE("a word's way has the vectors of the two graphs, their distances, and their components") {
    Tired stage;
    PairData pair;
    const WordWay& way = pair.way(stage.session());
    // The encoder's words hardly turn away: the decoder tells the two apart.
    CHECK(way.words == FollowedWords{"decoder", 7, 7}); // porque
    const std::vector<std::string> paths = {"decoder.embed.scaled", "decoder.embed.output", "decoder.0.norm3",
                                            "decoder.1.norm3"};
    REQUIRE(way.stops.size() == paths.size());
    double variance = 0, along[2] = {0, 0};
    std::vector<std::vector<double>> all;
    for (const bool second : {false, true})
        for (std::size_t i = 0; i < paths.size(); ++i) {
            const Tensor& value = (second ? stage.second() : stage.first()).find(paths[i])->value;
            const auto vector = second ? way.stops[i].second : way.stops[i].first;
            all.emplace_back();
            for (Index d = 0; d < value.columns(); ++d) {
                CHECK(vector[std::size_t(d)] == value(0, 7, d));
                all.back().push_back(double(value(0, 7, d)));
            }
        }
    for (std::size_t i = 0; i < paths.size(); ++i) {
        double distance = 0, dot = 0, a = 0, b = 0;
        for (std::size_t d = 0; d < all[i].size(); ++d) {
            const double x = all[i][d], y = all[i + paths.size()][d];
            distance += (x - y) * (x - y), dot += x * y, a += x * x, b += y * y;
        }
        CHECK(way.stops[i].distance == doctest::Approx(std::sqrt(distance)));
        CHECK(way.stops[i].cosine == doctest::Approx(dot / std::sqrt(a * b)));
    }
    CHECK(way.stops[0].distance == 0);
    CHECK(way.stops[1].distance == 0); // the same token in the same place
    CHECK(way.stops[3].distance > 5);
    for (std::size_t d = 0; d < all[0].size(); ++d) {
        double mean = 0;
        for (const auto& vector : all) mean += vector[d] / double(all.size());
        for (const auto& vector : all) variance += (vector[d] - mean) * (vector[d] - mean);
    }
    for (Index i = 0; i < Index(all.size()); ++i)
        for (const int axis : {0, 1}) along[axis] += std::pow(double(way.projection.points(0, i, axis)), 2);
    for (const int axis : {0, 1})
        CHECK(way.projection.explained[axis] == doctest::Approx(along[axis] / variance).epsilon(1e-4));
}

TEST_CASE("a pair begins by a click, a word is followed by another, and a head is chosen by a third") {
    CanvasStage stage("translate-pt-en");
    REQUIRE(stage.run("room heads\nheads pair\nwait 3\nclick pair.start.0") == "");
    CHECK(stage.question().source == "Eu gosto de comer manga");
    CHECK(stage.question().second == "Ele pediu para a costureira cortar a manga");
    REQUIRE(stage.run("click pair.second.encoder.4") == ""); // costureira, beside what was there: manga
    CHECK(stage.view().heads.shows_way);
    CHECK(stage.view().heads.followed == FollowedWords{"encoder", 4, 4});
    REQUIRE(stage.run("click pair.second.encoder.7") == ""); // manga and its partner
    CHECK(stage.view().heads.followed == FollowedWords{"encoder", 4, 7});
    REQUIRE(stage.run("click pair.first.decoder.2\nclick pair.view.0\nwait 3\nclick pair.head.1") == "");
    CHECK(stage.view().heads.followed->stream == "decoder");
    CHECK(!stage.view().heads.shows_way);
    CHECK(stage.view().heads.head == 1);
    CHECK(stage.names().find("pair.cells.difference"));
    REQUIRE(stage.run("click pair.field\ntype De nada\npress enter") == "");
    CHECK(stage.question().second == "De nada");
    REQUIRE(stage.run("source De\nwait 3\nheads pair way\nwait 3") == ""); // the followed words are no more
    CHECK(stage.names().find("pair.plane"));
    REQUIRE(stage.run("second off\nwait 3") == "");
    CHECK(!stage.names().find("pair.plane"));
    CHECK(stage.run("heads follow encoder -1 0") != "");
    CHECK(stage.run("heads follow nobody 1 1") != "");
    CHECK(stage.run("heads pair nothing") != "");
}

TEST_CASE("pointing at a cell, a point or a bar of two sentences disturbs nothing") {
    Tired stage;
    REQUIRE(stage.run("hover pair.cells.difference\nhover pair.cells.first\nheads pair way\nwait 3\n"
                      "hover pair.point.first.3\nhover pair.point.second.0\nhover pair.distance.2")
            == "");
}

TEST_CASE(
    "a number of the first of two sentences answers to a click, in its map and in that of the difference") {
    Tired stage;
    const auto held = [&] { return stage.view().asking.held; };
    stage.click("pair.cells.second 1 2\nwait 3");
    CHECK_FALSE(held());
    stage.click("pair.cells.first 1 2\nwait 3");
    REQUIRE(held());
    CHECK(held()->path.ends_with(".weights"));
    CHECK(held()->cell.row == 1);
    CHECK(held()->cell.column == 2);
    CHECK(stage.names().find("ask.value")); // its arithmetic stands beside
    stage.click("pair.cells.first 1 2\nwait 3");
    CHECK_FALSE(held());
    stage.click("pair.cells.difference 1 3\nwait 3");
    REQUIRE(held());
    CHECK(held()->cell.column == 3);
}

TEST_CASE("how two sentences are looked at is undone, and saved as commands") {
    HeadsView view;
    std::vector<std::string> commands;
    {
        Tired stage;
        REQUIRE(stage.run("heads follow encoder 7 7\nheads open encoder.1.self_attn 2") == "");
        view = stage.view().heads;
        commands = stage.session().as_commands();
        REQUIRE(stage.run("undo\nundo") == "");
        CHECK(!stage.view().heads.followed);
    }
    CanvasStage other;
    for (const std::string& line : commands) REQUIRE(other.run(line) == "");
    CHECK(other.view().heads == view);
}

TEST_CASE("no text of two sentences is cut, for any of them, in either language") {
    const std::vector<std::string> sentences = {"", "the", street + "tired",
                                                "the the the the the the the the the the the the the the the "
                                                "the the the the the the the the the the the"};
    PanelStage stage("translate-en-pt", 1240, 580,
                     [&](const ScreenRect& rect, Session& session, CommandSink& commands) {
                         heads_room(rect, session, commands);
                     });
    for (const char* look : {"language en\ntheme dark\n", "language pt\ntheme light\n", "presenter on\n"}) {
        stage.run(look);
        for (const std::string& first : sentences)
            for (const std::string& second : {std::string("off"), street + "wide", std::string("run")})
                for (const char* view : {"heads pair maps\nheads transpose on\n",
                                         "heads pair maps\nheads transpose off\n", "heads pair way\n"}) {
                    std::vector<std::string> cut;
                    note_cut_texts(&cut);
                    stage.run("source " + first + "\nsecond " + second + "\n" + view);
                    note_cut_texts(nullptr);
                    INFO(std::string(look) << " / " << first << " / " << second << " / " << view);
                    for (const std::string& text : cut) CHECK_MESSAGE(false, "cut: ", text);
                }
    }
    CHECK(stage.session().strings().missing().empty());
}
