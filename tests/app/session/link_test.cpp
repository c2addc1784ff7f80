#include "app/session/window_sessions.h"

#include <doctest/doctest.h>

#include <string>

using namespace headlight;

namespace {

std::string repeated(const std::string& line, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += line + "\n";
    return text;
}

} // namespace

TEST_CASE("a link says as much as a session that somebody shares, and no more") {
    CHECK(check_link(""));
    CHECK(check_link("model copy\nsource a b c\nroom heads\n"));
    CHECK(check_link("model copy\n" + repeated("change output.logits 0 0 0 set 1", 300)));
    CHECK(check_link("source the models model models")); // no command
    for (const std::string& link :
         {repeated("model copy", 2), std::string("model copy\nroom heads\n model  sentiment"),
          repeated("room heads", 10'000), "source " + std::string(longest_link, 'a')}) {
        const Result<Done> checked = check_link(link);
        REQUIRE_FALSE(checked);
        CHECK(checked.error().key == "error.link_too_long");
    }
}
