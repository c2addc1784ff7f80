#include "tests/app/ui/stage.h"

#include "app/handout/handout.h"
#include "app/ui/widgets/text.h"
#include "tests/support/matches.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>

using namespace headlight;

namespace {

bool covers(const ScreenRect& a, const ScreenRect& b) {
    return a.min.x < b.max.x - 1 && b.min.x < a.max.x - 1 && a.min.y < b.max.y - 1 && b.min.y < a.max.y - 1;
}

bool lies_in(const ScreenRect& place, const ScreenRect& rect) {
    return place.min.x >= rect.min.x - 1 && place.max.x <= rect.max.x + 1 && place.min.y >= rect.min.y - 1
           && place.max.y <= rect.max.y + 1;
}

} // namespace

TEST_CASE("a lesson is taken with the mouse: opened, answered, turned") {
    Stage stage;
    CHECK(stage.run("animation off\nroom library\nwait 1\nclick lesson.row.14") == "");
    const LessonPlayer& lessons = stage.host().lessons();
    REQUIRE(lessons.is_open());
    CHECK(stage.names().find("lesson"));
    CHECK(stage.run("lesson open 09\nclick lesson.choice.1") == "");
    CHECK(lessons.answer(0, 0));
    CHECK(stage.run("click lesson.next") == "");
    CHECK(lessons.card_number() == 1);
    CHECK(stage.run("click lesson.back\nclick lesson.card.3") == "");
    CHECK(lessons.card_number() == 2);
    CHECK(stage.run("click lesson.close") == "");
    CHECK_FALSE(lessons.is_open());
}

TEST_CASE("a cell that a lesson speaks of is marked on the canvas while the pointer is on its words") {
    Stage stage("translate-en-pt", 1600, 1000);
    REQUIRE(stage.run("animation off\nlesson open 02\nlesson card 6\nlesson setup\nwait 1") == "");
    const auto canvas_now = [&] {
        Image image = stage.display().capture();
        const ScreenRect lesson = *stage.names().find("lesson");
        std::vector<std::uint8_t> left; // of the lesson
        for (int y = 0; y < image.height; ++y)
            left.insert(left.end(), image.rgba.begin() + 4L * y * image.width,
                        image.rgba.begin() + 4L * y * image.width + 4L * long(lesson.min.x - 4));
        return left;
    };
    stage.frame(3);
    const auto before = canvas_now();
    std::string link;
    for (int block = 0; block < 8; ++block)
        for (int piece = 1; piece < 80; ++piece) // of its line
            if (const std::string name =
                    "lesson.text." + std::to_string(block) + ".0." + std::to_string(piece);
                link.empty() && stage.names().find(name))
                link = name;
    REQUIRE_FALSE(link.empty());
    REQUIRE(stage.run("hover " + link + "\nwait 1") == "");
    REQUIRE(stage.host().canvas().lesson_cell);
    CHECK(canvas_now() != before);
    stage.run("lesson close\nwait 1");
    CHECK_FALSE(stage.host().canvas().lesson_cell);
}

TEST_CASE("a lesson is taken with keys alone, and with a presenter's remote control") {
    Stage stage;
    CHECK(stage.run("animation off\nlesson open 03\nlesson card 2\npress enter\ntype 0.55\npress enter")
          == "");
    const LessonPlayer& lessons = stage.host().lessons();
    REQUIRE(lessons.answer(1, 0));
    CHECK(lessons.answer(1, 0)->is_right);
    CHECK(stage.run("press escape\npress page_down") == "");
    CHECK(lessons.card_number() == 2);
    CHECK(stage.run("press 2") == "");
    CHECK(lessons.answer(2, 0)->choice == 1);
    CHECK(stage.run("press page_down\npress page_up\npress page_up") == "");
    CHECK(lessons.card_number() == 1);
    CHECK(stage.run("press f6") == "");
    CHECK(lessons.shows_notes());
    CHECK_FALSE(lessons.uncovers_notes()); // the class would read the answers
    CHECK(stage.run("press f6") == "");
    CHECK(lessons.uncovers_notes());
    CHECK(stage.run("press page_down") == "");
    CHECK_FALSE(lessons.uncovers_notes());
    CHECK(stage.run("press f6\npress f6") == "");
    CHECK_FALSE(lessons.shows_notes());
}

TEST_CASE("no text of a lesson is covered by another, in any size and language") {
    for (const auto& [width, height, presenter] :
         {std::tuple{1280, 720, false}, std::tuple{1280, 720, true}, std::tuple{1920, 1080, false}})
        for (const char* language : {"en", "pt"}) {
            Stage stage("translate-en-pt", width, height);
            CHECK(stage.run(std::string("animation off\nlanguage ") + language + "\npresenter "
                            + (presenter ? "on" : "off"))
                  == "");
            for (const char* lesson : {"03", "06", "08", "12", "16"}) {
                CHECK(stage.run(std::string("lesson open ") + lesson + "\nlesson notes on\nlesson notes show")
                      == "");
                const LessonPlayer& lessons = stage.host().lessons();
                for (std::size_t card = 0; card < lessons.lesson().cards.size(); ++card) {
                    CHECK(stage.run("lesson card " + std::to_string(card + 1)) == "");
                    std::vector<DrawnText> drawn;
                    note_drawn_texts(&drawn);
                    stage.frame();
                    note_drawn_texts(nullptr);
                    const ScreenRect panel = *stage.names().find("lesson");
                    std::erase_if(drawn, [&](const DrawnText& text) { return !covers(text.place, panel); });
                    CHECK(drawn.size() > 5);
                    for (std::size_t i = 0; i < drawn.size(); ++i) {
                        CAPTURE(width);
                        CAPTURE(language);
                        CAPTURE(lesson);
                        CAPTURE(card);
                        CAPTURE(drawn[i].text);
                        CHECK(lies_in(drawn[i].place, panel));
                        for (std::size_t k = i + 1; k < drawn.size(); ++k) {
                            CAPTURE(drawn[k].text);
                            CHECK_FALSE(covers(drawn[i].place, drawn[k].place));
                        }
                    }
                }
            }
        }
}

TEST_CASE("a button of a lesson that would write is refused in a sentence, and nothing is written") {
    const TemporaryFolder folder;
    const std::string file =
        folder
            .write("mine.en.md", "# T\n\n## C\n\n[Press](do:save " + (folder / "notes.txt").string()
                                     + ")\n\n[Go](do:room heads)\n")
            .string();
    Stage stage;
    stage.host().open_file(file); // as it is dropped
    stage.frame(2);
    REQUIRE(stage.host().lessons().is_open());
    const auto press = [&](const std::string& block) {
        const std::vector<std::string> names = stage.names().names();
        const auto link = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
            return name.starts_with("lesson.text." + block + ".");
        });
        REQUIRE(link != names.end());
        (void)stage.run("click " + *link);
        stage.frame(2);
    };
    press("0");
    REQUIRE(stage.view().notice);
    CHECK(stage.view().notice->is_error);
    CHECK(stage.view().notice->text.find("cannot be a button of a lesson") != std::string::npos);
    CHECK(folder.count_files() == 1);
    press("1");
    CHECK(stage.view().room == Room::heads);
}

TEST_CASE("the last card says how it went, opens the next lesson and hands the answers in") {
    Stage stage("translate-en-pt", 1600, 1000);
    REQUIRE(stage.run("animation off\nlesson open 05\nlesson choose 1") == "");
    CHECK_FALSE(stage.names().find("lesson.hand_in"));
    REQUIRE(stage.run("lesson card 7\nwait 2") == "");
    std::vector<DrawnText> drawn;
    note_drawn_texts(&drawn);
    stage.frame();
    note_drawn_texts(nullptr);
    CHECK(std::any_of(drawn.begin(), drawn.end(), [](const DrawnText& text) {
        return text.text.find("Predictions made: 1 of 6; right: 0.") != std::string::npos;
    }));
    REQUIRE(stage.run("click lesson.student\ntype Ana\npress enter\nwait 2") == "");
    CHECK(stage.host().lessons().student() == "Ana");
    REQUIRE(stage.names().find("lesson.hand_in.0"));
    CHECK(stage.run("click lesson.hand_in.0") == "");
    REQUIRE(stage.view().files.choosing);
    CHECK(stage.view().files.choosing->request == FileRequest::save_session);
    CHECK(stage.run("choose off\nclick lesson.next_lesson.0\nwait 2") == "");
    CHECK(lesson_name(stage.host().lessons().lesson().file).starts_with("06-"));
    CHECK(stage.run("choose lesson\nwait 1") == "");
    CHECK(stage.view().files.choosing->request == FileRequest::open_lesson);
}

TEST_CASE("nobody has predicted wrongly who has not predicted") {
    Stage stage("translate-en-pt", 1600, 1000);
    REQUIRE(stage.run("animation off\nlesson open 05") == "");
    const LessonPlayer& lessons = stage.host().lessons();
    for (int card = 1; card <= 7; ++card) {
        REQUIRE(stage.run("lesson card " + std::to_string(card)) == "");
        while (lessons.open_prediction()) REQUIRE(stage.run("lesson reveal") == "");
    }
    std::vector<DrawnText> drawn;
    note_drawn_texts(&drawn);
    stage.frame(2);
    note_drawn_texts(nullptr);
    CHECK(std::any_of(drawn.begin(), drawn.end(), [](const DrawnText& text) {
        return text.text.find("No prediction was made") != std::string::npos;
    }));
}

TEST_CASE("what is chosen before a training can tell is judged as soon as it can") {
    const TemporaryFolder folder;
    const std::string file =
        folder
            .write("mine.en.md", "# T\n\n## C\n\n```predict choice\nWhen?\n"
                                 "- [x] soon if reached tokens 0.0001 0 1000000\n"
                                 "- [ ] late if reached tokens 0.0001 1000000 2000000\n```\n")
            .string();
    Stage stage("", 1280, 800);
    REQUIRE(stage.run("animation off\nroom train\ntrain set d_model 16\ntrain set heads 2") == "");
    stage.host().open_file(file);
    stage.frame(2);
    REQUIRE(stage.run("press 2") == "");
    const LessonPlayer& lessons = stage.host().lessons();
    CHECK_FALSE(stage.view().notice);
    CHECK(lessons.kept_choice(0, 0) == 1);
    CHECK_FALSE(lessons.answer(0, 0));
    REQUIRE(stage.run("train start 60\ntrain wait 60\nwait 3") == "");
    REQUIRE(lessons.answer(0, 0));
    CHECK_FALSE(lessons.answer(0, 0)->is_right);
    CHECK_FALSE(lessons.kept_choice(0, 0));
}

TEST_CASE("somebody new is asked in at a front door, in any size") {
    for (const int width : {640, 1280, 2560}) {
        Stage stage("translate-en-pt", width, width * 9 / 16);
        CHECK(stage.run("lesson door on") == "");
        REQUIRE(stage.names().find("door"));
        CHECK(stage.run("click door.try") == "");
        stage.frame();
        CHECK_FALSE(stage.host().lessons().shows_welcome());
        CHECK(stage.run("lesson door on\nclick door.show") == "");
        CHECK(stage.host().lessons().is_open());
    }
}

TEST_CASE("a handout has the lesson's words, a picture a card, blanks, and the answers at its end") {
    const TemporaryFolder folder;
    const std::filesystem::path assets = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets",
                                lesson = assets / "lessons/03-attention-without-parameters.pt.md";
    Session session(assets, *Strings::load(assets));
    const Result<Done> written = write_handout(session, lesson, folder / "handout.html");
    CHECK_MESSAGE(written, (written ? "" : session.strings().text(written.error())));
    std::ifstream file(folder / "handout.html");
    const std::string html{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    CHECK(html.find("<html lang=\"pt\">") != html.npos);
    CHECK(test::matches(html, "(<h2>)").size() == 7);
    CHECK(test::matches(html, "(class=\"blank\")").size() == 4);
    CHECK(html.find("<li>0,550</li>") != html.npos); // rato · rei
    for (const char* line : {"<span>Nome</span>", "<span>Turma</span>", "<span>Data</span>"})
        CHECK(html.find(line) != html.npos);
    // Answers stand on the last page alone: no picture tells one, not even of a card that was asked before.
    const std::size_t body = html.find("<body>");
    const std::string asked = html.substr(body, html.find("class=\"answers\"", body) - body);
    for (const char* answer : {">0,55<", ">0,44<", ">0,550<", ">0,158<"})
        CHECK(asked.find(answer) == asked.npos);
    CHECK(asked.find("Esc") == asked.npos); // no button of a window
    // 174 mm between the margins are 493 points: no letter is smaller than 8.
    const auto numbers_behind = [&](const std::string& sign) {
        std::vector<double> numbers;
        for (std::size_t at = asked.find(sign); at != asked.npos; at = asked.find(sign, at + 1))
            numbers.push_back(std::stod(asked.substr(at + sign.size(), 12)));
        return numbers;
    };
    const std::vector<double> widths =
                                  numbers_behind("xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\""),
                              sizes = numbers_behind("font-size:");
    CHECK(widths.size() >= 4);
    for (const double width : widths) CHECK(width <= 601); // a pixel is rounded up
    for (const double size : sizes) CHECK(size * 493 / 601 >= 8);
    CHECK(sizes.size() >= 12);
    CHECK(html.find("<li>Roma</li>") != html.npos);
    CHECK_FALSE(write_handout(session, assets / "lessons/none.md", folder / "x.html"));
    CHECK_FALSE(write_handout(session, lesson, folder.path() / "no/such/folder.html"));
}

TEST_CASE("votes are typed where nobody has the keyboard, and Ctrl+Z takes them back, not the setup") {
    Stage stage("translate-en-pt", 1280, 720);
    REQUIRE(stage.run("animation off\nlesson open 03\nlesson card 3\nlesson hands on\nwait 2") == "");
    const LessonPlayer& lessons = stage.host().lessons();
    const Question before = stage.question();
    REQUIRE(stage.run("type 1=23 2=5\npress enter") == "");
    CHECK(lessons.hands(0) == std::vector<int>{23, 5, 0});
    REQUIRE(stage.run("click lesson.choice.3") == "");
    CHECK(lessons.hands(0) == std::vector<int>{23, 5, 1});
    REQUIRE(stage.run("press ctrl+z\npress ctrl+z\npress ctrl+z") == "");
    CHECK(lessons.hands(0).empty());
    CHECK(stage.question() == before);
    CHECK(lessons.card_number() == 2);
    REQUIRE(stage.run("lesson card 2\ntype 0,55=12\npress enter") == "");
    CHECK(lessons.votes(0).size() == 1);
    REQUIRE(stage.run("press page_down\nwait 2") == "");
    CHECK(lessons.answer(1, 0));
}

TEST_CASE("a number is guessed by typing it; until then the bar shows none") {
    Stage stage("translate-en-pt", 1280, 720);
    REQUIRE(stage.run("animation off\nlesson open 03\nlesson card 2\nwait 2") == "");
    const auto bar = stage.names().find("lesson.guess");
    REQUIRE(bar);
    const auto pixel_at = [&](float share) {
        const Image image = stage.display().capture();
        const std::uint8_t* p = image.pixel(int(std::lerp(bar->min.x + px(8), bar->max.x - px(8), share)),
                                            int(bar->max.y - px(8)));
        return std::array<int, 3>{p[0], p[1], p[2]};
    };
    CHECK(pixel_at(0.5f) == pixel_at(0.3f)); // the track alone
    REQUIRE(stage.run("type 0,4") == "");
    CHECK(pixel_at(0.4f) != pixel_at(0.6f)); // the knob, where it was typed
    REQUIRE(stage.run("press ctrl+a\npress backspace") == "");
    REQUIRE(stage.run("type 0,55\npress enter") == "");
    REQUIRE(stage.host().lessons().answer(1, 0));
    CHECK(stage.host().lessons().answer(1, 0)->is_right);
}
