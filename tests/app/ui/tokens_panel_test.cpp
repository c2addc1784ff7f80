// The close-up of a text's way to its tokens, for every kind of tokenizer.
#include "app/session/cut_text.h"
#include "app/ui/closeup/closeups.h"
#include "app/ui/widgets/text.h"
#include "tests/app/session/cut_session.h"
#include "tests/app/ui/panel_stage.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace headlight;
using namespace headlight::test;

namespace {

PanelStage a_cut_stage(int width, int height, const std::string& model) {
    const bool is_shipped = std::filesystem::exists(HEADLIGHT_SOURCE_DIR "/assets/models/" + model);
    PanelStage stage(is_shipped ? model : "copy", width, height,
                     [](const ScreenRect& rect, Session& session, CommandSink& commands) {
                         closeup_panel(rect, session, {}, commands);
                     });
    if (!is_shipped) stage.session().open(model_cut_by(model));
    return stage;
}

CutFilm film_of(const Session& session) { return present_cut_film(session, present_cut_text(session)); }

const std::vector<std::string> models = {"translate-en-pt", "copy",   "gpt2",       "bert",
                                         "unigram",         "llama2", "pieces_bpe", "pieces_unigram"};

} // namespace

TEST_CASE("no text of the way to the tokens is cut, for any tokenizer, language or size of type") {
    struct Size {
        int width, height;
        bool presenter;
    };
    for (const auto& [width, height, presenter] :
         {Size{893, 585, false}, Size{1148, 785, false}, Size{797, 395, true}})
        for (const std::string& model : models) {
            CAPTURE(model);
            PanelStage stage = a_cut_stage(width, height, model);
            stage.run(presenter ? "presenter on" : "presenter off");
            std::vector<std::string> cut;
            note_cut_texts(&cut);
            for (const char* language : {"en", "pt"}) {
                stage.run(std::string("language ") + language + "\nsource The lower streets: ação\ntokens");
                for (int i = 0; i < 12; ++i) stage.run("tokens next");
                stage.run("source abba\ntokens moment 0\ntokens next\nsource");
            }
            note_cut_texts(nullptr);
            for (const std::string& text : cut) CHECK_MESSAGE(false, width, " cut: ", text);
            CHECK(stage.session().strings().missing().empty());
        }
}

TEST_CASE("the film answers the pointer: on, back, play, another word, the track, a token, close") {
    PanelStage stage = a_cut_stage(893, 900, "gpt2");
    stage.run("source the lower streets\ntokens");
    stage.click("tokens.on");
    CHECK(film_of(stage.session()).moment == 1);
    stage.click("tokens.back");
    CHECK(film_of(stage.session()).moment == 0);
    stage.click("tokens.play");
    CHECK(film_of(stage.session()).playing);
    stage.click("tokens.play");
    CHECK_FALSE(film_of(stage.session()).playing);
    stage.click("cut.word.2");
    CHECK(film_of(stage.session()).word == 2);
    const TextCut text = present_cut_text(stage.session());
    REQUIRE(text.steps(2) > 1);
    stage.click("cut.scrub"); // in its middle
    CHECK(film_of(stage.session()).moment > 0);
    CHECK(film_of(stage.session()).moment < text.steps(2));
    stage.click("tokens.up");
    CHECK(film_of(stage.session()).word == 1);
    stage.click("tokens.piece." + std::to_string(text.fed().ids.size() - 1));
    CHECK(film_of(stage.session()).word == 2);
    stage.click("closeup.close");
    CHECK(stage.view().close_ups.open == CloseUp::none);
}

TEST_CASE("symbols on the screen are those of the present moment") {
    PanelStage stage = a_cut_stage(893, 900, "gpt2");
    stage.run("source streets\ntokens");
    const TextCut text = present_cut_text(stage.session());
    const BpeFilm& film = std::get<BpeFilm>(text.word(0).film);
    for (std::size_t m = 0; m <= film.merges.size(); ++m) {
        const std::size_t count = film.symbols_after(m).size();
        CHECK(stage.names().find("tokens.symbol." + std::to_string(count - 1)));
        CHECK_FALSE(stage.names().find("tokens.symbol." + std::to_string(count)));
        stage.run("tokens next");
    }
}

TEST_CASE("the life of a token of the sentence leads to how its word was cut") {
    Stage stage;
    stage.run("animation off\nsource the cat saw it");
    CHECK(stage.run("click source.tokens.0\nwait 4\nclick life.cut.0") == "");
    CHECK(stage.view().close_ups.open == CloseUp::tokens);
    CHECK(stage.run("press right") == "");
    CHECK(stage.run("press escape") == "");
    CHECK(stage.view().close_ups.open == CloseUp::none);
    CHECK(stage.run("click source.tokens.2\nwait 4\nclick life.cut.0") == "");
    CHECK(stage.view().close_ups.open == CloseUp::tokens);
    CHECK(film_of(stage.session()).word == 2);
}
