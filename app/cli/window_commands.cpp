// The window from the terminal: opened, and run from a script without a display.
#include "app/cli/command.h"
#include "app/session/assets.h"
#include "app/session/link.h"
#include "app/ui/window/host.h"

#include <CLI/CLI.hpp>

namespace headlight {

namespace {

// With no command at all: `headlight [--model DIR] [--text S] [--script FILE]`.
class OpenWindowCommand final : public Command {
public:
    std::string_view name() const override { return ""; }

    void declare(CLI::App& app, const Strings& strings) override {
        app.add_option("--model", model_, strings.text("cli.window.model"))->type_name("DIR");
        app.add_option("--text", text_, strings.text("cli.window.text"))->type_name("S");
        app.add_option("--lesson", lesson_, strings.text("cli.window.lesson"))->type_name("FILE");
        app.add_option("--script", script_, strings.text("cli.window.script"))->type_name("FILE");
    }

    // One file or folder, as a desktop hands over what was double clicked.
    std::vector<std::string>* words() override { return &files_; }

    int run(Terminal& terminal, const std::filesystem::path& assets) override {
        std::error_code ignored;
        for (std::size_t i = 0; i < files_.size(); ++i)
            if (i > 0 || (!looks_like_link(files_[i]) && !std::filesystem::exists(files_[i], ignored)))
                return terminal.refuse({"error.unknown_argument", {files_[i], "headlight --help"}});
        Session session(assets, terminal.strings());
        const Result<Done> ended = open_window(
            session, {model_ ? find_model(assets, *model_).string() : "", text_.value_or(""),
                      script_.value_or(""), lesson_.value_or(""), files_.empty() ? "" : files_.front()});
        if (ended) return succeeded;
        return terminal.report(ended.error());
    }

private:
    Typed model_, text_, script_, lesson_;
    std::vector<std::string> files_;
};

class RenderCommand final : public Command {
public:
    std::string_view name() const override { return "render"; }

    void declare(CLI::App& app, const Strings& strings) override {
        app.add_option("--script", script_, strings.text("cli.render.script"))->type_name("FILE");
    }

    int run(Terminal& terminal, const std::filesystem::path& assets) override {
        ArgumentReader reader;
        reader.require("--script", script_);
        if (reader.error()) return terminal.refuse(*reader.error());
        Session session(assets, terminal.strings());
        const Result<Done> done = render_script(session, *script_);
        if (done) return terminal.end();
        return terminal.report(done.error());
    }

private:
    Typed script_;
};

} // namespace

std::unique_ptr<Command> make_open_window_command() { return std::make_unique<OpenWindowCommand>(); }
std::unique_ptr<Command> make_render_command() { return std::make_unique<RenderCommand>(); }

} // namespace headlight
