// A session, a lesson's card, a link: what it leads to does not depend on what was open before.
#include "app/session/session.h"
#include "app/session/training/training_view.h"
#include "engine/io/file.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

using namespace headlight;

namespace {

const std::filesystem::path assets = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets";

std::unique_ptr<Session> a_window() {
    Result<Strings> strings = Strings::load(assets);
    REQUIRE(strings);
    return std::make_unique<Session>(assets, *std::move(strings));
}

std::string lines_of(const Session& session) {
    std::string all;
    for (const std::string& line : session.as_commands()) all += line + "\n";
    return all;
}

// What a window may be full of. Commands that do not fit where they stand change nothing.
const std::vector<std::vector<const char*>> messes = {
    {"model translate-en-pt", "source I am fine", "second I am a student", "change remove positions",
     "smoothing 0.2", "room heads", "heads decoder.0.cross_attn 1", "heads page pair", "range locked",
     "closeup positions", "speed 3", "play"},
    {"model translate-pt-en", "say beam", "say width 3", "say beams", "room say", "say pass 1", "say play"},
    {"model copy", "backward on", "room train", "desk backward", "curve rate", "curve log on", "curve smoothing 0.5",
     "goal 2", "goto encoder.0.self_attn.weights", "closeup workings", "workings play"},
    {"model translate-en-pt", "room descent", "descent kind layer", "descent step 5", "descent play", "descent add other",
     "room cabinet", "cabinet turn 0.5", "cabinet train on", "room lesson", "lesson projections on", "room places",
     "places front comer", "room norms", "room costs", "costs paper", "costs show bytes", "profile on",
     "room memory", "race task recall", "race cells gru", "room whatif", "baseline on",
     "select encoder.0.self_attn.weights 0 1 1", "direction touches", "closeup word", "word play"},
};

std::vector<std::string> files() {
    std::vector<std::string> texts;
    for (const std::string& name : classroom_examples(assets)) {
        const Result<std::string> text = read_file((assets / "classroom" / (name + ".txt")).string(), 1 << 20);
        REQUIRE(text);
        texts.push_back(*text);
    }
    // What says little is as much a session as what says all.
    texts.emplace_back("model copy\nroom say\nsay beams\n");
    texts.emplace_back("model translate-en-pt\nsource I am fine\n");
    return texts;
}

struct Seen {
    std::string lines, step;
    GenerationView generation;
    HeadsView heads;
    CloseUp close_up;
    bool is_moving, gradients, baseline, log_curve, locked, second_kind;
    TrainingPage training_pages;
    Curve curve;
    Index row, head;

    explicit Seen(const Session& session)
        : lines(lines_of(session)),
          step(session.has_model() ? session.step().path() : ""),
          generation(session.view().generation),
          heads(session.view().heads),
          close_up(session.view().close_ups.open),
          is_moving(session.is_moving()),
          gradients(session.view().backward.on),
          baseline(session.view().against_baseline),
          log_curve(session.view().training_pages.logarithmic),
          locked(session.view().colour_range.locked),
          second_kind(session.view().descent.adds_second),
          training_pages(session.view().training_pages.page(false)),
          curve(session.view().training_pages.curve),
          row(session.view().training_pages.row),
          head(session.view().head) {}
    bool operator==(const Seen&) const = default;
};

} // namespace

TEST_CASE("a session leads to the same window, whatever was open in it before") {
    const std::vector<std::string> texts = files();
    const std::unique_ptr<Session> full = a_window();
    for (std::size_t i = 0; i < texts.size(); ++i) {
        CAPTURE(texts[i]);
        const std::unique_ptr<Session> fresh = a_window();
        REQUIRE(fresh->replay(texts[i], "a session"));
        for (const char* line : messes[i % messes.size()]) (void)full->execute(line);
        const Result<Done> done = full->replay(texts[i], "a session");
        REQUIRE(done);
        const Seen expected(*fresh), seen(*full);
        CHECK(seen.lines == expected.lines);
        CHECK(seen.step == expected.step);
        CHECK(seen == expected);
        if (i % 4 == 0) full->advance(0.1);
    }
}

TEST_CASE("what was set up for the window stays when a session is opened") {
    const std::unique_ptr<Session> window = a_window();
    for (const char* line : {"theme light", "presenter on", "animation off", "speed 2", "race steps 500"})
        REQUIRE_MESSAGE(window->execute(line), line);
    REQUIRE(window->replay("model copy\nroom explore\n", "a session"));
    const View& view = window->view();
    CHECK(view.theme == ThemeName::light);
    CHECK(view.presenter);
    CHECK_FALSE(view.animations);
    CHECK(view.steps_per_second == 2);
    CHECK(view.memory.plan.steps == 500);
}

TEST_CASE("a session that goes wrong leaves a window as it was, though much was open in it") {
    const std::unique_ptr<Session> window = a_window();
    for (const std::vector<const char*>& mess : messes) {
        for (const char* line : mess) (void)window->execute(line);
        const Seen before(*window);
        CHECK_FALSE(window->replay("model translate-en-pt\nroom heads\nno such command\n", "a session"));
        CHECK(Seen(*window) == before);
    }
}

namespace {

// Where the program was started.
class WorkingFolder {
public:
    explicit WorkingFolder(const std::filesystem::path& folder) : before_(std::filesystem::current_path()) {
        std::filesystem::current_path(folder);
    }
    ~WorkingFolder() { std::filesystem::current_path(before_); }

private:
    std::filesystem::path before_;
};

} // namespace

TEST_CASE("a session means the same models wherever the program was started") {
    const TemporaryFolder own;
    std::filesystem::copy(assets / "models" / "copy", own / "mine");
    std::filesystem::copy(assets / "models" / "copy", own / "reverse");
    own.write("sentiment", "a file that is called like a model");
    const std::unique_ptr<Session> window = a_window();
    {
        const WorkingFolder here(own / "");
        REQUIRE(window->execute("model mine"));
        REQUIRE(window->execute("save " + (own / "mine.headlight").string()));
        REQUIRE(window->execute("model ./reverse"));
        CHECK(window->model().config().d_model == (*load_model(own / "mine"))->config().d_model);
        REQUIRE(window->execute("save " + (own / "reverse.headlight").string()));
        REQUIRE(window->execute("model sentiment")); // the shipped one
        REQUIRE(window->execute("model reverse"));
        CHECK(std::filesystem::equivalent(window->model().folder, assets / "models" / "reverse"));
    }
    REQUIRE(window->execute("open " + (own / "mine.headlight").string()));
    CHECK(std::filesystem::equivalent(window->model().folder, own / "mine"));
    REQUIRE(window->execute("open " + (own / "reverse.headlight").string()));
    CHECK(std::filesystem::equivalent(window->model().folder, own / "reverse"));
}

TEST_CASE("a sentence as long as one likes is saved, and opens again") {
    const TemporaryFolder own;
    const std::unique_ptr<Session> window = a_window();
    REQUIRE(window->execute("model copy"));
    REQUIRE(window->execute("source " + std::string(1 << 20, 'a')));
    REQUIRE(window->execute("save " + (own / "long.headlight").string()));
    REQUIRE(window->execute("source b"));
    REQUIRE(window->execute("open " + (own / "long.headlight").string()));
    CHECK(window->question().source.size() == 1 << 20);
}
