// What goes on too long is stopped, and keeps what it has; what is too large for the memory is told so.
#include "engine/io/folder_transaction.h"
#include "tests/app/cli/program.h"
#include "tests/support/endless_model.h"

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <thread>

using namespace headlight;
using namespace headlight::test;

namespace {

void write_endless(const std::filesystem::path& folder, Index max_length) {
    const ModelFiles model = endless_model(max_length);
    Result<FolderTransaction> to = FolderTransaction::begin(folder);
    REQUIRE(to);
    REQUIRE(write_model(*to, model.config, model.parameters, model.source, model.target));
    REQUIRE(to->commit());
}

} // namespace

TEST_CASE("Ctrl-C ends an answer that would go on for hours, and what has been said is printed") {
    const TemporaryFolder folder;
    write_endless(folder / "m", 65536);
    for (const std::vector<std::string>& choice :
         {std::vector<std::string>{}, {"--beam", "3"}, {"--seed", "2"}}) {
        std::vector<std::string> words = {"translate", "--model", folder / "m"};
        words.insert(words.end(), choice.begin(), choice.end());
        words.insert(words.end(), {"the cat", "the dog"});
        Program program(words);
        for (int attempt = 0; attempt < 400; ++attempt) { // before it writes it may end by the signal itself
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            if (program.catches(SIGINT)) break;
        }
        program.signal(SIGINT);
        const Outcome outcome = program.wait();
        CHECK(outcome.status == 0);
        CHECK(outcome.lines().size() == 1);
        REQUIRE(outcome.error_lines().size() == 1);
        CHECK(outcome.errors.find("sentence 1") != std::string::npos);
    }
}

// Sanitizers take an address space of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

TEST_CASE("a model that is too large for the memory is an error line that names it, whatever the limit") {
    const TemporaryFolder folder;
    write_endless(folder / "m", 1024);
    // `trace` computes by itself, `export` in a session, as the window does.
    const std::string of_model = " --model '" + (folder / "m").string() + "' --text 'the cat' --out '",
                      traced = "trace" + of_model + (folder / "t").string() + "'",
                      in_session = "export encoder.output" + of_model + (folder / "t.npy").string() + "'";
    int refused = 0, done = 0;
    for (int megabytes = 60; megabytes <= 2000; megabytes += megabytes < 600 ? 60 : 700) {
        const Outcome outcome = shell_says("ulimit -v " + std::to_string(megabytes * 1024) + "; \"$H\" "
                                           + (megabytes % 120 == 0 ? traced : in_session));
        CAPTURE(megabytes);
        CAPTURE(outcome.errors);
        if (outcome.errors.find("shared libraries") != std::string::npos) continue; // not even the program
        CHECK((outcome.status == 0 || outcome.status == 1));
        REQUIRE(outcome.error_lines().size() == std::size_t(outcome.status));
        if (outcome.status == 1) CHECK(outcome.errors.find((folder / "m").string()) != std::string::npos);
        (outcome.status == 0 ? done : refused)++;
    }
    CHECK(refused > 0);
    CHECK(done > 0);
}

#endif
