#include "app/session/command.h"
#include "app/session/session.h"
#include "app/session/step_text.h"
#include "engine/io/model_folder.h"
#include "engine/model/parameters.h"
#include "engine/model/transformer.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace headlight;

namespace {

const std::filesystem::path assets = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets";

std::unique_ptr<Session> a_session(const std::string& model = "translate-en-pt") {
    Result<Strings> strings = Strings::load(assets);
    REQUIRE(strings);
    auto session = std::make_unique<Session>(assets, *std::move(strings));
    if (!model.empty()) REQUIRE(session->execute("model " + model));
    return session;
}

} // namespace

TEST_CASE("a model opens with its first example, and all of its values are computed") {
    const auto opened = a_session();
    const Session& session = *opened;
    REQUIRE_FALSE(session.model().examples.empty());
    CHECK(session.question().source == session.model().examples.front());
    CHECK_FALSE(session.sentence().output.empty());
    for (const StoryStep& step : session.model().story) CHECK(step.node->value.size() > 0);
}

TEST_CASE("undo goes back a word at a time, over targets and models too, and redo forward again") {
    const auto opened = a_session();
    Session& session = *opened;
    const std::string first = session.question().source;
    for (const char* text : {"I", "I ", "I a", "I am", "I am ", "I am f", "I am fine"})
        REQUIRE(session.execute(std::string("source ") + text));
    REQUIRE(session.execute("target Estou bem"));
    REQUIRE(session.execute("model copy"));
    REQUIRE(session.execute("undo"));
    CHECK(session.model().name == "translate-en-pt");
    CHECK(session.question().target == "Estou bem");
    REQUIRE(session.execute("undo"));
    CHECK_FALSE(session.question().target);
    CHECK(session.question().source == "I am fine");
    int steps = 0;
    while (session.can_undo() && steps < 20) {
        REQUIRE(session.execute("undo"));
        ++steps;
    }
    CHECK(session.question().source == first);
    CHECK(steps < 7); // words, not letters
    while (session.can_redo()) REQUIRE(session.execute("redo"));
    CHECK(session.model().name == "copy");
    CHECK(session.execute("undo"));
    REQUIRE(session.execute("source I am"));
    CHECK_FALSE(session.can_redo()); // another way was taken
}

TEST_CASE("what one click asks is one step for undo, and brings back the sentence that was typed") {
    const auto opened = a_session();
    Session& session = *opened;
    REQUIRE(session.execute("source Minha avó faz o melhor bolo de chocolate"));
    session.execute_together({"model sentiment", "source Minha avó faz o melhor bolo de chocolate"});
    CHECK(session.model().name == "sentiment");
    REQUIRE(session.execute("undo"));
    CHECK(session.model().name == "translate-en-pt");
    CHECK(session.question().source == "Minha avó faz o melhor bolo de chocolate");
    REQUIRE(session.execute("redo"));
    CHECK(session.model().name == "sentiment");
    CHECK(session.question().source == "Minha avó faz o melhor bolo de chocolate");
}

TEST_CASE("nothing to undo is no error") {
    const auto opened = a_session("");
    Session& session = *opened;
    CHECK(session.execute("undo"));
    CHECK(session.execute("redo"));
    CHECK(session.execute("source hello")); // kept for the model that will be opened
    CHECK_FALSE(session.view().notice);
}

TEST_CASE("a model that does not open leaves everything as it was, and says what is wrong") {
    const TemporaryFolder folder;
    folder.write("config.json", "{\"d_model\": ");
    const auto opened = a_session();
    Session& session = *opened;
    REQUIRE(session.execute("source You are welcome"));
    const std::string output = session.sentence().output;
    for (const std::string& command :
         std::vector<std::string>{"model /no/such/folder", "model", "model " + folder.path().string()}) {
        CHECK_FALSE(session.execute(command));
        REQUIRE(session.view().notice);
        CHECK(session.view().notice->is_error);
        CHECK(session.view().notice->text.find('[') != 0);
        CHECK(session.question().source == "You are welcome");
        CHECK(session.sentence().output == output);
    }
}

TEST_CASE("each computation has a version of its own, in whatever session") {
    const auto first = a_session("copy"), second = a_session("copy");
    Session &one = *first, &other = *second;
    CHECK(one.version() != other.version());
    const unsigned long before = one.version();
    REQUIRE(one.execute("source a b"));
    CHECK(one.version() != before);
    CHECK(one.version() != other.version());
}

TEST_CASE("the text of a step says what this model does: exact roots, waves or learned positions") {
    const auto text_of = [](const Session& session, const std::string& what) {
        for (const StoryStep& step : session.model().story)
            if (step.role == what || step.family == what) return step_text(session, step);
        return std::string();
    };
    const auto says = [](const std::string& text, const char* words) {
        CAPTURE(text);
        return text.find(words) != std::string::npos;
    };
    const auto opened = a_session("copy");
    CHECK(says(text_of(*opened, "embed.scaled"), "√64 = 8"));
    CHECK(says(text_of(*opened, "attn.scaled"), "√16 = 4"));
    CHECK(says(text_of(*opened, "embed.positions"), "Sines"));

    Result<ModelFiles> files = read_model_folder(assets / "models/copy");
    REQUIRE(files);
    files->config.positional_encoding = PositionalEncoding::learned;
    Parameters parameters = declare_parameters(files->config);
    initialise(parameters, files->config, 1);
    const TemporaryFolder folder;
    REQUIRE(write_model_folder(folder / "learned", files->config, parameters, files->source, files->target));
    const auto learned = a_session((folder / "learned").string());
    CHECK(says(text_of(*learned, "embed.positions"), "learned"));
    CHECK_FALSE(says(text_of(*learned, "embed.positions"), "Sines"));
}

TEST_CASE("every example of the classroom opens, whatever was looked at before, and has a title in both "
          "languages") {
    const auto opened = a_session("copy");
    Session& session = *opened;
    REQUIRE(session.classroom().size() >= 10);
    for (const std::string& name : session.classroom()) {
        CAPTURE(name);
        REQUIRE(session.execute("closeup word"));
        CHECK(session.execute("classroom " + name));
        const std::string key = "classroom." + name.substr(name.find('-') + 1);
        for (const std::string& language : session.strings().languages())
            CHECK(session.strings().texts(language).contains(key));
    }
    CHECK(session.execute("undo")); // each is one step
    CHECK_FALSE(session.execute("classroom nothing-like-it"));
}

TEST_CASE("a command is found by what it is for, and its arguments are completed") {
    const auto opened = a_session();
    const Session& session = *opened;
    const auto complete = [&](const std::string& line) {
        return completions(session.commands(), session.strings(), &session.model(), line);
    };
    const auto holds = [](const std::vector<Completion>& all, const std::string& line) {
        return std::any_of(all.begin(), all.end(), [&](const Completion& c) { return c.line == line; });
    };
    CHECK(complete("").size() == session.commands().list().size());
    CHECK(complete("go").front().line == "goto ");
    CHECK(holds(complete("undo"), "undo"));
    CHECK(holds(complete("room "), "room heads"));
    CHECK(holds(complete("theme li"), "theme light"));
    CHECK(holds(complete("goto decoder.1.cross_attn.w"), "goto decoder.1.cross_attn.weights"));
    CHECK(holds(complete("change del"), "change delete "));
    CHECK(holds(complete("compare two sentences"), "second "));
    CHECK(complete("zxqv wvut").empty());
    for (const WindowCommand& command : session.commands().list()) // nothing that is offered goes wrong
        for (const Completion& one : complete(command.name + " ")) CHECK(one.line.starts_with(command.name));
}
