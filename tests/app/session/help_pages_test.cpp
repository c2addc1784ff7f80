// Help in both languages: complete, and what it offers can be done.
#include "app/session/help_pages.h"
#include "app/session/session.h"
#include "tests/app/session/changed_session.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace headlight;
using namespace headlight::test;

TEST_CASE("every wish and every term has its texts in every language, once") {
    const auto session = a_session();
    const Strings& strings = session->strings();
    CHECK(tasks().size() >= 20);
    CHECK(glossary().size() >= 45);
    for (const std::string& code : strings.languages()) {
        CAPTURE(code);
        const Strings::Texts& texts = strings.texts(code);
        std::set<std::string> names;
        for (const HelpEntry& request : tasks()) {
            CAPTURE(std::string(request.name));
            CHECK(texts.contains("wish." + std::string(request.name)));
            CHECK(texts.contains("wish." + std::string(request.name) + ".how"));
            CHECK(names.insert("wish." + std::string(request.name)).second);
        }
        for (const HelpEntry& term : glossary()) {
            CAPTURE(std::string(term.name));
            CHECK(texts.contains("term." + std::string(term.name)));
            CHECK(texts.contains("term." + std::string(term.name) + ".says"));
            CHECK(names.insert("term." + std::string(term.name)).second);
        }
        for (const auto& [key, text] : texts) { // and none speaks of what is not there
            const bool is_help = key.starts_with("wish.") || key.starts_with("term.");
            if (is_help) CHECK_MESSAGE(names.contains(key.substr(0, key.find('.', 5))), key);
        }
        for (const Download& model : downloads()) {
            CHECK(texts.contains("download." + std::string(model.name)));
            CHECK(names.insert("download." + std::string(model.name)).second);
        }
        for (const std::string_view page : help_page_names)
            CHECK(texts.contains("guide.page." + std::string(page)));
        for (int i = 0; i < file_requests; ++i) {
            const std::string name(kind_of(FileRequest(i)).name);
            CHECK(texts.contains("file." + name));
            CHECK(texts.contains("file." + name + ".title"));
        }
        for (const KeyBinding& binding : key_bindings()) {
            const std::string name(binding.command.substr(0, binding.command.find(' ')));
            CHECK_MESSAGE(texts.contains("command." + name), binding.command);
        }
    }
}

TEST_CASE("what help offers is done by commands that the session knows, on every shipped model") {
    for (const char* model : {"translate-en-pt", "copy"})
        for (const auto entries : {tasks(), glossary()})
            for (const HelpEntry& entry : entries) {
                CAPTURE(std::string(entry.name));
                if (entry.lines.empty()) continue;
                const auto session = a_session();
                run(*session, std::string("model ") + model);
                const auto lines = commands_of(entry, *session);
                REQUIRE(lines);
                for (const std::string& line : *lines)
                    if (!line.starts_with("press ") && !line.starts_with("frame ") && line != "fit"
                        && line != "view canvas")
                        CHECK_MESSAGE(session->execute(line), line);
            }
}

TEST_CASE("the address of a model that others made is copied for a browser") {
    const auto session = a_session();
    for (const Download& model : downloads()) {
        REQUIRE(session->execute("address " + std::string(model.name)));
        const std::optional<std::string> copied = session->take_copied();
        REQUIRE(copied);
        CHECK(*copied == "https://huggingface.co/" + std::string(model.repository) + "/tree/main");
    }
    CHECK_FALSE(session->execute("address nobody"));
}
