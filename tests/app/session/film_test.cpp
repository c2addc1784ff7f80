// The film: every step has its time, scenes gather them, and a place in it is a place in the story.
#include "app/session/film.h"

#include "app/session/session.h"
#include "tests/app/session/changed_session.h"
#include "tests/app/session/foreign_session.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <set>

using namespace headlight;

namespace {

std::set<SceneKind> kinds_of(const Film& film) {
    std::set<SceneKind> kinds;
    for (const FilmScene& scene : film.scenes()) kinds.insert(scene.kind);
    return kinds;
}

// Scenes follow one another without a gap, in steps and in time, and every moment lies in its own.
void check_whole(const LoadedModel& model) {
    CAPTURE(model.name);
    const Film& film = model.film;
    REQUIRE_FALSE(film.scenes().empty());
    CHECK(film.scenes().front().first == 0);
    CHECK(film.scenes().back().end == Index(model.story.size()));
    CHECK(film.scenes().size() <= 22);
    CHECK(film.seconds() >= 5);
    CHECK(film.seconds() <= 75);
    CHECK(film.scenes()[0].kind == SceneKind::network);
    CHECK(film.scenes()[0].first == film.scenes()[0].end);
    CHECK(film.at(0).scene == 0);
    double now = film.prelude();
    for (std::size_t i = 1; i < film.scenes().size(); ++i) {
        const FilmScene& scene = film.scenes()[i];
        CHECK(scene.begin == doctest::Approx(now));
        CHECK(scene.first == film.scenes()[i - 1].end);
        CHECK(scene.told >= scene.first);
        CHECK(scene.told < scene.end);
        for (Index step = scene.first; step < scene.end; ++step) {
            const FilmShot& shot = film.shot(step);
            CHECK(shot.begin == doctest::Approx(now));
            CHECK(shot.seconds > 0);
            const FilmMoment middle = film.at(shot.begin + shot.seconds / 2);
            CHECK(middle.step == step);
            CHECK(middle.scene == i);
            CHECK(middle.share == doctest::Approx(0.5));
            now += shot.seconds;
        }
    }
    CHECK(film.seconds() == doctest::Approx(now));
    CHECK(film.at(-1).step == 0);
    CHECK(film.at(film.seconds() + 1).share == 1);
}

} // namespace

TEST_CASE("every shipped model has a film of all its steps, a new thing told before it comes again") {
    const auto session = test::a_session("I am fine");
    const std::vector<std::filesystem::path> folders = session->shipped_models();
    for (const std::filesystem::path& folder : folders) {
        REQUIRE(session->execute("model " + folder.filename().string()));
        check_whole(session->model());
        const std::set<SceneKind> kinds = kinds_of(session->model().film);
        const ModelMap& map = session->model().map();
        CHECK(kinds.contains(SceneKind::words));
        CHECK(kinds.contains(SceneKind::said) == (map.output.chosen != nullptr));
        CHECK(kinds.contains(SceneKind::crossed) == (map.source() && map.target()));
        const bool attends = !map.attentions.empty();
        for (const SceneKind kind :
             {SceneKind::vectors, SceneKind::scores, SceneKind::shares, SceneKind::mixed})
            CHECK(kinds.contains(kind) == attends);
    }
}

TEST_CASE("every architecture has a film") {
    for (const test::ForeignModel& foreign : test::foreign_models())
        check_whole(*test::foreign_loaded(foreign));
}

TEST_CASE("playing goes through the story in its time, and at the end everything is shown again") {
    const auto session = test::a_session("I am fine");
    test::run(*session, {"film play", "expect film network", "film scene next", "expect film words"});
    const Film& film = session->model().film;
    CHECK(session->view().playing);
    CHECK(session->view().film.on);
    Index last = 0;
    for (int i = 0; i < 3000 && session->view().playing; ++i) {
        session->advance(0.02);
        if (session->view().film.on) CHECK(session->view().step >= last);
        if (session->view().film.on)
            CHECK(film.at(session->view().film.seconds).step == session->view().step);
        last = session->view().step;
    }
    CHECK_FALSE(session->view().film.on);
    CHECK(session->step().node == session->model().map().output.chosen);
}

TEST_CASE("a film is stopped, moved through and left; a step that somebody takes is its place") {
    const auto session = test::a_session("I am fine");
    const auto place = [&] { return session->view().film; };
    test::run(*session, {"play", "pause"});
    CHECK(place().on);
    CHECK_FALSE(session->view().playing);
    test::run(*session, {"film time 9.5"});
    CHECK(place().seconds == 9.5);
    const Film& film = session->model().film;
    const Index there = film.at(9.5).step;
    CHECK(session->view().step == there);
    test::run(*session, {"step +1"});
    session->advance(0.01);
    CHECK(session->view().step == there + 1);
    CHECK(film.at(place().seconds).step == there + 1);
    CHECK(film.at(place().seconds).share == doctest::Approx(1));
    test::run(*session, {"film scene 3", "film scene next"});
    CHECK(place().seconds == film.scenes()[3].begin);
    test::run(*session, {"film scene previous"});
    CHECK(place().seconds == film.scenes()[2].begin);
    CHECK_FALSE(session->execute("film scene 0"));
    CHECK_FALSE(session->execute("film scene 99"));
    CHECK_FALSE(session->execute("expect film said"));
    test::run(*session, {"source I am tired"}); // the same moment of another sentence
    CHECK(place().seconds == film.scenes()[2].begin);
    test::run(*session, {"film time 3600"});
    CHECK(place().seconds == film.seconds());
    test::run(*session, {"film off"});
    CHECK_FALSE(place().on);
    CHECK_FALSE(session->execute("expect film words"));
    test::run(*session, {"goto encoder.0.self_attn.weights", "film play"}); // from the step that is looked at
    CHECK(session->view().step == session->model().step_of("encoder.0.self_attn.weights"));
    test::run(*session, {"model copy"});
    CHECK_FALSE(place().on);
}
