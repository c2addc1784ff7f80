// What a session knows and does, it knows and does of any model: nothing in it is written for one of these.
#include "tests/app/session/foreign_session.h"

#include "app/session/padded_batch.h"
#include "app/session/session_sweep.h"
#include "app/session/step_text.h"
#include "app/session/value_names.h"
#include "engine/inspect/explanation_text.h"
#include "tests/app/session/changed_session.h"
#include "tests/support/explanation_check.h"
#include "tests/support/soak.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cmath>

using namespace headlight;
using namespace headlight::test;

namespace {

std::unique_ptr<Session> empty_session() {
    const std::filesystem::path assets = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets";
    Result<Strings> strings = Strings::load(assets);
    REQUIRE(strings);
    return std::make_unique<Session>(assets, *std::move(strings));
}

std::unique_ptr<Session> opened(const ForeignModel& foreign) {
    std::unique_ptr<Session> session = empty_session();
    session->open(foreign_loaded(foreign));
    run(*session, "source the cat saw a bird");
    return session;
}

const ModelMap& map_of(const Session& session) { return session.model().map(); }

// The sentence of an error says something: it has its text, and every place in it is filled.
void check_helpful(const Session& session, const std::string& line, const Error& error) {
    const std::string text = session.strings().text(error);
    CAPTURE(line);
    CAPTURE(text);
    CHECK(text.size() > 10);
    CHECK_FALSE(text.starts_with("[")); // as a text that is missing
    CHECK(text.find('{') == text.npos);
    CHECK(text.find("-1") == text.npos);
    CHECK(text.find("“”") == text.npos);
}

// Done, or refused with a sentence that helps.
bool done_or_told(Session& session, const std::string& line) {
    const Result<Done> done = session.execute(line);
    if (!done) check_helpful(session, line, done.error());
    return bool(done);
}

void refused(Session& session, const std::string& line, const char* key) {
    CAPTURE(line);
    const Result<Done> done = session.execute(line);
    REQUIRE_FALSE(done);
    CHECK(done.error().key == key);
    check_helpful(session, line, done.error());
}

// None of these models is a translation, and most have neither an encoder nor a decoder.
void check_words(const std::string& text, const ModelMap& map) {
    std::string lower;
    for (const char c : text) lower += char(std::tolower(static_cast<unsigned char>(c)));
    CAPTURE(text);
    CHECK_FALSE(text.empty());
    CHECK(text.find('[') == text.npos);
    for (const char* word : {"translation", "tradução"}) CHECK(lower.find(word) == lower.npos);
    if (map.stream("encoder") || map.stream("decoder")) return;
    for (const char* word : {"encoder", "decoder", "codificador"}) CHECK(lower.find(word) == lower.npos);
}

std::string cell(const Node& node, bool last) {
    const Shape& shape = node.shape();
    const auto at = [&](Index size) { return " " + std::to_string(last ? size - 1 : 0); };
    return node.path + at(shape.batch) + at(shape.rows) + at(shape.columns);
}

// Every way to write a change, of every value and attention.
std::vector<std::string> all_changes(const Session& session) {
    std::vector<std::string> changes;
    const auto add = [&](const std::string& change) { changes.push_back(change); };
    for (const Attention& attention : map_of(session).attentions)
        for (const std::string& head :
             {std::string("0"), std::to_string(attention.heads - 1), std::string("all")})
            for (const char* how :
                 {"silence", "uniform", "identity", "previous", "next", "scale 0.5", "other"})
                add("head " + attention.path + " " + head + " " + how);
    for (const char* what : {"scaling", "positions", "residual", "norm", "ffn", "attention", "layer"})
        add(std::string("remove ") + what + " all");
    for (const Node& node : session.model().graph().nodes()) {
        if (!node.named) continue;
        add("cell " + cell(node, true) + " 0");
        add("cell " + cell(node, false) + " 4");
        if (node.is(ValueKind::parameter))
            for (const char* how : {"zero", "identity", "random 3"}) add("weight " + node.path + " " + how);
        else
            for (const char* how : {"scale", "row", "patch"})
                add(std::string(how) + " " + node.path
                    + (how == std::string("scale") ? " 0"
                       : how == std::string("row") ? " 0 " + std::to_string(node.shape().rows - 1)
                                                   : " all"));
        if (node.is(ValueKind::mask))
            for (const char* how : {"1 0 forbid", "0 1 allow", "all 0 forbid"})
                add("mask " + node.path + " " + how);
    }
    return changes;
}

} // namespace

TEST_CASE("a model at hand is opened in a session and walked through, every step told and explained") {
    for (const ForeignModel& foreign : foreign_models()) {
        CAPTURE(foreign.name);
        const auto session = opened(foreign);
        CHECK(session->model().name == foreign.name);
        CHECK(unexplained_cell(session->model().graph()) == "");
        const std::vector<StoryStep>& story = session->model().story;
        for (std::size_t i = 0; i < story.size(); ++i) {
            CAPTURE(story[i].path());
            CHECK(session->view().step == Index(i));
            for (const char* language : {"language pt", "language en"}) {
                run(*session, language);
                check_words(step_title(*session, story[i]), map_of(*session));
                check_words(step_text(*session, story[i]), map_of(*session));
                check_words(value_name(*session, *story[i].node), map_of(*session));
            }
            for (const bool last : {false, true}) {
                run(*session, "select " + cell(*story[i].node, last));
                const Cell& held = session->view().asking.held->cell;
                CHECK_FALSE(
                    explanation_text(session->model().graph(), *story[i].node, held, {}).lines.empty());
            }
            run(*session, "step");
        }
        run(*session, "step first");
        for (const StoryStep& step : story) {
            run(*session, "goto " + step.path());
            for (const char* line :
                 {"workings next", "workings row next", "region row", "region all", "copy tsv", "copy latex",
                  "copy numpy", "copy markdown", "unselect", "layer next"})
                (void)done_or_told(*session, line);
        }
        CHECK(session->strings().missing().empty());
    }
}

TEST_CASE("what a model says is told as what it is") {
    const auto said = [](const char* name) {
        const auto& all = foreign_models();
        return opened(
            *std::find_if(all.begin(), all.end(), [&](const ForeignModel& f) { return f.name == name; }));
    };
    const auto classes = said("encoder only, with classes");
    CHECK(classes->sentence().source_ids.size() == 6);
    CHECK(classes->sentence().chosen_ids.size() == 6);
    for (const std::string& label : classes->sentence().chosen_labels) CHECK(label.size() == 1);
    CHECK(classes->sentence().output.size() == 2 * 6 - 1);
    const auto goes_on = said("decoder only");
    CHECK(goes_on->sentence().target_labels
          == std::vector<std::string>{"<s>", "the", "cat", "saw", "a", "bird"});
    CHECK(goes_on->sentence().output == goes_on->sentence().chosen_labels.back());
    CHECK(goes_on->sentence().known.size() == 6);
    run(*goes_on, "source the dog saw");
    CHECK(goes_on->sentence().known == std::vector<bool>{true, true, false, true});
    refused(*goes_on, "target o gato", "error.no_target");
    const auto three = said("three streams");
    run(*three, "target o gato viu");
    CHECK(three->sentence().output == "o gato viu");
    CHECK(labels_of(three->sentence(), map_of(*three), *map_of(*three).streams[1].tokens)
          == three->sentence().source_labels);
    const auto number = said("a linear neuron");
    CHECK(number->sentence().chosen_labels.size() == 4);
    CHECK(number->sentence().output.find(number->sentence().chosen_labels[3]) != std::string::npos);
    refused(*number, "second the cat", "error.reads_no_words");
}

TEST_CASE(
    "where there is a loss there is a way back from it, smoothed or not; else a word why there is none") {
    for (const ForeignModel& foreign : foreign_models()) {
        CAPTURE(foreign.name);
        const auto session = opened(foreign);
        const Node* loss = map_of(*session).output.loss;
        if (!loss) {
            for (const char* line : {"backward on", "backward step 1", "backward goto y", "smoothing 0.1"})
                refused(*session, line, "error.no_loss");
            continue;
        }
        for (const char* smoothing : {"smoothing 0.1", "smoothing 0"}) {
            run(*session, smoothing);
            const StoryStep& step = session->model().story[std::size_t(session->model().step_of(loss->path))];
            const bool smoothed = session->question().label_smoothing > 0;
            CHECK((step.formula.find("\\epsilon") != std::string::npos) == smoothed);
            const BackwardStep& first = session->model().backward_story[1];
            CHECK((first.formula.find("\\epsilon") != std::string::npos) == smoothed);
            CHECK(unexplained_cell(*loss) == "");
            run(*session, "backward step first");
            if (smoothed) CHECK(unexplained_gradient(session->model().graph()) == "");
            for (const BackwardStep& back : session->model().backward_story) {
                run(*session, "backward goto " + back.path());
                CHECK(session->shows_gradient(*back.node));
                check_words(gradient_title(*session, back), map_of(*session));
                check_words(gradient_text(*session, back), map_of(*session));
            }
            run(*session, "undo");
            run(*session, smoothing);
        }
        CHECK(session->strings().missing().empty());
    }
}

TEST_CASE("heads are looked at, words followed and batches padded, where there are any") {
    for (const ForeignModel& foreign : foreign_models()) {
        CAPTURE(foreign.name);
        const auto session = opened(foreign);
        const ModelMap& map = map_of(*session);
        for (const char* page : {"grid", "pair", "masks", "batch", "sweep"})
            run(*session, "heads " + std::string(page));
        run(*session, "heads batch");
        CHECK((session->experiment().padded_batch() != nullptr) == pads(map));
        if (pads(map)) {
            const PaddedBatch& batch = session->padded_batch();
            for (const PaddedSample& sample : batch.samples) {
                CHECK(sample.masked.largest < 1e-4);
                for (const double p : sample.probability_unmasked) CHECK(std::isfinite(p));
            }
            for (const std::string& path : attentions_with_padding(map))
                for (Index n = 0; n < Index(batch.samples.size()); ++n)
                    CHECK(batch.on_padding(*batch.masked, path, n, batch.heads_of(path) - 1) == 0);
        }
        for (const Attention& attention : map.attentions) {
            run(*session, "heads open " + attention.path + " " + std::to_string(attention.heads - 1));
            run(*session, "heads open " + attention.path + " rollout");
        }
        if (map.attentions.empty()) {
            refused(*session, "heads open nowhere 0", "error.no_attention");
            refused(*session, "head 0", "error.none_to_choose");
            refused(*session, "word next", "error.no_attention");
            refused(*session, "change head nowhere 0 silence", "error.no_attention");
            refused(*session, "sweep heads", "error.no_attention");
        } else {
            run(*session, "head 0");
            run(*session, "closeup word");
            const bool multiplies = map.attentions.front().scaled != nullptr; // else it adds: Bahdanau 2014
            for (const char* line : {"word next", "word step 6", "word matrices"})
                multiplies ? run(*session, line) : refused(*session, line, "error.other_attention");
        }
        for (const Stream& stream : map.streams) {
            run(*session, "heads follow " + stream.name + " 0 1");
            CHECK(session->view().heads.followed->stream == stream.name);
        }
        refused(*session, "heads follow nowhere 0 1",
                map.streams.empty() ? "error.reads_no_words" : "error.no_such_stream");
        CHECK(session->strings().missing().empty());
    }
}

TEST_CASE("sweeps try every head and every position, and tell it of what is said") {
    for (const ForeignModel& foreign : foreign_models()) {
        CAPTURE(foreign.name);
        const auto session = opened(foreign);
        const ModelMap& map = map_of(*session);
        if (!map.streams.empty()) run(*session, "second a cat saw the bird");
        for (const char* kind : {"heads", "patch"}) {
            CAPTURE(kind);
            const bool is_possible =
                kind == std::string("heads") ? !map.attentions.empty() : !map.streams.empty();
            if (!is_possible) {
                CHECK_FALSE(done_or_told(*session, std::string("sweep ") + kind));
                continue;
            }
            run(*session, std::string("sweep ") + kind);
            run(*session, "sweep finish");
            REQUIRE(session->sweep());
            const SessionSweep& sweep = *session->sweep();
            CHECK(sweep.is_over());
            CHECK(sweep.word == said_label(session->model().files, map, sweep.sweep.target().word));
            run(*session, sweep_command(sweep, sweep.sweep.target(), session->model()));
            CHECK_FALSE(done_or_told(*session, std::string("sweep ") + kind + " 0 zzzz"));
            CHECK_FALSE(done_or_told(*session, std::string("sweep ") + kind + " 99 1"));
        }
        CHECK(session->strings().missing().empty());
    }
}

TEST_CASE("every kind of change is made and taken back, to the last bit") {
    for (const ForeignModel& foreign : foreign_models()) {
        CAPTURE(foreign.name);
        const auto session = opened(foreign);
        if (!map_of(*session).streams.empty()) run(*session, "second a cat saw");
        const std::vector<std::uint32_t> before = bits(*session);
        std::size_t made = 0;
        const std::size_t every = test::soaks() ? 1 : 3; // of the changes, one of so many
        const std::vector<std::string> changes = all_changes(*session);
        for (std::size_t i = 0; i < changes.size(); i += every) {
            const std::string& change = changes[i];
            CAPTURE(change);
            if (!done_or_told(*session, "change " + change)) continue;
            ++made;
            CHECK(session->what_if().comparison() != nullptr);
            run(*session, "undo");
            CHECK(session->question().changes.empty());
            CHECK(bits(*session) == before);
        }
        CHECK(every * made > session->model().graph().nodes().size() / 2);
        CHECK(session->strings().missing().empty());
    }
}

namespace {

std::string second_head(const Attention& attention) { return attention.heads > 1 ? "1" : "0"; }

} // namespace

TEST_CASE("a session of a model at hand is saved as commands and replayed on it") {
    const TemporaryFolder folder;
    const std::string file = (folder / "session.txt").string();
    for (const ForeignModel& foreign : foreign_models()) {
        CAPTURE(foreign.name);
        const auto session = opened(foreign);
        const ModelMap& map = map_of(*session);
        if (map.output.loss) run(*session, "smoothing 0.2");
        if (!map.streams.empty()) {
            run(*session, "second a cat saw");
            run(*session, "heads follow " + map.streams.back().name + " 1 2");
        }
        run(*session, "change cell " + cell(*map.output.values, true) + " 0.25");
        if (!map.attentions.empty()) {
            run(*session, "change head " + map.attentions.back().path + " "
                              + second_head(map.attentions.back()) + " silence");
            run(*session,
                "heads open " + map.attentions.front().path + " " + second_head(map.attentions.front()));
            run(*session, "sweep heads");
            run(*session, "sweep finish");
        }
        run(*session, "step last");
        run(*session, "select " + cell(*map.output.values, false));
        run(*session, "save " + file);

        const auto again = empty_session();
        again->open(foreign_loaded(foreign));
        run(*again, "open " + file);
        run(*again, "sweep finish");
        CHECK(again->as_commands() == session->as_commands());
        CHECK(bits(*again) == bits(*session));

        // A file that goes wrong leaves the model and what was asked of it, which no folder could bring back.
        const Question before = again->question();
        const std::shared_ptr<const LoadedModel> model = again->shared_model();
        CHECK_FALSE(again->replay("model copy\nsource 1 2 3\nno such command", "a file"));
        CHECK(again->shared_model() == model);
        CHECK(again->question() == before);
    }
}

TEST_CASE("a session goes from a shipped model to one at hand and on") {
    const auto session = a_session();
    session->open(foreign_loaded(foreign_models()[2]));
    CHECK_FALSE(session->can_undo());
    CHECK(session->question().source == "the cat saw"); // of the old sentence it knows too little
    for (const ForeignModel& foreign : foreign_models()) {
        session->open(foreign_loaded(foreign));
        run(*session, "step last");
    }
    run(*session, "model copy");
    CHECK(session->sentence().output == session->question().source);
}
