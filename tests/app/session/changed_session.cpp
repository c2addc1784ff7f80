#include "tests/app/session/changed_session.h"

#include <doctest/doctest.h>

#include <bit>

namespace headlight::test {

const std::string tired = "The animal didn't cross the street because it was too tired";
const std::string wide = "The animal didn't cross the street because it was too wide";

std::unique_ptr<Session> a_session(const std::string& sentence, const std::string& model) {
    const std::filesystem::path assets = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets";
    Result<Strings> strings = Strings::load(assets);
    REQUIRE(strings);
    auto session = std::make_unique<Session>(assets, *std::move(strings));
    REQUIRE(session->execute("model " + model));
    REQUIRE(session->execute("source " + sentence));
    return session;
}

void run(Session& session, const std::string& command) {
    const Result<Done> done = session.execute(command);
    CHECK_MESSAGE(done, (command + ": " + (done ? "" : session.strings().text(done.error()))));
}

void run(Session& session, std::initializer_list<const char*> commands) {
    for (const char* command : commands) {
        const Result<Done> done = session.execute(command);
        REQUIRE_MESSAGE(done, command, ": ", (done ? "" : session.strings().text(done.error())));
    }
}

const Tensor& value(const Session& session, const std::string& path) {
    return session.model().graph().find(path)->value;
}

std::vector<std::uint32_t> bits(const Session& session) {
    std::vector<std::uint32_t> all;
    for (const Node& node : session.model().graph().nodes())
        for (Index i = 0; i < node.value.size(); ++i)
            all.push_back(std::bit_cast<std::uint32_t>(float(node.value.data()[i])));
    return all;
}

} // namespace headlight::test
