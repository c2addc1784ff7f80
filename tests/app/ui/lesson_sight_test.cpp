// In front of a class nobody scrolls: the question, its choices and the result of every card are in sight.
#include "app/ui/widgets/text.h"
#include "engine/text/words.h"
#include "tests/app/ui/stage.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace headlight;

namespace {

bool is_in_sight(Stage& stage, std::size_t asked, const char* edge) {
    const auto at = stage.names().find("lesson.asked." + std::to_string(asked) + edge);
    const auto panel = stage.names().find("lesson");
    return at && panel && at->min.y >= panel->min.y && at->max.y <= panel->max.y;
}

// All of what is asked, from its first line to its last, but for a question that is higher than its place:
// that has a sign, and is read by pages.
bool is_in_sight(Stage& stage, std::size_t asked) {
    return is_in_sight(stage, asked, ".begin")
           && (is_in_sight(stage, asked, ".end") || stage.names().find("lesson.asked.more"));
}

bool waits_for_training(const LessonCard& card, std::size_t asked) {
    const std::vector<LessonChoice>& choices = card.predictions[asked].choices;
    return std::any_of(choices.begin(), choices.end(), [](const LessonChoice& choice) {
        return choice.right_if && choice.right_if->kind == Expectation::Kind::reached;
    });
}

std::vector<DrawnText> texts_in(Stage& stage, const std::string& name) {
    std::vector<DrawnText> texts;
    note_drawn_texts(&texts);
    stage.frame();
    note_drawn_texts(nullptr);
    const auto place = stage.names().find(name);
    REQUIRE(place);
    std::erase_if(texts, [&](const DrawnText& text) {
        const ImVec2 middle{(text.place.min.x + text.place.max.x) / 2,
                            (text.place.min.y + text.place.max.y) / 2};
        return !place->contains(middle);
    });
    return texts;
}

// Of the text that leads to what is asked.
std::set<std::string> words_of_text(const LessonCard& card) {
    std::set<std::string> words;
    for (const LessonBlock& block : card.blocks)
        for (const LessonSpan& span : block.text)
            if (span.kind == LessonSpan::Kind::words)
                for (const std::string& word : words_of(span.text)) words.insert(word);
    return words;
}

} // namespace

TEST_CASE("Page Down shows all of a card's text, no line of it cut, before it uncovers or turns") {
    for (const bool large : {false, true}) {
        CanvasStage stage("translate-en-pt", 1280, 720);
        REQUIRE(stage.run(std::string("language pt\npresenter ") + (large ? "on" : "off")) == "");
        const LessonPlayer& lessons = stage.host().lessons();
        for (const char* lesson : {"03", "09", "14", "17"}) {
            REQUIRE(stage.run(std::string("lesson open ") + lesson) == "");
            for (std::size_t card = 0; card < lessons.lesson().cards.size(); ++card) {
                REQUIRE(stage.run("lesson card " + std::to_string(card + 1) + "\nwait 6") == "");
                INFO(lesson << " card " << card + 1 << (large ? " large" : ""));
                std::set<std::string> unread = words_of_text(lessons.card());
                for (int page = 0; page < 9; ++page) {
                    for (const DrawnText& text : texts_in(stage, "lesson.text")) {
                        CAPTURE(text.text);
                        CHECK(text.place.height() > (large ? 15 : 10)); // of a caption's letters
                        unread.erase(text.text);
                    }
                    REQUIRE(stage.run("press page_down\nwait 3") == "");
                    const bool told = lessons.card_number() != card || stage.view().notice
                                      || (!lessons.card().predictions.empty() && lessons.answer(card, 0));
                    if (told) break;
                }
                CAPTURE(unread.empty() ? std::string() : *unread.begin());
                CHECK(unread.empty());
                REQUIRE(stage.run("notice off") == "");
            }
        }
    }
}

TEST_CASE(
    "Page Up turns back in a card's text before it turns the card, and an answer leaves it where it is") {
    const TemporaryFolder folder;
    std::string text = "# L\n\n## One\n\nShort.\n\n## Two\n\nBeginning of a text that is long.\n\n";
    for (int i = 0; i < 14; ++i)
        text += "A paragraph stands here, and it takes two lines of the column in large type.\n\n";
    text += "Ending.\n\n```predict choice\nWhich?\n- [x] this\n- [ ] that\n```\n";
    const std::string file = folder.write("long.en.md", text).string();
    CanvasStage stage("translate-en-pt", 1280, 720);
    REQUIRE(stage.run("presenter on\nlesson open " + file + "\nlesson card 2\nwait 6") == "");
    const auto shows = [&](const std::string& word) {
        const std::vector<DrawnText> texts = texts_in(stage, "lesson.text");
        return std::any_of(texts.begin(), texts.end(), [&](const DrawnText& drawn) {
            return drawn.text.find(word) != std::string::npos;
        });
    };
    const auto turn_until = [&](const char* key, const std::string& word) {
        for (int pages = 0; pages < 12 && !shows(word); ++pages)
            REQUIRE(stage.run(std::string("press ") + key + "\nwait 3") == "");
        return shows(word);
    };
    const LessonPlayer& lessons = stage.host().lessons();
    CHECK(shows("Beginning"));
    CHECK(stage.names().find("lesson.text.more"));
    CHECK(turn_until("page_down", "Ending."));
    CHECK_FALSE(shows("Beginning"));
    CHECK_FALSE(lessons.answer(1, 0));
    CHECK(turn_until("page_up", "Beginning"));
    CHECK(lessons.card_number() == 1);
    CHECK(turn_until("page_down", "Ending."));
    REQUIRE(stage.run("press page_down\nwait 3") == "");
    CHECK(lessons.answer(1, 0));
    CHECK(shows("Ending."));
    CHECK(turn_until("page_up", "Beginning"));
    for (int pages = 0; pages < 3 && lessons.card_number() == 1; ++pages)
        REQUIRE(stage.run("press page_up\nwait 3") == "");
    CHECK(lessons.card_number() == 0);
}

TEST_CASE("in large type no question is smaller than usual type is") {
    CanvasStage stage("translate-en-pt", 1280, 720);
    REQUIRE(stage.run("language pt\npresenter on\nlesson open 14\nlesson card 5\nwait 6") == "");
    for (const char* pressed : {"", "press 1\nwait 6"}) { // wrong: with its reason
        REQUIRE(stage.run(pressed) == "");
        int choices = 0;
        for (const DrawnText& text : texts_in(stage, "lesson.asked"))
            if (text.text == "vezes") ++choices, CHECK(text.place.height() > 0.7f * 18);
        CHECK(choices >= 1);
    }
}

TEST_CASE("in large type an answer is there to its last word, and nothing stands upon it") {
    CanvasStage stage("translate-en-pt", 1280, 720);
    REQUIRE(stage.run("language pt\nlesson open 14\nlesson card 2\nwait 3") == "");
    CHECK(stage.names().find("answer.back"));
    REQUIRE(stage.run("presenter on\nwait 3") == "");
    CHECK_FALSE(stage.names().find("answer.back"));
    REQUIRE(stage.run("source The animal didn't cross the street because it was too wide\nwait 3") == "");
    const std::string said = stage.session().sentence().output;
    std::string shown;
    for (const DrawnText& text : texts_in(stage, "output"))
        if (said.find(text.text) != said.npos) shown += text.text + " ";
    INFO(shown);
    CHECK(shown.find(said.substr(said.rfind(' ') + 1)) != shown.npos);
}

TEST_CASE("with large type and alone, every card's question, choices and result are in sight") {
    for (const char* language : {"en", "pt"})
        for (const char* look :
             {"presenter on\nalone off", "presenter off\nalone on", "presenter on\nalone on"}) {
            CanvasStage stage("translate-en-pt", 1280, 720);
            REQUIRE(stage.run(std::string("language ") + language + "\n" + look) == "");
            const LessonPlayer& lessons = stage.host().lessons();
            const std::vector<LessonEntry> all = lessons.lessons();
            for (const LessonEntry& lesson : all) {
                REQUIRE(stage.run("lesson open " + lesson.name + "\nlesson card 1") == "");
                for (std::size_t card = 0; card < lessons.lesson().cards.size(); ++card) {
                    REQUIRE(stage.run("lesson card " + std::to_string(card + 1) + "\nwait 6") == "");
                    INFO(language << " " << look << " " << lesson.name << " card " << card + 1);
                    for (std::size_t asked = 0; asked < lessons.card().predictions.size(); ++asked) {
                        CHECK(is_in_sight(stage, asked));
                        for (std::size_t i = 0; i < lessons.card().predictions[asked].choices.size(); ++i)
                            CHECK((stage.names().find("lesson.choice." + std::to_string(i + 1))
                                   || stage.names().find("lesson.asked.more")));
                        REQUIRE(stage.run("notice off") == "");
                        const auto is_read = [&] {
                            return lessons.answer(card, asked) || stage.view().notice;
                        };
                        for (int page = 0; page < 9 && !is_read(); ++page)
                            REQUIRE(stage.run("press page_down\nwait 6") == ""); // a remote control's
                        CHECK(is_in_sight(stage, asked, ".end"));
                        if (lessons.answer(card, asked)) continue;
                        CHECK(waits_for_training(lessons.card(), asked));
                        break;
                    }
                }
            }
        }
}
