// The life of a word: every number of it is one of the model's, on every model that there is.
#include "app/session/word_life.h"

#include "app/session/session.h"
#include "tests/app/session/changed_session.h"
#include "tests/app/session/foreign_session.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

using namespace headlight;

namespace {

double length(const Tensor& value, Index row) {
    double squares = 0;
    for (const Real x : std::span(value.row(0, row), std::size_t(value.columns())))
        squares += double(x) * double(x);
    return std::sqrt(squares);
}

void check_look(const HeadLook& look, const Tensor& weights, Index row) {
    double sum = 0;
    for (Index key = 0; key < weights.columns(); ++key) {
        const double share = double(weights(look.head, row, key));
        sum += share;
        CHECK(share <= look.share);
        if (key != look.first) CHECK(share <= look.second_share);
    }
    CHECK(look.share == double(weights(look.head, row, look.first)));
    if (look.second >= 0) CHECK(look.second_share == double(weights(look.head, row, look.second)));
    CHECK(sum >= look.share + look.second_share - 1e-5);
}

// Of every word of every stream.
std::size_t check_lives(const LoadedModel& model) {
    CAPTURE(model.name);
    const ModelMap& map = model.map();
    std::size_t heads = 0;
    for (const Stream& stream : map.streams)
        for (Index row = 0; row < stream.tokens->value.rows(); ++row) {
            const std::vector<LifeStop> life = life_of(map, {stream.name, row}, nullptr);
            Index layer = 0;
            for (const LifeStop& stop : life) {
                if (stop.layer >= 0) {
                    CHECK(stop.layer >= layer);
                    layer = stop.layer;
                }
                if (stop.kind == LifeKind::looks)
                    for (const HeadLook& look : stop.heads) check_look(look, stop.node->value, row), ++heads;
                if (stop.kind == LifeKind::is_read)
                    for (const HeadLook& look : stop.heads)
                        CHECK(look.share == double(stop.node->value(look.head, look.first, row)));
                if (stop.kind == LifeKind::attention || stop.kind == LifeKind::ffn) {
                    CHECK(stop.length == doctest::Approx(length(stop.node->input(0).value, row)));
                    CHECK(stop.moved == doctest::Approx(length(stop.node->input(1).value, row)));
                }
                if (stop.kind == LifeKind::says)
                    CHECK(stop.probability == double(map.output.probabilities->value(0, row, stop.word)));
            }
            CHECK(life_of(map, {stream.name, stream.tokens->value.rows()}, nullptr).empty());
        }
    CHECK(life_of(map, {"nobody", 0}, nullptr).empty());
    return heads;
}

} // namespace

TEST_CASE("the lives of all words of every shipped model") {
    const auto session = test::a_session("I am fine");
    const std::vector<std::filesystem::path> folders = session->shipped_models();
    for (const std::filesystem::path& folder : folders) {
        REQUIRE(session->execute("model " + folder.filename().string()));
        const bool attends = !session->model().map().attentions.empty();
        CHECK((check_lives(session->model()) > 0) == attends);
    }
}

TEST_CASE("the lives of all words of every architecture") {
    for (const test::ForeignModel& foreign : test::foreign_models())
        check_lives(*test::foreign_loaded(foreign));
}

TEST_CASE("a word is held, saved, and let go; one that is not there is refused") {
    const auto session = test::a_session("I am fine");
    test::run(*session,
              {"follow encoder 1", "expect follow encoder 1", "follow decoder 0", "expect follow decoder 0"});
    CHECK_FALSE(session->execute("follow encoder 99"));
    CHECK_FALSE(session->execute("follow nobody 0"));
    CHECK_FALSE(session->execute("expect follow encoder 1"));
    test::run(*session, {"follow off"});
    CHECK_FALSE(session->execute("expect follow decoder 0"));
    test::run(*session, {"follow encoder 3", "source I"}); // it is no word any more
    CHECK_FALSE(held_word(*session));
    test::run(*session, {"source I am very tired", "expect follow encoder 3"});
}

TEST_CASE("what is lost without a head is found by itself, for what depends on the word that is held") {
    const auto session = test::a_session("I am fine");
    test::run(*session, {"room explore", "follow decoder 1"});
    for (int i = 0; i < 500 && (!session->sweep() || !session->sweep()->is_over()); ++i)
        session->advance(0.02);
    REQUIRE(session->sweep());
    CHECK(session->sweep()->is_over());
    CHECK(session->sweep()->sweep.target().row == 1);
    // It has not become another sentence by that.
    CHECK(session->what_if().comparison() == nullptr);
    const std::optional<SweepTarget> read = what_depends_on(session->model().map(), {"encoder", 2});
    REQUIRE(read);
    double most = 0;
    for (const Attention& attention : session->model().map().attentions) {
        if (attention.is_self()) continue;
        for (Index head = 0; head < attention.heads; ++head)
            for (Index row = 0; row < attention.weights->value.rows(); ++row)
                most = std::max(most, double(attention.weights->value(head, row, 2)));
    }
    bool is_found = false;
    for (const Attention& attention : session->model().map().attentions)
        for (Index head = 0; !attention.is_self() && head < attention.heads; ++head)
            is_found = is_found || double(attention.weights->value(head, read->row, 2)) == most;
    CHECK(is_found);
}
