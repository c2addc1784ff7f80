#include "engine/io/folder_transaction.h"

#include "engine/io/file.h"
#include "tests/support/failing_disk.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <atomic>
#include <map>
#include <thread>
#include <unistd.h>

using namespace headlight;
using headlight::test::FailingDisk;
namespace fs = std::filesystem;

namespace {

using Files = std::map<std::string, std::string>; // contents by name

const Files first = {{"a", "first a"}, {"b", "first b"}, {"only first", "x"}},
            second = {{"a", "second a"}, {"b", "second b"}, {"only second", "y"}};

// Everything that is read of a folder, as one reads it.
Files read(const fs::path& folder) {
    const auto files = read_settled(folder, [&]() -> Result<Files> {
        Files found;
        for (const auto& entry : fs::directory_iterator(folder)) {
            if (is_writers_leftover(entry.path())) continue;
            REQUIRE(entry.is_regular_file());
            found[entry.path().filename()] = *read_file(entry.path(), 1000);
        }
        return found;
    });
    REQUIRE(files);
    return *files;
}

Result<Done> write(const fs::path& folder, const Files& files) {
    Result<FolderTransaction> change = FolderTransaction::begin(folder);
    if (!change) return change.error();
    for (const auto& [name, text] : files)
        if (const auto written = change->write(name, text); !written) return written;
    for (const auto* others : {&first, &second})
        for (const auto& [name, text] : *others)
            if (!files.contains(name)) change->remove(name);
    return change->commit();
}

} // namespace

TEST_CASE("files of a folder change together, and nothing is left beside them") {
    const TemporaryFolder folder;
    REQUIRE(write(folder / "deep/inner", first));
    CHECK(read(folder / "deep/inner") == first);
    REQUIRE(write(folder / "deep/inner", second));
    CHECK(read(folder / "deep/inner") == second);
    folder.write("deep/inner/notes", "of a person");
    REQUIRE(write(folder / "deep/inner", first));
    CHECK(folder.read("deep/inner/notes") == "of a person");
}

TEST_CASE("a change that is given up leaves the folder as it was, or none") {
    const TemporaryFolder folder;
    REQUIRE(write(folder / "there", first));
    for (const char* name : {"there", "new"}) {
        Result<FolderTransaction> change = FolderTransaction::begin(folder / name);
        REQUIRE(change);
        REQUIRE(change->write("a", "other"));
    }
    CHECK(read(folder / "there") == first);
    CHECK_FALSE(fs::exists(folder / "new"));
}

TEST_CASE("whichever call of a change fails, the folder is all old or all new, and what is said is so") {
    const TemporaryFolder folder;
    int calls = 0;
    for (int call = 1; call <= calls || calls == 0; ++call) {
        const fs::path place = folder / std::to_string(call);
        REQUIRE(write(place, first));
        Result<Done> written = Done{};
        {
            const FailingDisk disk(call);
            written = write(place, second);
            if (calls == 0) calls = 200; // until no call is as late as the one that is to fail
            if (disk.calls() < call) calls = call - 1;
        }
        CAPTURE(call);
        CHECK(read(place) == (written ? second : first));
        CHECK(write(place, second));
        CHECK(read(place) == second);
        CHECK(std::distance(fs::directory_iterator(place), {}) == std::ptrdiff_t(second.size()));
    }
    CHECK(calls > 20);
    CHECK(calls < 200);
}

TEST_CASE("wherever a writer is stopped, the folder is all old or all new, and the next one writes") {
    const TemporaryFolder folder;
    bool reached_end = false;
    int old = 0, fresh = 0;
    for (int call = 1; !reached_end; ++call) {
        for (const bool is_over_another : {true, false}) {
            const fs::path place = folder / (std::to_string(call) + (is_over_another ? "+" : "-"));
            if (is_over_another) REQUIRE(write(place, first));
            {
                const FailingDisk disk(call, FailingDisk::From::for_good);
                (void)write(place, second);
                reached_end = disk.calls() < call;
            }
            CAPTURE(call);
            if (fs::exists(place)) {
                const Files found = read(place);
                (found == second ? fresh : old)++;
                if (found != second) CHECK(found == (is_over_another ? first : Files{}));
            }
            CHECK(write(place, first));
            CHECK(read(place) == first);
            CHECK(std::distance(fs::directory_iterator(place), {}) == std::ptrdiff_t(first.size()));
        }
    }
    CHECK(old > 20);
    CHECK(fresh > 20);
}

TEST_CASE("a reader that is stopped while it finishes a change leaves it to the next") {
    const TemporaryFolder folder;
    for (int call = 1; call < 80; call += 2)
        for (int later = 1; later < 30; ++later) {
            const fs::path place = folder / (std::to_string(call) + " " + std::to_string(later));
            REQUIRE(write(place, first));
            {
                const FailingDisk disk(call, FailingDisk::From::for_good);
                (void)write(place, second);
            }
            const bool is_committed = fs::exists(place / ".headlight-committed");
            {
                const FailingDisk disk(later, FailingDisk::From::for_good);
                (void)finish_interrupted_commit(place);
            }
            CAPTURE(call);
            CAPTURE(later);
            const Files found = read(place);
            CHECK((found == first || found == second));
            if (!is_committed) break; // nothing to finish
        }
}

TEST_CASE("two writers of one folder are told apart") {
    const TemporaryFolder folder;
    Result<FolderTransaction> one = FolderTransaction::begin(folder / "x");
    REQUIRE(one);
    const Result<FolderTransaction> other = FolderTransaction::begin(folder / "x");
    REQUIRE_FALSE(other);
    CHECK(other.error().key == "error.folder_busy");
    CHECK(other.error().arguments[0] == (folder / "x").string());
    REQUIRE(one->write("a", "of the first"));
    REQUIRE(one->commit());
    CHECK(folder.read("x/a") == "of the first");
}

TEST_CASE("a folder in the place of a file, and a name that cannot go, are errors before anything changes") {
    const TemporaryFolder folder;
    REQUIRE(write(folder / "x", first));
    for (const char* name : {"only second", "only first"}) {
        fs::remove(folder / "x" / name);
        fs::create_directories(folder / "x" / name / "inner");
        const Result<Done> written = write(folder / "x", second);
        REQUIRE_FALSE(written);
        CHECK(written.error().key == "error.not_a_file");
        CHECK(folder.read("x/a") == "first a");
        fs::remove_all(folder / "x" / name);
    }
}

TEST_CASE("files that a killed writer of another time left are cleared away") {
    const TemporaryFolder folder;
    folder.write(".headlight-999999999-0.tmp", "half"); // no process has such a number
    const fs::path own = folder.write(".headlight-" + std::to_string(::getpid()) + "-77.tmp", "at work");
    CHECK(is_empty_but_for_leftovers(folder.path()));
    REQUIRE(write(folder.path(), first));
    CHECK(fs::exists(own));
    fs::remove(own);
    CHECK(folder.count_files() == std::ptrdiff_t(first.size()));
}

TEST_CASE("who reads while another writes sees the files of one change") {
    const TemporaryFolder folder;
    REQUIRE(write(folder / "x", first));
    std::atomic<bool> stop = false;
    std::thread writer([&] {
        for (int i = 0; !stop; ++i) {
            CHECK(write(folder / "x", i % 2 ? first : second));
            std::this_thread::sleep_for(std::chrono::milliseconds(1)); // at rest once, however busy the machine is
        }
    });
    for (int i = 0; i < 200; ++i) {
        const auto text = read_settled(folder / "x", [&]() -> Result<std::string> {
            const auto a = read_file(folder / "x" / "a", 100), b = read_file(folder / "x" / "b", 100);
            if (!a) return a.error();
            if (!b) return b.error();
            return *a + *b;
        });
        CHECK(text);
        if (text) CHECK((*text == "first afirst b" || *text == "second asecond b"));
    }
    stop = true;
    writer.join();
}

TEST_CASE("who reads waits for many changes in a row to come to rest") {
    const TemporaryFolder folder;
    REQUIRE(write(folder / "x", first));
    int readings = 0;
    const auto text = read_settled(folder / "x", [&]() -> Result<std::string> {
        if (++readings <= 20) CHECK(write(folder / "x", readings % 2 ? second : first));
        return readings <= 20 ? "of two changes" : folder.read("x/a");
    });
    CHECK(*text == "first a");
    CHECK(readings == 21);
}
