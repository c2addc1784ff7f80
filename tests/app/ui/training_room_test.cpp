#include "app/session/training/training_view.h"
#include "app/ui/widgets/text.h"
#include "tests/app/ui/stage.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

using namespace headlight;

namespace {

const std::string small = "room train\ntrain task copy\ntrain set heads 2\ntrain set d_model 8\n"
                          "train set layers 1\ntrain set d_ff 16\ntrain set batch 4\ntrain set seed 7\n"
                          "train set norm post\ntrain set label_smoothing 0\n";

const LiveTraining& training(Stage& stage) { return stage.session().training().training; }

} // namespace

TEST_CASE("a training is two clicks away: the room, and Start; the button then pauses and goes on") {
    CanvasStage stage("", 1280, 800); // no model is needed
    REQUIRE(stage.run(small) == "");
    REQUIRE(stage.names().find("train.start"));
    REQUIRE(stage.run("click train.start") == "");
    REQUIRE(training(stage).run());
    CHECK(training(stage).run()->training);
    REQUIRE(stage.run("wait 20\nclick train.start\ntrain wait 60") == "");
    const Index steps = training(stage).run()->step();
    REQUIRE(training(stage).run()->pause);
    CHECK(training(stage).run()->pause->reason == PauseReason::told);
    CHECK(stage.session().has_model()); // it is on the canvas
    REQUIRE(stage.run("click train.step\ntrain wait 60") == "");
    CHECK(training(stage).run()->step() == steps + 1);
    REQUIRE(stage.run("click train.reset\ntrain wait 60") == "");
    CHECK(training(stage).run()->step() == 0);
}

TEST_CASE("a setting is chosen from a list that has no impossible values, or typed") {
    CanvasStage stage("", 1280, 1400);
    REQUIRE(stage.run(small + "click set.heads") == "");
    CHECK(stage.names().find("set.heads.3")); // 1, 2, 4, 8 share 8 columns evenly
    CHECK_FALSE(stage.names().find("set.heads.4"));
    REQUIRE(stage.run("click set.heads.2") == "");
    CHECK(training(stage).settings().sizes.num_heads == 4);
    REQUIRE(stage.run("click set.seed\nclick set.seed.field\ntype 42\npress enter") == "");
    CHECK(training(stage).settings().options.seed == 42);
    REQUIRE(stage.run("click set.d_model\nclick set.d_model.field\ntype 10\npress enter") == "");
    CHECK(training(stage).settings().sizes.d_model == 8); // 4 heads cannot share 10
    REQUIRE(stage.view().notice);
    CHECK(stage.view().notice->is_error);
}

TEST_CASE("a drag along the timeline brings back the model as it was; live follows again") {
    CanvasStage stage("", 1280, 800);
    REQUIRE(stage.run(small + "train start 40\ntrain wait 60\nclick timeline") == "");
    const Index there = stage.session().training().step;
    CHECK_FALSE(stage.session().training().live);
    CHECK(std::abs(there - 20) <= 1);
    REQUIRE(stage.run("click moment.back") == "");
    CHECK(stage.session().training().step == there - 1);
    REQUIRE(stage.run("click moment.compare\nclick moment.forward\nclick moment.forward") == "");
    REQUIRE(stage.session().training().difference);
    CHECK(stage.session().training().difference->from == there - 1);
    CHECK(stage.session().training().difference->to == there + 1);
    REQUIRE(stage.run("click moment.compare\nclick moment.live") == "");
    CHECK_FALSE(stage.session().training().difference);
    CHECK(stage.session().training().step == 40);
    REQUIRE(stage.run("moment 10\nclick moment.continue\ntrain pause\ntrain wait 60") == "");
    REQUIRE(training(stage).runs().size() == 2);
    CHECK(training(stage).run()->first_step == 10);
}

TEST_CASE("own pairs are read from the file that is typed; the lines that are none are told") {
    const TemporaryFolder folder;
    std::string text = "no pair at all\n";
    for (int i = 0; i < 40; ++i) text += "um dois\tone two\ntrês\tthree\n";
    const auto file = folder.write("pares.txt", text);
    CanvasStage stage("", 1280, 1000);
    REQUIRE(stage.run("room train\nclick train.task.11\nwait 3\nclick pairs\ntype " + file.string()
                      + "\npress enter")
            == "");
    REQUIRE(training(stage).reading());
    const std::atomic<bool> no = false;
    REQUIRE(training(stage).reading()->wait(no));
    CHECK(training(stage).settings().pairs == file);
    stage.frame(3);
    REQUIRE(stage.run("train set d_model 8\ntrain set heads 2\ntrain start 2\ntrain wait 60") == "");
    CHECK(training(stage).run()->step() == 2);
}

TEST_CASE("a run is saved in the folder that is chosen, and opened from it") {
    const TemporaryFolder folder;
    const std::string place = (folder / "a run").string();
    CanvasStage stage("", 1280, 1700);
    stage.session().recall_files({}, folder.path());
    REQUIRE(stage.run(small
                      + "train start 6\ntrain wait 60\ndesk settings\nwait 3\nclick train.save\nwait 3\ntype "
                      + place + "\npress enter")
            == "");
    REQUIRE(stage.view().notice);
    CHECK_FALSE(stage.view().notice->is_error);
    REQUIRE(stage.run("train delete\nwait 3") == "");
    REQUIRE(training(stage).runs().empty());
    REQUIRE(stage.run("click train.open\nwait 3\ntype " + place + "\npress enter\nwait 3") == "");
    REQUIRE(training(stage).runs().size() == 1);
    CHECK(training(stage).run()->step() == 6);
}

TEST_CASE("a run is named, its curve hidden, and the run deleted and brought back, by clicks") {
    CanvasStage stage("", 1280, 1000);
    REQUIRE(stage.run(small + "train start 3\ntrain wait 60\nwait 3") == "");
    const auto more = [&](const char* choice) {
        REQUIRE(stage.run("click train.more\nwait 3\nclick train.more." + std::string(choice) + "\nwait 3")
                == "");
    };
    more("0");
    REQUIRE(stage.run("type my own\npress enter\nwait 3") == "");
    CHECK(training(stage).run()->name == "my own");
    more("0");
    REQUIRE(stage.run("type no\npress escape\nwait 3") == "");
    CHECK(training(stage).run()->name == "my own");
    more("1");
    CHECK(training(stage).run()->hidden);
    more("1");
    CHECK_FALSE(training(stage).run()->hidden);
    REQUIRE(stage.session().training().shown);
    more("2");
    CHECK(training(stage).runs().empty());
    CHECK_FALSE(stage.session().training().shown);
    REQUIRE(stage.run("press ctrl+z\nwait 3") == "");
    REQUIRE(training(stage).runs().size() == 1);
    CHECK(stage.session().training().shown); // the canvas, too
}

TEST_CASE("what is told of a run comes and goes, and the panel holds still") {
    CanvasStage stage("", 1280, 1000);
    REQUIRE(stage.run(small + "train start 6\ntrain wait 60\ndesk backward\ntrain start 4000\nwait 3") == "");
    const auto top = [&](const char* name) {
        const auto rect = stage.names().find(name);
        REQUIRE_MESSAGE(rect, name);
        return rect->min.y;
    };
    const float trains = top("desk.0");
    REQUIRE(stage.run("train pause\ntrain wait 60\nwait 3") == ""); // "Paused."
    CHECK(top("desk.0") == trains);
    REQUIRE(stage.run("train set batch 8\nwait 3") == ""); // Start would begin another run
    CHECK(top("desk.0") == trains);
    REQUIRE(stage.run("train set batch 4\nbackward off\nwait 3") == "");
    const float forward = top("walk.forward");
    REQUIRE(stage.run("click walk.forward\nwait 3") == ""); // switches gradients on
    CHECK(stage.view().backward.on);
    CHECK(top("walk.forward") == forward);
}

TEST_CASE("Start keeps the camera where it was moved, and everything below it where it stands") {
    CanvasStage stage("copy", 1280, 800);
    REQUIRE(stage.run(small
                      + "train set label_smoothing 0.1\ndesk settings\nsource abc\ntrain start 2\ntrain wait "
                        "60\nframe decoder.0.cross_attn.weights\nwait 3")
            == "");
    const auto middle = [&] {
        const Card* card = stage.canvas().layout().find(
            stage.session().model().graph().find("decoder.0.cross_attn.weights"));
        REQUIRE(card);
        return to_view(stage.canvas().camera(), stage.canvas().view(), card->rect).centre();
    };
    const PlanePoint before = middle();
    const auto tab = [&] { return stage.names().find("desk.0")->min.y; };
    const float tabs = tab();
    REQUIRE(stage.run("train set batch 8\ntrain start 2\ntrain wait 60\nwait 3") == ""); // another run
    REQUIRE(training(stage).runs().size() == 2);
    CHECK(std::hypot(middle().x - before.x, middle().y - before.y) < 2);
    CHECK(tab() == tabs);
    CHECK(stage.question().source == "abc");
    CHECK(stage.question().label_smoothing == 0.1);
    REQUIRE(stage.run("train run 1\nwait 3\ntrain step\ntrain wait 60\nwait 3") == "");
    CHECK(std::hypot(middle().x - before.x, middle().y - before.y) < 2);
    CHECK_FALSE(stage.names().find("unlike.smoothing")); // the curves tell it
    REQUIRE(stage.run("smoothing 0.2\nwait 3") == "");
    CHECK(stage.names().find("unlike.smoothing"));
}

TEST_CASE("another model that lacks the present step is not stepped into") {
    CanvasStage stage("translate-en-pt", 1280, 800);
    REQUIRE(stage.run("goto decoder.0.cross_attn.weights\nwait 3\nmodel next-word\nwait 3") == "");
    CHECK(stage.view().step == 0);
    const PlaneRect bounds = stage.canvas().layout().bounds;
    CHECK(seen(stage.canvas().camera(), stage.canvas().view()).contains(bounds));
    REQUIRE(stage.run("model copy\ngoto decoder.0.cross_attn.weights\nwait 3") == "");
    CHECK(stage.canvas().follows_step());
}

TEST_CASE("Words says what the file wants, and nothing of a loss where nobody knows it") {
    const TemporaryFolder folder;
    std::string text;
    for (int i = 0; i < 10; ++i) text += "w" + std::to_string(i) + " x\tp" + std::to_string(i) + " y\n";
    const auto file = folder.write("pares.txt", text);
    CanvasStage stage("", 1280, 1000);
    REQUIRE(stage.run("room train\ntrain task " + file.string()
                      + "\ntrain set d_model 8\ntrain set heads 2\ntrain start 2\ntrain wait 60\ndesk "
                        "words\nsource w4 x\nwait 3")
            == "");
    CHECK(stage.names().find("words.2")); // p4 y </s>
    CHECK_FALSE(stage.names().find("words.3"));
    REQUIRE(stage.run("click words.force\nwait 3") == "");
    CHECK(stage.question().target == "p4 y");
    REQUIRE(stage.run("target\nsource w4 w4\nwait 3") == "");
    CHECK_FALSE(stage.names().find("words.force"));
    REQUIRE(stage.run("click words.target\ntype p1 y\npress enter\nwait 3") == "");
    CHECK(stage.question().target == "p1 y");
    CHECK(stage.session().strings().missing().empty());
}

TEST_CASE("the pace stands beside Start: a list, and one click for full speed") {
    for (const char* language : {"en", "pt"}) {
        CanvasStage stage("", 1280, 720);
        REQUIRE(stage.run(small + "language " + language + "\ntrain pace usual\nwait 3") == "");
        REQUIRE(stage.names().find("train.pace"));
        CHECK(training(stage).pace() > 0);
        REQUIRE(stage.run("click train.pace.all") == "");
        CHECK(training(stage).pace() == 0);
    }
}

TEST_CASE("a run that the canvas does not show is not called live beside another model") {
    CanvasStage stage("", 1280, 800);
    REQUIRE(stage.run(small + "train start 4\ntrain wait 60\nmodel copy\nwait 3") == "");
    REQUIRE_FALSE(stage.session().training().shown);
    CHECK(stage.session().training().live); // of the run, should it be shown
    REQUIRE(stage.run("click moment.live\nwait 3") == "");
    CHECK(stage.session().training().shown);
}

TEST_CASE("Time follows the number that is held, wherever it is") {
    CanvasStage stage("", 1280, 1600);
    REQUIRE(stage.run(small + "train start 20\ntrain wait 60\nsource abc\ndesk moments\nwait 30") == "");
    CHECK_FALSE(stage.names().find("moments.held"));
    for (const char* cell : {"encoder.0.ffn.hidden 0 1 2", "encoder.0.self_attn.w_q 0 1 2",
                             "encoder.0.self_attn.weights 1 0 0"}) {
        CAPTURE(std::string(cell));
        REQUIRE(stage.run(std::string("select ") + cell + "\nwait 60") == "");
        CHECK(stage.names().find("moments.held"));
        CHECK(stage.names().find("moments.0"));
    }
}

TEST_CASE("an example of several lines takes one, and what is said of it stands below") {
    const TemporaryFolder folder;
    std::string rhyme;
    for (int i = 0; i < 60; ++i) rhyme += "one two\nthree four\nfive six\n";
    const std::string text = folder.write("rhyme.txt", rhyme).string();
    CanvasStage stage("", 1280, 1000);
    REQUIRE(stage.run("room train\ntrain text characters " + text
                      + "\ntrain set heads 2\ntrain set d_model 8\ntrain set layers 1\ntrain set d_ff 16\n"
                        "train set batch 4\ndesk examples\ntrain start 3\ntrain wait 100\nwait 10")
            == "");
    REQUIRE_FALSE(training(stage).run()->examples.empty());
    CHECK(training(stage).run()->examples[0].source.find('\n') != std::string::npos);
    const auto first = stage.names().find("example.0"), second = stage.names().find("example.1");
    REQUIRE(first);
    REQUIRE(second);
    CHECK(first->max.y <= second->min.y);
    std::vector<DrawnText> texts;
    note_drawn_texts(&texts);
    stage.frame(1);
    note_drawn_texts(nullptr);
    for (const DrawnText& drawn : texts) CHECK(drawn.text.find('\n') == std::string::npos);
}

TEST_CASE("examples, words and the way back are there to be operated") {
    CanvasStage stage("", 1280, 1000);
    REQUIRE(stage.run(small + "desk examples\ntrain start 20\ntrain wait 60\nwait 3") == "");
    REQUIRE_FALSE(training(stage).run()->examples.empty());
    REQUIRE(stage.run("click example.0\nwait 3") == "");
    CHECK(stage.question().source == training(stage).run()->examples[0].source);
    REQUIRE(stage.run("source abc\ntarget abc\nclick desk.3\nwait 3\nclick words.1") == "");
    CHECK(stage.view().training_pages.row == 1);
    REQUIRE(stage.run("click desk.4\nwait 3\nclick walk.forward\nclick walk.forward\nwait 3") == "");
    CHECK(stage.view().backward.step == 2);
    CHECK(stage.view().backward.on);
    REQUIRE(stage.run("moment 8\nselect encoder.0.self_attn.w_q 0 1 2\nwait 2\nunselect\nbackward off")
            == "");
}

TEST_CASE("one head and one word are drawn at many moments; a click on one shows it") {
    CanvasStage stage("", 1280, 1600);
    REQUIRE(stage.run(small
                      + "train start 1\ntrain wait 60\nsource abc\ntarget abc\ntrain start 29\ntrain wait "
                        "60\ndesk moments\nwait 60")
            == "");
    REQUIRE(stage.names().find("moments.0"));
    REQUIRE(stage.names().find("moments.plot"));
    REQUIRE(stage.run("click moments.0\nwait 3") == "");
    CHECK(stage.session().training().step == 0);
    REQUIRE(stage.run("click moments.word.2\nwait 3\nclick moments.head.1\nwait 60") == "");
    CHECK(stage.view().training_pages.row == 2);
    CHECK(stage.view().head == 1);
    REQUIRE(stage.run("click moments.11\nwait 3") == "");
    CHECK(stage.session().training().step == 30);
}

TEST_CASE("no text of the training room is cut, whatever the page, the language, the theme and the size") {
    CanvasStage stage("translate-en-pt", 1280, 800);
    std::vector<std::string> cut;
    const auto walk = [&](const std::string& when) {
        for (const std::string page : {"settings", "curves", "examples", "words", "backward", "moments"})
            for (const std::string language : {"en", "pt"})
                for (const std::string look : {"theme light", "presenter on\nresize 1280 720"}) {
                    CAPTURE(when);
                    CAPTURE(page);
                    CAPTURE(language);
                    CAPTURE(look);
                    REQUIRE(stage.run("presenter off\nresize 1280 800\nlanguage " + language + "\n" + look
                                      + "\ndesk " + page)
                            == "");
                    cut.clear();
                    note_cut_texts(&cut);
                    stage.frame(2);
                    note_cut_texts(nullptr);
                    CHECK_MESSAGE(cut.empty(), (cut.empty() ? std::string() : cut.front()));
                }
    };
    REQUIRE(stage.run("room train\nsource I am fine") == "");
    REQUIRE(stage.run(small + "source abc\ntrain start 12\ntrain wait 60") == "");
    walk("after");
    CHECK(stage.session().strings().missing().empty());
}

TEST_CASE("labelled lines and texts of one's own are chosen beside own pairs, and what was read is said") {
    const TemporaryFolder folder;
    const std::string lines = folder
                                  .write("lines.tsv", "the film was good\tgood\nthe film was bad\tbad\n"
                                                      "the song was bad\tbad\n")
                                  .string();
    std::string rhyme;
    for (int i = 0; i < 40; ++i) rhyme += "one two three four five six ";
    const std::string text = folder.write("rhyme.txt", rhyme).string();
    for (const char* language : {"en", "pt"}) {
        CanvasStage stage("", 1280, 1400);
        REQUIRE(stage.run(std::string("language ") + language
                          + "\nroom train\ndesk settings\ntrain task sentiment")
                == "");
        REQUIRE(stage.run("click own_file.0") == "");
        REQUIRE(stage.view().files.choosing);
        CHECK(kind_of(stage.view().files.choosing->request).command == "train labels");
        REQUIRE(stage.run("choose off\ntrain labels " + lines + "\ntrain wait 60\nwait 3") == "");
        const OwnFileReading* reading = training(stage).own_file();
        REQUIRE(reading);
        REQUIRE(reading->result());
        REQUIRE(*reading->result());
        const OwnFileReport report = **reading->result();
        CHECK(report.examples == 3);
        CHECK(report.labels == std::vector<std::pair<std::string, Index>>{{"bad", 2}, {"good", 1}});
        REQUIRE(stage.run("train task next-word") == "");
        CHECK_FALSE(training(stage).own_file());
        for (const auto& [chip, command] :
             {std::pair("own_file.0", "train text words"), std::pair("own_file.1", "train text characters"),
              std::pair("own_file.2", "train text bpe")}) {
            REQUIRE(stage.run(std::string("click ") + chip) == "");
            REQUIRE(stage.view().files.choosing);
            CHECK(kind_of(stage.view().files.choosing->request).command == command);
            REQUIRE(stage.run("choose off\n" + std::string(command) + " " + text + "\ntrain wait 60\nwait 3")
                    == "");
            REQUIRE(*training(stage).own_file()->result());
            CHECK((*training(stage).own_file()->result())->examples > 10);
        }
        CHECK((*training(stage).own_file()->result())->merges > 5);
        // What is wrong names file and line.
        const std::string wrong = folder.write("wrong.tsv", "no tab here\n").string();
        REQUIRE(stage.run("train labels " + wrong + "\ntrain wait 60\nwait 3") == "");
        const auto result = training(stage).own_file()->result();
        REQUIRE(result);
        REQUIRE_FALSE(*result);
        CHECK(result->error().arguments[0].find("wrong.tsv") != std::string::npos);
        CHECK(result->error().arguments[1] == "1");
        CHECK(stage.session().strings().missing().empty());
    }
}

TEST_CASE("a model is trained on byte pairs of a text, and the film shows the merges that were learnt") {
    const TemporaryFolder folder;
    std::string rhyme;
    for (int i = 0; i < 60; ++i) rhyme += "one two three four five six ";
    const std::string text = folder.write("rhyme.txt", rhyme).string();
    CanvasStage stage("", 1280, 900);
    REQUIRE(stage.run("room train\ntrain text bpe " + text
                      + "\ntrain set heads 2\ntrain set d_model 8\ntrain set layers 1\ntrain set d_ff 16\n"
                        "train set batch 4\ntrain start 3\ntrain wait 100\ntokens")
            == "");
    REQUIRE(stage.session().has_model());
    const TextCut cut = present_cut_text(stage.session());
    REQUIRE(std::holds_alternative<Bpe>(cut.tokenizer.parts().model));
    CHECK(std::get<Bpe>(cut.tokenizer.parts().model).merges().size() > 5);
}

TEST_CASE(
    "every page of the desk stands for every task and kind of model, whatever weight is held or changed") {
    CanvasStage stage("", 1280, 800);
    for (const std::string task : {"copy", "gloss", "sentiment", "next-word", "recall"})
        for (const std::string kind : {"transformer", "lstm"}) {
            if (kind != "transformer" && task != "recall") continue;
            CAPTURE(task);
            CAPTURE(kind);
            REQUIRE(stage.run(small) == "");
            REQUIRE(stage.session().execute("train task " + task));
            REQUIRE(stage.session().execute("train set model " + kind));
            REQUIRE(stage.run("train start 2\ntrain wait 60\nbackward on") == "");
            std::vector<std::string> weights;
            for (const Node& node : stage.session().model().graph().nodes())
                if (node.is(ValueKind::parameter)) weights.push_back(node.path);
            REQUIRE(weights.size() > 2);
            for (const std::string& weight : {weights.front(), weights[weights.size() / 2], weights.back()}) {
                CAPTURE(weight);
                REQUIRE(stage.session().execute("select " + weight + " 0 0 0"));
                (void)stage.session().execute("change cell " + weight + " 0 0 0 0.5");
                for (const char* page : {"desk backward", "desk moments", "desk words", "desk examples"}) {
                    REQUIRE(stage.session().execute(page));
                    stage.frame(2);
                }
                REQUIRE(stage.session().execute("changes clear"));
            }
        }
}

TEST_CASE("from afar the box of the embedding shows what training changed of it, not its positions") {
    CanvasStage stage("", 1280, 800);
    REQUIRE(stage.run(small + "train start 10\ntrain wait 60\nsource abc\ndifference 0 10\nwait 3") == "");
    bool has_positions = false;
    for (const CanvasGroup& block : stage.canvas().layout().blocks) {
        if (!block.picture || !block.picture->is(ValueKind::positions)) continue;
        has_positions = true;
        const auto changed = [&](const Node& node) {
            const std::vector<Real> difference = stage.session().experiment().difference_of(node.path);
            return std::any_of(difference.begin(), difference.end(), [](Real d) { return d != 0; });
        };
        CHECK_FALSE(changed(*block.picture));
        CHECK(changed(*block.leaves));
    }
    CHECK(has_positions);
}
