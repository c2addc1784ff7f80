// Lessons as anybody may write them.
#include "tests/fuzz/folder_input.h"
#include "tests/fuzz/sessions.h"
#include "tests/fuzz/targets.h"

#include "app/lessons/lesson_check.h"
#include "app/lessons/player.h"

namespace headlight::fuzz {

namespace {

void read_and_take(std::string_view input, const Judge& judge) {
    static InputFolder folder;
    const std::filesystem::path file = folder.file("lesson.en.md", input);
    const Result<Lesson> lesson = read_lesson_file(file);
    if (!judge.accepts(lesson, file.string())) return;
    for (const LessonFault& fault : lesson->faults) {
        judge.error(fault.error);
        const std::string text = fault_text(*lesson, fault, judge.strings());
        judge.expect(text.find("lesson.en.md") != text.npos, "the fault names no file: " + text);
    }
    const std::filesystem::path assets = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets";
    for (const LessonFault& fault : check_lesson(*lesson, assets, judge.strings())) judge.error(fault.error);
    const bool has_model = input.size() % 8 != 0; // none could be opened: lessons can be read all the same
    Session& session =
        has_model ? session_with_model("lessons") : session_without_model("lessons without a model");
    static LessonPlayer with_model(session_with_model("lessons")),
        without(session_without_model("lessons without a model"));
    LessonPlayer& player = has_model ? with_model : without;
    if (!judge.accepts(session.execute("lesson open " + file.string()))) return;
    constexpr std::size_t most_cards = 4; // each sets up the window anew
    for (std::size_t card = 0; card < std::min(lesson->cards.size(), most_cards); ++card) {
        (void)judge.accepts(session.execute("lesson card " + std::to_string(card + 1)));
        for (const char* line :
             {"lesson answer 0.5", "lesson answer 1", "lesson point 1", "lesson choose 1", "lesson reveal",
              "lesson hands on", "lesson do save", "lesson forward", "lesson again"})
            (void)judge.accepts(session.execute(line));
        player.advance(0.1);
    }
    (void)judge.accepts(session.execute("lesson close"));
    if (!has_model && session.has_model()) judge.outcome("a lesson opens a model");
}

} // namespace

Target lesson_target() {
    return {.name = "lesson",
            .examples = {"assets/lessons/*.md"},
            .words = {"# Title\n",
                      "## Card\n",
                      "```setup\nmodel copy\n```\n",
                      "```predict number encoder.0.self_attn.weights 0 0 0 within 0.1\nHow much?\n```\n",
                      "```predict cell encoder.0.self_attn.weights 0 0\nWhich?\n```\n",
                      "```predict choice\nWhich?\n- [ ] a\n- [x] b\n- [ ] c if said \"a\"\n```\n",
                      "```done\nsaid \"a\"\nchanged encoder.output\nasked encoder.output\n```\n",
                      "```aside\nx\n```\n",
                      "[w](cell:encoder.output 0 0 0)",
                      "[w](value:encoder.output)",
                      "[w](do:step last)",
                      "$\\frac{a}{b}$",
                      "| a | b |\n|---|---|\n| 1 | 2 |\n",
                      "<!-- ",
                      "-->",
                      "](cell:",
                      " if ",
                      "- [x] ",
                      "**",
                      "*",
                      "`",
                      "```",
                      "&nbsp;",
                      "learnt lstm 1e300\n",
                      "strayed\n",
                      "larger encoder.output 0 0 0 encoder.output 0 0 1\n",
                      "expect encoder.output 0 0 0 1e400 nan\n"},
            .read = read_and_take,
            .runs = 60};
}

} // namespace headlight::fuzz
