#include "engine/io/file.h"

#include "engine/io/file.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <csignal>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace headlight;

TEST_CASE("a file that is written atomically appears under its name alone") {
    const TemporaryFolder folder;
    REQUIRE(write_file_atomically(folder / "a.txt", "first"));
    REQUIRE(write_file_atomically(folder / "a.txt", "second"));
    CHECK(folder.read("a.txt") == "second");
    CHECK(folder.count_files() == 1);
}

TEST_CASE("a file that is not committed leaves the old one and no trace") {
    const TemporaryFolder folder;
    folder.write("a.txt", "old");
    {
        Result<AtomicFile> file = AtomicFile::create(folder / "a.txt");
        REQUIRE(file);
        REQUIRE(file->write("new"));
        CHECK(folder.read("a.txt") == "old");
    }
    CHECK(folder.read("a.txt") == "old");
    CHECK(folder.count_files() == 1);
}

TEST_CASE("what a writer left that was killed is cleared away by the next one, in whatever file") {
    const TemporaryFolder folder;
    folder.write(".headlight-999999999-0.tmp", "half"); // no process has such a number
    const auto own = folder.write(".headlight-" + std::to_string(::getpid()) + "-77.tmp", "at work");
    REQUIRE(write_file_atomically(folder / "a.txt", "whole"));
    CHECK(std::filesystem::exists(own));
    CHECK(folder.count_files() == 2);
}

TEST_CASE("a write that fails half-way leaves the old file and no trace") {
    const TemporaryFolder folder;
    folder.write("a.txt", "old");
    struct rlimit before {};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const struct rlimit small = {4096, before.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &small);
    const Result<Done> written = write_file_atomically(folder / "a.txt", std::string(10'000, 'x'));
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    REQUIRE_FALSE(written);
    CHECK(written.error().key == "error.file_limit");
    CHECK(written.error().arguments[0] == (folder / "a.txt").string());
    CHECK(folder.read("a.txt") == "old");
    CHECK(folder.count_files() == 1);
}

TEST_CASE("writing into what is not a folder, or over a folder, is an error that names it") {
    const TemporaryFolder folder;
    folder.write("file", "");
    std::filesystem::create_directory(folder / "inner");
    CHECK(write_file_atomically(folder / "none/a.txt", "x").error().key == "error.folder_missing");
    const Error on_the_way = write_file_atomically(folder / "file/a.txt", "x").error();
    CHECK(on_the_way.key == "error.file_on_the_way");
    CHECK(on_the_way.arguments[1] == (folder / "file").string());
    CHECK(write_file_atomically(folder / "inner", "x").error().key == "error.not_a_file");
    CHECK(folder.count_files() == 2);
}

TEST_CASE(
    "a link stays, and the file that it leads to is replaced, also by way of others and when it is not yet") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "far");
    folder.write("far/file", "old");
    std::filesystem::create_symlink("far/file", folder / "link");
    std::filesystem::create_symlink(folder / "link", folder / "second");
    std::filesystem::create_symlink("far/none", folder / "dangling");
    std::filesystem::create_symlink("circle", folder / "circle");
    REQUIRE(write_file_atomically(folder / "second", "new"));
    CHECK(folder.read("far/file") == "new");
    REQUIRE(write_file_atomically(folder / "dangling", "made"));
    CHECK(folder.read("far/none") == "made");
    for (const char* link : {"link", "second", "dangling"}) CHECK(std::filesystem::is_symlink(folder / link));
    CHECK(write_file_atomically(folder / "circle", "x").error().key == "error.file_unwritable");
    CHECK(folder.count_files() == 5);
}

TEST_CASE("a pipe is written through, a device too, and each stays what it is") {
    const TemporaryFolder folder;
    REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
    std::filesystem::create_symlink("pipe", folder / "link");
    for (const char* name : {"pipe", "link"}) {
        std::string read;
        std::thread reader([&] { read = folder.read("pipe"); });
        CHECK(write_file_atomically(folder / name, "through"));
        reader.join();
        CHECK(read == "through");
    }
    CHECK(std::filesystem::is_fifo(folder / "pipe"));
    CHECK(folder.count_files() == 2);
    std::filesystem::create_symlink("/dev/null", folder / "nothing");
    CHECK(write_file_atomically(folder / "nothing", "x"));
    CHECK(write_file_atomically("/dev/null", "x"));
    CHECK(std::filesystem::is_character_file("/dev/null"));
    CHECK(write_file_atomically("/dev/full", "x").error().key == "error.disk_full");
}

TEST_CASE("what a process has open is written to where it stands") {
    const TemporaryFolder folder;
    folder.write("log", "before ");
    const int descriptor = ::open((folder / "log").c_str(), O_WRONLY | O_APPEND);
    REQUIRE(descriptor >= 0);
    CHECK(write_file_atomically("/dev/fd/" + std::to_string(descriptor), "and after"));
    ::close(descriptor);
    CHECK(folder.read("log") == "before and after");
}

TEST_CASE("a socket is not replaced") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "socket";
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.string().copy(address.sun_path, sizeof(address.sun_path) - 1);
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
    REQUIRE(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
    CHECK(write_file_atomically(path, "x").error().key == "error.not_a_file");
    CHECK(std::filesystem::is_socket(path));
    ::close(descriptor);
}

TEST_CASE("reading what is missing, a folder or a pipe is an error, and waits for nothing") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "inner");
    REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
    CHECK(read_file(folder / "none", 10).error().key == "error.file_missing");
    CHECK(read_file(folder / "inner", 10).error().key == "error.not_a_file");
    CHECK(read_file(folder / "pipe", 10).error().key == "error.not_a_file");
    folder.write("long", "0123456789+");
    CHECK(read_file(folder / "long", 10).error().key == "error.file_too_large");
    CHECK(*read_file(folder / "long", 11) == "0123456789+");
}

TEST_CASE("a file that is cut short after it was opened is an error") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.write("a", "0123456789");
    const Result<InputFile> file = InputFile::open(path);
    REQUIRE(file);
    std::filesystem::resize_file(path, 5);
    char bytes[10];
    CHECK(file->read(0, bytes, 10).error().key == "error.file_cut_short");
    CHECK(file->read(0, bytes, 5));
}
