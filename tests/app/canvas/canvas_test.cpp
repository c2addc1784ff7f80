#include "app/canvas/canvas.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

namespace headlight {

namespace {

constexpr ViewSize view{1280, 800};
constexpr double row = 12;

// A session whose canvas was seen once, with a model.
struct SeenCanvas {
    Session session;
    Canvas canvas;

    SeenCanvas()
        : session(std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets",
                  *Strings::load(std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets")),
          canvas(session) {
        run("animation off");
        run("model translate-en-pt");
        canvas.update(view, 0, row);
    }

    void run(const char* line) {
        CAPTURE(line);
        CHECK(session.execute(line));
    }

    bool shows_the_present_model() const {
        const Graph& graph = session.model().graph();
        return std::all_of(canvas.layout().cards.begin(), canvas.layout().cards.end(),
                           [&](const Card& card) { return graph.find(card.node->path) == card.node; });
    }
    bool has_in_sight(const char* path) const {
        const Card* card = canvas.layout().find(session.model().graph().find(path));
        return card && seen(canvas.camera(), canvas.view()).contains(card->rect);
    }
};

} // namespace

TEST_CASE("another model takes the place of the one that was laid out") {
    SeenCanvas seen;
    seen.run("frame encoder.1.self_attn.weights");
    seen.run("model copy");
    seen.canvas.update(view, 0.1, row);
    CHECK(seen.shows_the_present_model());
}

TEST_CASE("a canvas that is hidden while the model changes can be told where to look") {
    SeenCanvas seen;
    seen.run("room heads");
    seen.run("model copy");
    CHECK(!seen.session.execute("frame x"));
    CHECK(seen.shows_the_present_model());
    seen.run("frame encoder.0.self_attn.scores");
    CHECK(seen.has_in_sight("encoder.0.self_attn.scores"));
    seen.run("model reverse");
    seen.run("find decoder.0 cross weights");
    CHECK(seen.shows_the_present_model());
    CHECK(seen.has_in_sight("decoder.0.cross_attn.weights"));
}

TEST_CASE("what is laid out stays readable when nothing asks the canvas") {
    SeenCanvas seen;
    seen.run("model copy");
    const std::string& path = seen.canvas.layout().cards.front().node->path; // of the model before
    CHECK(!path.empty());
}

} // namespace headlight
