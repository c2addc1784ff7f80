// The menu of files, the window's own chooser, and the desktop's, operated as a person does.
#include "app/platform/desktop_chooser.h"
#include "app/platform/image.h"
#include "app/session/exporting.h"
#include "app/ui/widgets/text.h"
#include "tests/app/ui/stage.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace fs = std::filesystem;
using namespace headlight;

namespace {

// A window whose choosers begin in a folder of the test's own.
struct FilesStage : Stage {
    FilesStage() { session().recall_files({}, folder.path()); }
    TemporaryFolder folder;

    std::string told() { return view().notice ? view().notice->text : ""; }
};

// A program that stands for the desktop's chooser.
fs::path script(const TemporaryFolder& folder, const std::string& name, const std::string& lines) {
    const fs::path file = folder.write(name, "#!/bin/sh\n" + lines);
    fs::permissions(file, fs::perms::owner_all);
    return file;
}

DesktopChooser::State answer_of(DesktopChooser& chooser) {
    for (int i = 0; i < 2000 && chooser.poll() == DesktopChooser::State::asking; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return chooser.poll();
}

} // namespace

TEST_CASE("everything is opened and saved from one menu, by pointer and by keys") {
    FilesStage stage;
    REQUIRE(stage.run("click more\n") == "");
    for (const char* name :
         {"files.open", "files.save", "files.save_now", "files.run", "files.model", "files.pairs"})
        CHECK_MESSAGE(stage.names().find(name), name);
    CHECK_FALSE(stage.names().find("files.save_run")); // there is no run
    REQUIRE(stage.run("click files.save\n") == "");
    REQUIRE(stage.view().files.choosing);
    REQUIRE(stage.names().find("chooser"));
    CHECK_FALSE(stage.names().find("files.open"));
    REQUIRE(stage.run("press escape\n") == "");
    CHECK_FALSE(stage.view().files.choosing);

    REQUIRE(stage.run("source I am fine\npress ctrl+s\ntype my lesson\npress enter\n") == "");
    CHECK_FALSE(stage.view().files.choosing);
    REQUIRE(fs::exists(stage.folder / "my lesson.headlight"));
    CHECK(stage.told().find("my lesson.headlight") != std::string::npos);
    stage.frame(300); // seconds go by, and so does the note
    CHECK(stage.told().empty());
    REQUIRE(stage.run("source You are welcome\npress ctrl+s\n") == "");
    CHECK_FALSE(stage.view().files.choosing); // its file is known by now
    REQUIRE(stage.run("source I\npress ctrl+o\npress down\npress enter\n") == "");
    CHECK(stage.question().source == "You are welcome");
    REQUIRE(stage.run("source I\nclick more\nclick files.recent.0\n") == "");
    CHECK(stage.question().source == "You are welcome");
    CHECK(stage.session().strings().missing().empty());
}

TEST_CASE("every line of what is shared does what it says, with a lesson and without") {
    FilesStage stage;
    REQUIRE(stage.run("source I am fine\ngoto decoder.0.self_attn.weights\nwait 3") == "");
    for (const bool taught : {false, true}) {
        REQUIRE(stage.run(taught ? "lesson open 07\nlesson reveal\nwait 3" : "wait 1") == "");
        for (const char* name : {"table", "tsv", "latex", "numpy", "markdown", "shown", "card", "page",
                                 "canvas", "window", "story", "lesson", "session"}) {
            CAPTURE(name);
            const std::string line = std::string("share.") + name;
            REQUIRE(stage.run("notice off\nclick share\nwait 2") == "");
            const bool offered = stage.names().find(line).has_value();
            CHECK(offered == (std::string_view(name) != "lesson" || taught));
            if (!offered) {
                REQUIRE(stage.run("press escape\nwait 2") == "");
                continue;
            }
            REQUIRE(stage.run("click " + line + "\nwait 2") == "");
            CHECK_FALSE((stage.view().notice && stage.view().notice->is_error));
            CHECK((stage.view().files.choosing || stage.view().asking.copied.size() > 10));
            REQUIRE(stage.run("choose off\nwait 2") == "");
        }
    }
}

TEST_CASE(
    "a picture asks for a place and offers a good name; a name alone is enough; all heads shown are saved") {
    FilesStage stage;
    REQUIRE(
        stage.run("theme light\nanimation off\nresize 1600 1200\ngoto decoder.1.cross_attn.weights\nwait 3\n")
        == "");
    REQUIRE(stage.run("click share\nclick share.shown\nwait 2\n") == "");
    REQUIRE(stage.view().files.choosing);
    CHECK_FALSE(stage.view().show_palette);
    CHECK(stage.view().files.choosing->name == "decoder.1.cross_attn.weights.png");
    REQUIRE(stage.run("press enter\nwait 5\n") == "");
    CHECK(parts_shown(stage.session()).size() == 4);
    const Result<Image> all = read_png((stage.folder / "decoder.1.cross_attn.weights.png").string());
    REQUIRE(all);
    CHECK(all->pixel(2, 2)[0] > 200); // light, as the window is
    // A dot in it is no ending.
    REQUIRE(stage.run("choose export\npress ctrl+a\ntype heat.map\npress enter\nwait 5\n") == "");
    CHECK(fs::exists(stage.folder / "heat.map.png"));
    REQUIRE(stage.run("head 2\nclick share\nclick share.shown\nwait 2\n") == "");
    CHECK(stage.view().files.choosing->name == "decoder.1.cross_attn.weights.head-3.png");
    REQUIRE(stage.run("press ctrl+a\ntype one.png\npress enter\nwait 5\n") == "");
    const Result<Image> one = read_png((stage.folder / "one.png").string());
    REQUIRE(one);
    CHECK(all->width != one->width);
    CHECK(parts_shown(stage.session()).size() == 1);
    // Tables, too.
    REQUIRE(stage.run("choose export\npress ctrl+a\ntype table.csv\npress enter\nwait 2\n") == "");
    CHECK(fs::exists(stage.folder / "table.csv"));
}

TEST_CASE("a picture of the window is saved without the chooser in it") {
    FilesStage stage;
    REQUIRE(stage.run("animation off\nfit\nhover step.play\nwait 40\n") == "");
    const std::string file = (stage.folder / "a picture.png").string();
    REQUIRE(stage.run("choose picture\ntype a picture\npress enter\nwait 3\n") == "");
    const Result<Image> picture = read_png(file);
    REQUIRE(picture);
    CHECK(picture->width == 1280);
    CHECK(picture->height == 800);
    CHECK(stage.told().find("a picture.png") != std::string::npos);
    REQUIRE(stage.run("picture " + (stage.folder / "no such folder/x.png").string() + "\nwait 3\n") == "");
    REQUIRE(stage.view().notice);
    CHECK(stage.view().notice->is_error);
}

TEST_CASE("the chooser is worked with keys alone: typing, arrows, Tab, Backspace, Enter, Escape") {
    FilesStage stage;
    fs::create_directory(stage.folder / "lessons");
    for (const char* name : {"lessons/one.headlight", "lessons/two.headlight", "other.headlight"})
        stage.folder.write(name, "source I am fine\n");
    REQUIRE(stage.run("source I\nchoose open\npress down\npress enter\n") == ""); // the folder comes first
    REQUIRE(stage.view().files.choosing);
    REQUIRE(stage.names().find("chooser.row.1")); // two sessions there
    CHECK_FALSE(stage.names().find("chooser.row.2"));
    REQUIRE(stage.run("press backspace\n") == "");
    CHECK(stage.names().find("chooser.row.1"));
    REQUIRE(stage.run("type le\npress tab\ntype t\npress enter\n") == ""); // lessons/ two
    CHECK_FALSE(stage.view().files.choosing);
    CHECK(stage.view().files.session == stage.folder / "lessons/two.headlight");
    CHECK(stage.question().source == "I am fine");
    // What was typed before is not there any more; Escape leaves everything as it was.
    REQUIRE(stage.run("source I\nchoose open\ntype two\npress escape\n") == "");
    CHECK_FALSE(stage.view().files.choosing);
    CHECK(stage.question().source == "I");
    const Index step = stage.view().step;
    REQUIRE(stage.run("press right\n") == ""); // keys are the window's again
    CHECK(stage.view().step == step + 1);
}

TEST_CASE("a click marks, a second one takes, and a file that is there is not written over by one Enter") {
    FilesStage stage;
    stage.folder.write("there.headlight", "source I am fine\n");
    REQUIRE(stage.run("source I\nchoose open\nclick chooser.row.0\n") == "");
    CHECK(stage.view().files.choosing);
    CHECK(stage.question().source == "I");
    stage.frame(60); // so that the next is no second click of a double one
    REQUIRE(stage.run("click chooser.row.0\nclick chooser.row.0\n") == "");
    CHECK_FALSE(stage.view().files.choosing);
    CHECK(stage.question().source == "I am fine");

    stage.folder.write("there.headlight", "precious");
    REQUIRE(stage.run("choose save\npress ctrl+a\ntype there\npress enter\n") == "");
    CHECK(stage.view().files.choosing);
    CHECK(stage.names().find("chooser.remark"));
    CHECK(stage.folder.read("there.headlight") == "precious");
    REQUIRE(stage.run("press escape\n") == "");
    CHECK(stage.folder.read("there.headlight") == "precious");
    REQUIRE(stage.run("choose save\npress ctrl+a\ntype there\npress enter\nclick chooser.go\n") == "");
    CHECK_FALSE(stage.view().files.choosing);
    CHECK(stage.folder.read("there.headlight") != "precious");
}

TEST_CASE("a line of the palette is taken by a click") {
    FilesStage stage;
    REQUIRE(stage.run("press ctrl+k\ntype beams\nclick palette.0\nwait 2\n") == "");
    CHECK_FALSE(stage.view().show_palette);
    CHECK(stage.view().room == Room::say);
    CHECK(stage.view().generation.page == GenerationPage::beams);
    REQUIRE(stage.run("press ctrl+k\ntype masks\npress enter\nwait 2\n") == "");
    CHECK(stage.view().heads.page == HeadsPage::masks);
    // Who writes a command is told how it goes on.
    REQUIRE(stage.run("press ctrl+k\ntype desk m\nclick palette.0\nwait 2\n") == "");
    CHECK_FALSE(stage.view().show_palette);
    CHECK(stage.view().training_pages.chosen == TrainingPage::checkpoints);
    REQUIRE(stage.run("press ctrl+k\ntype goto enc\nclick palette.0\nwait 2\n") == "");
    CHECK_FALSE(stage.view().show_palette);
}

TEST_CASE("three thousand files are scrolled, searched and drawn within a frame") {
    FilesStage stage;
    for (int i = 0; i < 3000; ++i) {
        char name[32];
        std::snprintf(name, sizeof name, "lesson %04d.headlight", i);
        stage.folder.write(name, i == 1234 ? "source I am fine\n" : "");
    }
    REQUIRE(stage.run("source I\nchoose open\n") == "");
    CHECK_FALSE(stage.names().find("chooser.row.100")); // what is out of sight is not laid out
    const auto begin = std::chrono::steady_clock::now();
    stage.frame(10);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
    REQUIRE(stage.run("press up\n") == ""); // from none to the last
    CHECK(stage.names().find("chooser.row.2999"));
    REQUIRE(stage.run("press page_up\npress up\n") == "");
    CHECK(stage.names().find("chooser.row.2990"));
    REQUIRE(stage.run("type 1234\npress enter\n") == "");
    CHECK(stage.question().source == "I am fine");
}

TEST_CASE("a chooser stands hostile names, closed and vanished folders, any size, both languages") {
    FilesStage stage;
    for (const char* name : {"line\nbreak.headlight", "broken \xff.headlight", "\"quoted\".headlight",
                             "\xF0\x9F\x90\x88.headlight", " blank .headlight"})
        stage.folder.write(name, "source I am fine\n");
    fs::create_directory(stage.folder / "gone");
    for (int i = 0; i < 5; ++i) {
        REQUIRE(stage.run("source I\nchoose open\n") == "");
        for (int down = 0; down <= i + 1; ++down) REQUIRE(stage.run("press down\n") == "");
        REQUIRE(stage.run("press enter\n") == "");
        CHECK(stage.question().source == "I am fine");
    }
    REQUIRE(stage.run("choose open\ntype gone/\n") == "");
    fs::remove(stage.folder / "gone");
    REQUIRE(stage.run("click chooser.every\npress enter\n") == "");
    CHECK(stage.view().files.choosing);
    for (const char* request : {"open", "save", "run", "save_run", "model", "pairs", "picture"})
        for (const char* language : {"en", "pt"})
            for (const char* presenter : {"off", "on"})
                for (const auto& [width, height] : {std::pair{1280, 720}, {560, 420}, {320, 240}, {1, 1}}) {
                    INFO(request << " " << language << " " << presenter << " " << width);
                    stage.display().resize(width, height);
                    CHECK(stage.session().execute(std::string("choose ") + request));
                    CHECK(stage.session().execute(std::string("language ") + language));
                    CHECK(stage.session().execute(std::string("presenter ") + presenter));
                    std::vector<std::string> cut;
                    stage.frame(2);
                    if (width == 1280) {
                        REQUIRE(stage.session().execute("choose open here"));
                        note_cut_texts(&cut);
                        stage.frame(2);
                        note_cut_texts(nullptr);
                        for (const std::string& text : cut)
                            CHECK_MESSAGE(text.find("chooser") == std::string::npos, text);
                    }
                    CHECK(stage.session().execute("choose off"));
                    stage.frame(1);
                }
    CHECK(stage.session().strings().missing().empty());
}

TEST_CASE("the desktop's chooser is asked beside the window, and its answer is a command") {
    const TemporaryFolder programs;
    FilesStage stage;
    const std::string name = "two \"words\" .headlight";
    stage.folder.write(name, "source I am fine\n");
    const auto choose = [&](const std::string& lines, const std::string& request) {
        stage.run("source I\n");
        Host& host = stage.host();
        host.desktop_files().use(DesktopChooser(script(programs, "zenity", lines)));
        REQUIRE(stage.session().execute("choose " + request));
        for (int i = 0; i < 600; ++i) { // no frame waits for it
            stage.frame(1);
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    };
    choose("sleep 0.1; printf '%s\\n' '" + (stage.folder / name).string() + "'\n", "open");
    CHECK(stage.question().source == "I am fine");
    CHECK_FALSE(stage.view().files.choosing);
    choose("sleep 0.6; exit 1\n", "open"); // closed without an answer
    CHECK(stage.question().source == "I");
    CHECK_FALSE(stage.view().files.choosing);
    choose("printf '%s\\n' '" + (stage.folder / "new").string() + "'\n", "save");
    CHECK(fs::exists(stage.folder / "new.headlight"));
    choose("exit 1\n", "open"); // it does not come up: the window's own takes its place
    REQUIRE(stage.view().files.choosing);
    CHECK(stage.names().find("chooser"));
}

TEST_CASE("the desktop's chooser is the one of PATH and of the desktop in use; what it was asked is what it "
          "shows") {
    struct Variable { // as it was before, afterwards
        const char* name;
        std::optional<std::string> before;
        Variable(const char* variable, const std::string& value) : name(variable) {
            if (const char* present = std::getenv(variable)) before = present;
            ::setenv(name, value.c_str(), 1);
        }
        ~Variable() { before ? ::setenv(name, before->c_str(), 1) : ::unsetenv(name); }
    };
    const TemporaryFolder programs, empty;
    FilesStage stage;
    // Each writes down with what it was called, answers what a file says, and ends as another says.
    for (const char* name : {"zenity", "kdialog"})
        script(programs, name,
               "here=$(dirname \"$0\")\nprintf '%s\\n' \"$(basename \"$0\")\" \"$@\" > \"$here/asked\"\n"
               "sleep $(cat \"$here/seconds\")\ncat \"$here/answer\"\nexit $(cat \"$here/status\")\n");
    const auto choose = [&](const std::string& request, const std::string& answer, const char* status,
                            const char* seconds) {
        programs.write("answer", answer);
        programs.write("status", status);
        programs.write("seconds", seconds);
        programs.write("asked", "");
        REQUIRE(stage.run("source I") == "");
        stage.host().desktop_files().use(DesktopChooser::find());
        REQUIRE(stage.session().execute("choose " + request));
        for (int i = 0; i < 400; ++i) {
            stage.frame(1);
            std::this_thread::sleep_for(std::chrono::milliseconds(3));
        }
        return programs.read("asked");
    };
    const std::string system_path = std::getenv("PATH");
    const Variable path("PATH", programs.path().string() + ":" + system_path), display("DISPLAY", ":0");
    stage.folder.write("lesson.headlight", "source I am fine\n");
    const std::string lesson = (stage.folder / "lesson.headlight").string();
    for (const std::string desktop : {"GNOME", "KDE"}) {
        INFO(desktop);
        const Variable current("XDG_CURRENT_DESKTOP", desktop);
        const std::string program = desktop == "KDE" ? "kdialog" : "zenity";
        const std::string asked = choose("open", lesson + "\n", "0", "0");
        CHECK(asked.starts_with(program + "\n"));
        CHECK(asked.find(stage.folder.path().string()) != std::string::npos); // begins where one was last
        CHECK(asked.find("*.headlight") != std::string::npos);
        CHECK(stage.question().source == "I am fine");
        CHECK_FALSE(stage.view().files.choosing);

        const std::string target = (stage.folder / ("saved by " + program + ".headlight")).string();
        const std::string saving = choose("save", target + "\n", "0", "0");
        CHECK(saving.find(desktop == "KDE" ? "--getsavefilename" : "--save") != std::string::npos);
        CHECK(fs::exists(target));
        CHECK(
            choose("model", "", "1", "0.6").find(desktop == "KDE" ? "--getexistingdirectory" : "--directory")
            != std::string::npos); // closed after a while: nobody wanted anything
        CHECK(stage.question().source == "I");
        CHECK_FALSE(stage.view().files.choosing);

        choose("open", "", "1",
               "0"); // ends at once: it has not come up, and the window's own takes its place
        CHECK(stage.view().files.choosing);
        CHECK(stage.names().find("chooser"));
        REQUIRE(stage.run("press escape") == "");
    }
    const Variable current("XDG_CURRENT_DESKTOP", "GNOME");
    const Variable nowhere("PATH", empty.path().string());
    CHECK_FALSE(DesktopChooser::find()); // none is installed
    const Variable no_display("DISPLAY", ""), no_wayland("WAYLAND_DISPLAY", "");
    const Variable again("PATH", programs.path().string());
    CHECK_FALSE(DesktopChooser::find()); // there is no desktop
}

TEST_CASE("a chooser that opens takes the palette's place") {
    FilesStage stage;
    REQUIRE(stage.run("press ctrl+k\npress ctrl+o\n") == "");
    CHECK(stage.names().find("chooser"));
    CHECK_FALSE(stage.view().show_palette);
}

TEST_CASE("a desktop's chooser is asked in its own words, and ends with the window") {
    const TemporaryFolder folder;
    DesktopQuestion question{"Save", folder.path(), "my lesson.headlight", {"*.headlight", "*.txt"}, true};
    const std::vector<std::string> zenity = arguments_of("/usr/bin/zenity", question);
    CHECK(zenity
          == std::vector<std::string>{"/usr/bin/zenity", "--file-selection", "--title=Save",
                                      "--filename=" + (folder / "my lesson.headlight").string(), "--save",
                                      "--confirm-overwrite", "--file-filter=*.headlight *.txt",
                                      "--file-filter=*"});
    question.saves = false;
    question.folders = true;
    CHECK(arguments_of("/usr/bin/kdialog", question)[3] == "--getexistingdirectory");
    question.folders = false;
    CHECK(arguments_of("/usr/bin/kdialog", question)[5] == "*.headlight *.txt");

    DesktopChooser missing(folder / "no such program");
    missing.ask(question);
    CHECK(answer_of(missing) == DesktopChooser::State::failed);
    DesktopChooser odd(script(folder, "odd", "printf 'relative\\n'\n"));
    odd.ask(question);
    CHECK(answer_of(odd) == DesktopChooser::State::cancelled); // an answer that is no path is none
    const auto begin = std::chrono::steady_clock::now();
    {
        DesktopChooser slow(script(folder, "slow", "exec sleep 60\n"));
        slow.ask(question);
        CHECK(slow.poll() == DesktopChooser::State::asking);
        slow.ask(question); // instead of the first
    }
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
}

TEST_CASE(
    "what a desktop hands over is opened by what it is: a session, a lesson, a model by its config.json") {
    FilesStage stage;
    const fs::path assets = fs::path(HEADLIGHT_SOURCE_DIR) / "assets";
    stage.host().open_file(assets / "models/copy/config.json");
    CHECK(stage.question().model.filename() == "copy");
    CHECK(stage.told() == "");

    stage.host().open_file(assets / "lessons/05-six-steps.pt.md");
    stage.frame(3);
    CHECK(stage.host().lessons().is_open());

    stage.host().open_file(stage.folder.write("mine.headlight", "source the cat\n"));
    CHECK(stage.question().source == "the cat");

    stage.host().open_file(stage.folder.path() / "nothing/config.json");
    CHECK(stage.told() != "");
}
