#include "app/session/session_sweep.h"

#include "tests/app/session/changed_session.h"

#include <doctest/doctest.h>

#include <string>

using namespace headlight;
using namespace headlight::test;

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
            CHECK((sweep.probabilities()(0, r, position) > 0.9) == (position == 10));
    }
    run(session, "change head encoder.0.self_attn 0 silence");
    CHECK(session.sweep() == nullptr); // of the values before
    run(session, "sweep heads 7 ele");
    REQUIRE(session.sweep());
    CHECK(session.sweep()->word == "ele");
    run(session, "sweep finish");
    CHECK(session.sweep()->sweep.total() == 24);
    run(session, "sweep off");
    CHECK(session.sweep() == nullptr);
}

TEST_CASE("a sweep that the command has not finished goes on between frames") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    run(session, "sweep heads");
    for (int frame = 0; session.is_lively() && frame < 10000; ++frame) CHECK(session.advance(0.02));
    CHECK(session.sweep()->sweep.done() == 24);
    CHECK_FALSE(session.advance(0.02));
}

TEST_CASE(
    "one head finds what it means: made to look elsewhere, or silent with its helper, ele becomes ela") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    const std::string wrong = "O animal não atravessou a rua porque ela estava cansada demais";
    run(session, "change head decoder.0.cross_attn 3 previous");
    CHECK(session.sentence().output == wrong);
    run(session, "change head decoder.0.cross_attn 3 silence"); // alone, the others make up for it
    CHECK(session.sentence().output == session.what_if().comparison()->before.output);
    run(session, "change head decoder.0.cross_attn 1 silence");
    CHECK(session.sentence().output == wrong);
    run(session, "source " + wide); // whose street needs no such help
    CHECK(session.sentence().output == session.what_if().comparison()->before.output);
}
