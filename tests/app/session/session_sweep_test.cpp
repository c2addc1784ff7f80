#include "app/session/session_sweep.h"
#include "engine/inspect/heads.h"

#include "tests/app/session/changed_session.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace headlight;
using namespace headlight::test;

namespace {

const std::string lazy = "The animal didn't want to cross the street because it was too lazy";

SweepTarget sweep_target(const Session& session) { return session.sweep()->sweep.target(); }

} // namespace

TEST_CASE("patching the last word of the source, in any layer, turns ele into ela") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    run(session, "second " + wide);
    CHECK(session.sentence().output == "O animal não atravessou a rua porque ele estava cansado demais");
    CHECK(session.what_if().second()->output == "O animal não atravessou a rua porque ela era larga demais");
    // The words stand for themselves: the vector of the 11th, "tired", alone is taken from "wide".
    for (const char* where : {"encoder.embed.output", "encoder.0.norm2", "encoder.1.norm2"}) {
        CAPTURE(where);
        run(session, "changes clear");
        run(session, std::string("change patch ") + where + " 10");
        CHECK(session.sentence().output.starts_with("O animal não atravessou a rua porque ela "));
        CHECK(session.what_if().comparison()->before.output.starts_with(
            "O animal não atravessou a rua porque ele "));
    }
}

TEST_CASE("what each head tells one other alone is swept, saved and refused where it cannot be") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    CHECK_FALSE(session.execute("sweep paths decoder.1.cross_attn 0 q")); // no second sentence
    run(session, "second The cat");
    CHECK_FALSE(session.execute("sweep paths decoder.1.cross_attn 0 q")); // of another length
    run(session, "second " + wide);
    CHECK_FALSE(session.execute("sweep paths decoder.1.cross_attn 9 q"));
    CHECK_FALSE(session.execute("sweep paths encoder.0.self_attn 0 q")); // nobody speaks before
    run(session, "sweep paths decoder.1.cross_attn 1 k");
    run(session, "sweep finish");
    REQUIRE(session.sweep());
    const SessionSweep& done = *session.sweep();
    CHECK(done.kind == SweepKind::paths);
    REQUIRE(done.sweep.target().against);
    const Graph& other = *session.what_if().second_graph();
    const auto pass = session.model().build(const_cast<LoadedModel&>(session.model()).files.parameters);
    for (const auto& [row, head] : {std::pair<Index, Index>{0, 0}, {1, 3}}) {
        compute_with_words_of(session.sentence(), session.sentence().source_ids, *pass);
        const PathEffect effect =
            patch_path(*pass, {}, other, {done.sweep.plan().rows[std::size_t(row)], head},
                       {{"decoder.1.cross_attn", 1, PathInput::k}}, done.sweep.target());
        CHECK(done.sweep.baseline(SweepMeasure::logit) == doctest::Approx(effect.original).epsilon(1e-4));
        CHECK(done.sweep.values(SweepMeasure::logit)(0, row, head)
              == doctest::Approx(effect.patched).epsilon(1e-4));
    }
    const std::vector<std::string> lines = session.as_commands();
    CHECK(std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
        return line.starts_with("sweep paths decoder.1.cross_attn 1 k 7 ela");
    }));
}

TEST_CASE("the sweep finds that place: only the last word of the source decides between ele and ela") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    CHECK_FALSE(session.execute("sweep patch"));
    CHECK_FALSE(session.execute("sweep heads 0 zzzz"));
    CHECK_FALSE(session.execute("sweep heads 99 ela"));
    run(session, "second " + wide);
    run(session, "sweep patch"); // watches the first word that differs
    run(session, "sweep finish");
    REQUIRE(session.sweep());
    const Sweep& sweep = session.sweep()->sweep;
    CHECK(session.sweep()->word == "ela");
    CHECK(sweep.target().row == 7);
    CHECK(sweep.baseline() < 0.01);
    CHECK(sweep.done() == sweep.total());
    for (Index r = 0; r < Index(sweep.plan().rows.size()); ++r) {
        const bool in_encoder = sweep.plan().rows[std::size_t(r)].starts_with("encoder");
        for (Index position = 0; in_encoder && position < 12; ++position)
            CHECK((sweep.probabilities()(0, r, position) > (position == 10 ? 0.85 : 0.01))
                  == (position == 10));
    }
    run(session, "change head encoder.0.self_attn 0 silence"); // measured anew, with this change
    REQUIRE(session.sweep());
    CHECK(session.sweep()->word == "ela");
    CHECK(session.sweep()->sweep.baseline()
          == double(session.model().map().output.probabilities->value(0, 7, sweep_target(session).word)));
    run(session, "undo");
    REQUIRE(session.sweep());
    run(session, "source " + wide);
    CHECK(session.sweep() == nullptr); // another sentence has other words
    run(session, "source " + tired);
    run(session, "sweep heads 7 ele");
    REQUIRE(session.sweep());
    CHECK(session.sweep()->word == "ele");
    run(session, "sweep finish");
    CHECK(session.sweep()->sweep.total() == 24);
    run(session, "sweep off");
    CHECK(session.sweep() == nullptr);
}

TEST_CASE("a sweep is told as probability, as log-probability or as log-odds, whichever tells most") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    run(session, "sweep heads 7 ele");
    run(session, "sweep finish");
    const auto shown = [&] { return measure_of(*session.sweep(), session.view().heads.measure); };
    CHECK(shown() == SweepMeasure::probability); // it says "ele", and doubts a little
    run(session, "sweep show log_odds");
    CHECK(shown() == SweepMeasure::log_odds);
    run(session, "sweep show log_probability");
    CHECK(shown() == SweepMeasure::log_probability);
    run(session, "undo");
    CHECK(shown() == SweepMeasure::log_odds);
    run(session, "sweep show telling");
    CHECK(shown() == SweepMeasure::probability);
    run(session, "sweep heads 7 ela");
    run(session, "sweep finish");
    CHECK(shown() == SweepMeasure::log_odds); // of "ela" it hardly thinks at all
    CHECK_FALSE(session.execute("sweep show nonsense"));
    CHECK(telling_measure(0.5) == SweepMeasure::probability);
    CHECK(telling_measure(1e-5) == SweepMeasure::log_odds);
}

TEST_CASE("in the sentence that the window opens with, one head of 24 alone knows who is tired") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    CHECK(session.model().examples.front() == tired);
    CHECK(session.sentence().output == "O animal não atravessou a rua porque ele estava cansado demais");
    // About to say the pronoun, it looks ahead at "was too tired".
    const Tensor& weights = value(session, "decoder.0.cross_attn.weights");
    CHECK(weights(0, 7, 8) + weights(0, 7, 9) + weights(0, 7, 10) > Real(0.85));
    CHECK(weights(0, 7, 10) > weights(0, 7, 9));
    run(session, "change head decoder.0.cross_attn 0 silence");
    CHECK(session.sentence().output == "O animal não atravessou a rua porque ela estava cansada demais");
    run(session, "changes clear");
    run(session, "sweep heads 7 ele");
    run(session, "sweep finish");
    const Sweep& sweep = session.sweep()->sweep;
    for (Index r = 0; r < Index(sweep.plan().rows.size()); ++r)
        for (Index head = 0; head < sweep.plan().columns; ++head) {
            const bool is_the_one = sweep.plan().rows[std::size_t(r)] == "decoder.0.cross_attn" && head == 0;
            CHECK((sweep.probabilities()(0, r, head) < (is_the_one ? 0.02 : 0.7)) == is_the_one);
        }
}

TEST_CASE("without that head another example's street is lazy, and the one that is wide stays wide") {
    const auto opened = a_session(lazy);
    Session& session = *opened;
    const std::vector<std::string>& examples = session.model().examples;
    CHECK(std::find(examples.begin(), examples.end(), lazy) != examples.end());
    CHECK(session.sentence().output == "O animal não quis atravessar a rua porque ele era preguiçoso demais");
    run(session, "change head decoder.0.cross_attn 0 silence");
    CHECK(session.sentence().output == "O animal não quis atravessar a rua porque ela era preguiçosa demais");
    run(session, "source " + wide);
    CHECK(session.sentence().output == "O animal não atravessou a rua porque ela era larga demais");
    CHECK(session.sentence().output == session.what_if().comparison()->before.output);
}

TEST_CASE("without the head that looks at the street's article, it is the animal that is wide") {
    const auto opened = a_session(wide);
    Session& session = *opened;
    // About to say the pronoun, the first head looks at the "a" of "a rua", the second at the "O" of "O
    // animal".
    const Tensor& weights = value(session, "decoder.0.self_attn.weights");
    CHECK(weights(0, 7, 5) > Real(0.7));
    CHECK(weights(1, 7, 1) > Real(0.9));
    run(session, "change head decoder.0.self_attn 0 silence");
    CHECK(session.sentence().output == "O animal não atravessou a rua porque ele era largo demais");
}

TEST_CASE("asked for no word, a sweep of heads watches the one that depends most on a single head") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    run(session, "sweep heads");
    run(session, "sweep finish");
    CHECK(session.sweep()->word == "a");
    CHECK(sweep_target(session).row == 4);
    CHECK(session.sweep()->sweep.plan().rows[2] == "decoder.0.self_attn");
    CHECK(session.sweep()->sweep.probabilities()(0, 2, 3) < Real(0.01));
    run(session, "change head decoder.0.self_attn 3 silence"); // and keeps to it
    CHECK(session.sweep()->word == "a");
    CHECK(session.sweep()->sweep.baseline() < 0.01);
    run(session, "select output.probabilities 0 2 5");
    run(session, "sweep heads"); // but of a held probability it is that one
    run(session, "sweep finish");
    CHECK(sweep_target(session).row == 2);
}

TEST_CASE("a sweep that the command has not finished goes on between frames") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    run(session, "sweep heads");
    for (int frame = 0; session.is_lively() && frame < 10000; ++frame) CHECK(session.advance(0.02));
    CHECK(session.sweep()->sweep.done() == 24);
    CHECK_FALSE(session.advance(0.02));
}

TEST_CASE("only that head brings the last word to the pronoun: silent, all is ela; looking everywhere, ele") {
    const std::string street = "O animal não atravessou a rua porque ";
    for (const std::string& sentence : {tired, wide}) {
        CAPTURE(sentence);
        const auto opened = a_session();
        Session& session = *opened;
        run(session, "change head decoder.0.cross_attn 0 silence");
        CHECK(session.sentence().output.starts_with(street + "ela "));
        run(session, "change head decoder.0.cross_attn 0 uniform");
        CHECK(session.sentence().output.starts_with(street + "ele "));
    }
}

TEST_CASE("silencing words in turn finds what each change alone does, for classes and for next words") {
    for (const auto& [model, sentence] :
         {std::pair("sentiment", "the film was good"), std::pair("next-word", "the clouds are in the")}) {
        CAPTURE(model);
        const auto opened = a_session();
        Session& session = *opened;
        run(session, std::string("model ") + model);
        run(session, std::string("source ") + sentence);
        run(session, "sweep words");
        run(session, "sweep finish");
        REQUIRE(session.sweep());
        CHECK(session.sweep()->kind == SweepKind::words);
        const Sweep& sweep = session.sweep()->sweep;
        const Index words = words_to_silence(session.model(), session.sentence());
        REQUIRE(sweep.plan().columns == words);
        const SweepTarget target = sweep.target();
        const std::vector<Real> found(sweep.probabilities().numbers.begin(),
                                      sweep.probabilities().numbers.end());
        const std::string watched_word = session.sweep()->word;
        // As it is done in the terminal.
        const Stream& typed = *typed_stream(session.model().map());
        std::vector<TokenId> fed =
            typed.is_written ? session.sentence().target_ids : session.sentence().source_ids;
        const std::vector<double> naive =
            watch_silenced_words(const_cast<LoadedModel&>(session.model()).pass(LoadedModel::Pass::padded),
                                 fed, session.model().files.source.vocabulary().specials().pad, target);
        double moved = 0;
        for (Index i = 0; i < words; ++i) {
            CHECK(double(found[std::size_t(i)])
                  == doctest::Approx(naive[typed.before.size() + std::size_t(i)]).epsilon(1e-4));
            moved = std::max(moved, std::abs(double(found[std::size_t(i)]) - sweep.baseline()));
        }
        CHECK(moved > 0.01);
        // As a change every number can be followed.
        const std::string change = *silenced_word_change(session.model(), words - 1);
        run(session, "sweep off");
        run(session, "change " + change);
        const Node* said = session.model().map().output.probabilities;
        if (!typed.is_written) // else the words that follow are others now
            CHECK(double(said->value(0, target.row, target.word))
                  == doctest::Approx(double(found[std::size_t(words - 1)])).epsilon(1e-4));
    }
}
