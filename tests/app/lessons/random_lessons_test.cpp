// Thousands of lessons that nobody would write: read, checked, recorded into, and taken from their first card
// to their last, in a window that began with nothing open and is then full of what the lessons before left.
#include "app/lessons/homework.h"
#include "app/lessons/lesson_check.h"
#include "app/lessons/player.h"
#include "app/lessons/setup_writer.h"
#include "tests/app/lessons/random_lesson.h"
#include "tests/support/soak.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace headlight;
namespace fs = std::filesystem;

namespace {

const fs::path assets = fs::path(HEADLIGHT_SOURCE_DIR) / "assets";

// With HEADLIGHT_LESSONS=N in the environment so many.
int lessons_to_take() {
    if (const char* wished = std::getenv("HEADLIGHT_LESSONS")) return std::atoi(wished);
    return test::soaks() ? 3000 : 40;
}

std::vector<std::string> links_of(const Lesson& lesson) {
    std::vector<std::string> commands;
    for (const LessonCard& card : lesson.cards)
        for (const LessonBlock& block : card.blocks)
            for (const LessonSpan& span : block.text)
                if (span.link == LessonSpan::Link::command) commands.push_back(span.target);
    return commands;
}

class Taker {
public:
    explicit Taker(std::uint32_t seed) : random_(seed) {}

    void take(const fs::path& file) {
        (void)session_.execute("language en");
        if (!session_.execute("lesson open " + file.string())) return;
        const std::size_t cards = lessons_.lesson().cards.size();
        for (const std::string& command : links_of(lessons_.lesson())) do_line("lesson do " + command);
        for (std::size_t card = 0; card < cards; ++card) {
            do_line("lesson card " + std::to_string(card + 1));
            for (int act = 0; act < 6; ++act) do_line(acts[random_() % std::size(acts)]);
        }
        // What a session keeps of it can be opened.
        std::string kept;
        for (const std::string& line : session_.as_commands()) kept += line + "\n";
        if (!kept.empty()) {
            const Result<Done> done = session_.replay(kept, "kept");
            CAPTURE(kept);
            CHECK_MESSAGE(done, (done ? "" : session_.strings().text(done.error())));
        }
        do_line("lesson close");
    }

    // A link may be one that goes on by itself.
    void rest() {
        for (const char* line :
             {"train pause", "race stop", "costs stop", "choose off", "help off", "palette off"})
            (void)session_.execute(line);
    }

private:
    static constexpr const char* acts[] = {"lesson choose 1",
                                           "lesson choose 2",
                                           "lesson answer 0.5",
                                           "lesson point 1",
                                           "lesson reveal",
                                           "lesson forward",
                                           "lesson again",
                                           "lesson setup",
                                           "undo",
                                           "lesson card back",
                                           "lesson hands on",
                                           "lesson hands off",
                                           "lesson notes on",
                                           "homework by A",
                                           "select encoder.output 0 0 0",
                                           "model copy",
                                           "lesson card next",
                                           "source a b c",
                                           "redo",
                                           "room explore"};

    void do_line(const std::string& line) {
        CAPTURE(line);
        (void)session_.execute(line);
        lessons_.advance(0.1);
        session_.advance(0.01);
    }

    Session session_{assets, *Strings::load(assets)};
    LessonPlayer lessons_{session_};
    std::mt19937 random_;
};

} // namespace

TEST_CASE("lessons that nobody would write are read, checked and taken, and neither write nor wait") {
    const TemporaryFolder folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path()); // where a relative name would be written
    const Strings strings = *Strings::load(assets);
    Taker taker(7);
    int clean = 0;
    for (int seed = 1; seed <= lessons_to_take(); ++seed) {
        CAPTURE(seed);
        const std::string text = test::RandomLesson(std::uint32_t(seed)).text();
        const fs::path file = folder.write("lesson.en.md", text);
        const Result<Lesson> lesson = read_lesson_file(file);
        REQUIRE(lesson);
        const std::vector<LessonFault> faults = check_lesson(*lesson, assets, strings);
        clean += faults.empty() ? 1 : 0;
        for (const LessonFault& fault : faults) {
            const std::string told = fault_text(*lesson, fault, strings);
            CHECK(told.starts_with(file.string() + ":"));
            CHECK(fault.line >= 1);
            CHECK(fault.line <= std::count(text.begin(), text.end(), '\n') + 1);
        }
        for (std::size_t card = 0; card < lesson->cards.size(); ++card) {
            const Lesson recorded = read_lesson(with_setup(text, card, {"model copy", "source abc"}));
            REQUIRE(recorded.cards.size() == lesson->cards.size());
            CHECK(recorded.cards[card].setup.size() == 2);
        }
        taker.take(file);
        taker.rest();
        CHECK(folder.count_files() == 1);
        CHECK(folder.read("lesson.en.md") == text); // nor is the lesson itself another
    }
    CHECK(clean < lessons_to_take());
    fs::current_path(before);
}
