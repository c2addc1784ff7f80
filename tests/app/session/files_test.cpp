// Choosing files, and the commands that open and save them.
#include "app/session/file_chooser.h"
#include "app/session/loaded_model.h"
#include "app/session/session.h"
#include "tests/app/session/changed_session.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;
using namespace headlight;
using namespace headlight::test;

namespace {

// Names that people, other systems and broken disks make.
const std::vector<std::string> hostile = {"two words.txt",        " blank before.txt",   "blank behind.txt ",
                                          "\"quoted\".txt",       "\"both ends\"",       "half a \"quote.txt",
                                          "tab\tin it.txt",       "line\nbreak.txt",     "line end.txt\n",
                                          "back\\slash.txt",      "-dash.txt",           "~.txt",
                                          "#not a remark.txt",    "$HOME `ls` ; rm.txt", "ação ñ 猫.txt",
                                          "\xF0\x9F\x90\x88.txt", "broken \xff\xfe.txt"};

std::vector<std::string> names_of(const FileChooser& chooser) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < chooser.rows().size(); ++i) names.push_back(chooser.row(i).name);
    return names;
}

struct SessionFolder : TemporaryFolder {
    SessionFolder() {
        fs::create_directory(path() / "lessons");
        fs::create_directory(path() / "Letters");
        for (const char* name : {"b.headlight", "Änderung.headlight", "a.txt", "picture.png", ".hidden.txt"})
            write(name, "");
    }
};

} // namespace

TEST_CASE("a name of any bytes goes through a command line and comes back as it was") {
    const TemporaryFolder folder;
    for (const std::string& name : hostile) {
        CAPTURE(name);
        const auto session = a_session();
        run(*session, "save " + file_argument(folder / name));
        REQUIRE(fs::exists(folder / name));
        CHECK(session->view().files.session == folder / name);
        run(*session, "open " + file_argument(folder / name));
        REQUIRE(session->view().files.recent.size() == 1);
        CHECK(session->view().files.recent.front() == "open " + file_argument(folder / name));
        CHECK(session->execute(session->view().files.recent.front()));
        CHECK(shown_name(name).find_first_of("\n\t\xff") == std::string::npos);
        CHECK(fs::remove(folder / name));
    }
    CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("a session of a model in a folder of any name opens again") {
    const TemporaryFolder folder;
    for (const char* name : {"line\nbreak", "two words ", "$'quoted'", "back\\slash\nand 'quotes'"}) {
        CAPTURE(name);
        fs::copy(fs::path(HEADLIGHT_SOURCE_DIR) / "assets/models/copy", folder / name);
        const auto session = a_session();
        run(*session, "model " + file_argument(folder / name));
        run(*session, "save " + (folder / "one.headlight").string());
        const auto later = a_session();
        run(*later, "open " + (folder / "one.headlight").string());
        CHECK(later->question().model == folder / name);
    }
}

TEST_CASE("a session is saved again where it was opened, and asks where as long as it has no file") {
    const TemporaryFolder folder;
    const std::string file = (folder / "lesson.headlight").string();
    const auto session = a_session();
    run(*session, "save");
    REQUIRE(session->view().files.choosing);
    CHECK(session->view().files.choosing->request == FileRequest::save_session);
    run(*session, "choose off");
    run(*session, "save " + file);
    REQUIRE(session->view().notice);
    CHECK(session->view().notice->text.find("lesson.headlight") != std::string::npos);
    CHECK(session->view().notice->seconds_left > 0); // it goes by itself
    run(*session, "source I am fine");
    run(*session, "save");
    CHECK_FALSE(session->view().files.choosing);
    const auto another = a_session("You are welcome");
    run(*another, "open " + file);
    CHECK(another->question().source == "I am fine");
    CHECK(another->view().files.session == fs::path(file));
    // An example of the lecture is none of the person's files.
    run(*another, "classroom " + another->classroom().front());
    CHECK(another->view().files.session.empty());
}

TEST_CASE("what is used of late stands first, once, and shipped models are not among it") {
    const TemporaryFolder folder;
    const auto session = a_session();
    for (int i = 0; i < 12; ++i) run(*session, "save " + (folder / (std::to_string(i) + ".txt")).string());
    run(*session, "open " + (folder / "7.txt").string());
    run(*session, "model copy");
    run(*session, "model " + (session->assets() / "models/reverse").string());
    const std::vector<std::string>& recent = session->view().files.recent;
    REQUIRE(recent.size() == Files::most_recent);
    CHECK(recent[0] == "open " + (folder / "7.txt").string());
    CHECK(recent[1] == "open " + (folder / "11.txt").string());
    CHECK(std::count(recent.begin(), recent.end(), recent[0]) == 1);
    CHECK(session->view().files.folder == folder.path());
}

TEST_CASE("a chooser lists folders first, files of the kind, and the rest when it is asked for") {
    const SessionFolder folder;
    FileChooser chooser(FileRequest::open_session, folder.path());
    CHECK(names_of(chooser)
          == std::vector<std::string>{"lessons", "Letters", "a.txt", "Änderung.headlight", "b.headlight"});
    CHECK(chooser.marked() == -1);
    chooser.show_every(true);
    CHECK(names_of(chooser).size() == 7);
    chooser.show_every(false);
    chooser.type("and");
    CHECK(names_of(chooser) == std::vector<std::string>{"Änderung.headlight"});
    CHECK(chooser.marked() == 0);
    CHECK(chooser.accept() == "open " + (folder / "Änderung.headlight").string());
    chooser.type("b");
    CHECK(chooser.row(std::size_t(chooser.marked())).name == "b.headlight"); // begins with it
    chooser.type("nothing of the kind");
    CHECK(chooser.rows().empty());
    CHECK_FALSE(chooser.accept());
    REQUIRE(chooser.problem());
    CHECK(chooser.problem()->key == "error.file_missing");
}

TEST_CASE("a path is typed, completed and followed; folders are entered and left") {
    const SessionFolder folder;
    std::ofstream(folder / "lessons/first.headlight") << "room heads\n";
    std::ofstream(folder / "lessons/final.headlight") << "room heads\n";
    FileChooser chooser(FileRequest::open_session, "/");
    chooser.type((folder / "les").string());
    CHECK(chooser.folder() == folder.path());
    chooser.complete();
    CHECK(chooser.text() == (folder / "lessons/").string());
    CHECK(chooser.folder() == folder / "lessons");
    chooser.type(chooser.text() + "f");
    chooser.complete();
    CHECK(chooser.text() == (folder / "lessons/fi").string()); // as far as both agree
    chooser.complete();
    CHECK(chooser.text() == (folder / "lessons/fi").string());
    chooser.move_mark(1);
    CHECK(chooser.accept() == "open " + (folder / "lessons/first.headlight").string());
    chooser.go_up();
    CHECK(chooser.folder() == folder.path());
    CHECK(chooser.row(std::size_t(chooser.marked())).name == "lessons"); // where one came from
    CHECK_FALSE(chooser.accept());
    CHECK(chooser.folder() == folder / "lessons");
    chooser.type("../Letters/");
    CHECK(chooser.folder() == folder / "Letters");
    for (int i = 0; i < 40; ++i) chooser.go_up();
    CHECK(chooser.folder() == "/");
    chooser.type("~");
    CHECK_FALSE(chooser.accept());
    CHECK(chooser.folder() == fs::path(std::getenv("HOME")).lexically_normal());
}

TEST_CASE("something new gets its ending, and nothing is written over unasked") {
    const SessionFolder folder;
    FileChooser chooser(FileRequest::save_session, folder.path(), "lesson.headlight");
    CHECK(chooser.text() == "lesson.headlight");
    CHECK(names_of(chooser).size() == 5); // nothing is filtered away by a new name
    CHECK(chooser.accept() == "save " + (folder / "lesson.headlight").string());
    chooser.type("new");
    CHECK(chooser.accept() == "save " + (folder / "new.headlight").string());
    chooser.type("b");
    CHECK_FALSE(chooser.accept());
    CHECK(chooser.asks_to_replace());
    chooser.type("b.headlight"); // typing on takes the question back
    CHECK_FALSE(chooser.asks_to_replace());
    CHECK_FALSE(chooser.accept());
    CHECK(chooser.accept() == "save " + (folder / "b.headlight").string());
    chooser.mark(2);
    CHECK(chooser.text() == "a.txt");
    chooser.type("no such folder/x");
    CHECK_FALSE(chooser.accept());
    CHECK(chooser.problem()->key == "error.no_such_folder");
    chooser.mark(0); // a folder is entered; the name stays
    chooser.type("kept");
    chooser.go_to(folder / "lessons");
    CHECK(chooser.text() == "kept");
    CHECK(chooser.accept() == "save " + (folder / "lessons/kept.headlight").string());
    CHECK(free_name(folder.path(), "b.headlight") == "b 2.headlight");
    CHECK(free_name(folder.path(), "c.headlight") == "c.headlight");
}

TEST_CASE("folders of models are told from others, and chosen instead of entered") {
    const fs::path models = fs::path(HEADLIGHT_SOURCE_DIR) / "assets/models";
    FileChooser chooser(FileRequest::open_model, models);
    chooser.type("copy");
    CHECK(chooser.row(0).fits);
    CHECK(chooser.accept() == "model " + (models / "copy").string());
    chooser.type("");
    chooser.go_to(models / "copy"); // in it, Enter takes it
    CHECK(chooser.listing().fits);
    CHECK(chooser.rows().empty());
    CHECK(chooser.accept() == "model " + (models / "copy").string());
    FileChooser runs(FileRequest::open_run, models);
    runs.type("copy");
    CHECK_FALSE(runs.row(0).fits);
    CHECK_FALSE(runs.accept()); // is entered
    CHECK(runs.folder() == models / "copy");
}

TEST_CASE("folders that are closed, gone or empty are told as such, and led out of") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "empty");
    FileChooser chooser(FileRequest::open_session, folder / "empty");
    CHECK(chooser.rows().empty());
    CHECK_FALSE(chooser.listing().error);
    CHECK_FALSE(chooser.accept());
    chooser.move_mark(1);
    chooser.complete();
    CHECK(chooser.marked() == -1);
    chooser.go_to(folder / "gone");
    REQUIRE(chooser.listing().error);
    CHECK(chooser.listing().error->key == "error.no_such_folder");
    chooser.go_up();
    CHECK_FALSE(chooser.listing().error);
    if (::geteuid() == 0) return; // whom no folder is closed to
    fs::create_directory(folder / "closed");
    fs::permissions(folder / "closed", fs::perms::none);
    chooser.go_to(folder / "closed");
    REQUIRE(chooser.listing().error);
    CHECK(chooser.listing().error->key == "error.folder_closed");
    fs::permissions(folder / "closed", fs::perms::owner_all);
}

TEST_CASE("hostile names are listed, chosen and yield what opens them") {
    const TemporaryFolder folder;
    for (const std::string& name : hostile) folder.write(name, "");
    fs::create_symlink(folder / "nowhere", folder / "broken link.txt");
    fs::create_symlink(folder.path(), folder / "round and round");
    FileChooser chooser(FileRequest::open_session, folder.path());
    chooser.show_every(true);
    CHECK(names_of(chooser).size() == hostile.size() + 1); // and the round one
    for (std::size_t i = 0; i < chooser.rows().size(); ++i) {
        chooser.mark(int(i));
        if (chooser.row(i).is_folder) continue;
        CHECK(chooser.accept() == "open " + file_argument(folder / chooser.row(i).name));
    }
}

TEST_CASE("what stands beside a model is read if it is a file, and not without end") {
    const TemporaryFolder folder;
    folder.write("examples.txt", "one\n\n  two \n");
    folder.write("pairs.txt", "a\tb\nno tab\n\tempty\n");
    CHECK(read_examples(folder.path()) == std::vector<std::string>{"one", "two"});
    CHECK(read_compared_pairs(folder.path()) == std::vector<ComparedPair>{{"a", "b"}});
    std::filesystem::remove(folder / "examples.txt");
    std::filesystem::remove(folder / "pairs.txt");
    REQUIRE(::mkfifo((folder / "examples.txt").c_str(), 0600) == 0); // nobody writes into it
    std::filesystem::create_symlink("/dev/zero", folder / "pairs.txt");
    CHECK(read_examples(folder.path()).empty());
    CHECK(read_compared_pairs(folder.path()).empty());
}
