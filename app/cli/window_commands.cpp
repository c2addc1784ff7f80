// The window from the terminal: opened, run from a script without a display, measured.
#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/ui/bench_frame.h"
#include "app/ui/programs.h"

#include <CLI/CLI.hpp>

#include <cstdio>

namespace headlight {

namespace {

Session session_of(Terminal& terminal, const std::filesystem::path& assets) {
    return {assets, terminal.strings()};
}

// With no command at all: `headlight [--model DIR] [--text S] [--script FILE]`.
class OpenWindowCommand final : public Command {
public:
    std::string_view name() const override { return ""; }

    void declare(CLI::App& app, const Strings& strings) override {
        app.add_option("--model", model_, strings.text("cli.window.model"))->type_name("DIR");
        app.add_option("--text", text_, strings.text("cli.window.text"))->type_name("S");
        app.add_option("--script", script_, strings.text("cli.window.script"))->type_name("FILE");
    }

    int run(Terminal& terminal, const std::filesystem::path& assets) override {
        Session session = session_of(terminal, assets);
        const Result<Done> ended =
            open_window(session, {model_.value_or(""), text_.value_or(""), script_.value_or("")});
        if (ended) return succeeded;
        const bool of_the_machine = ended.error().key == "error.no_display"
                                    || ended.error().key == "error.no_opengl"
                                    || ended.error().key == "error.window_failed";
        return of_the_machine ? terminal.fail(ended.error()) : terminal.refuse(ended.error());
    }

private:
    Typed model_, text_, script_;
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
        Session session = session_of(terminal, assets);
        const Result<Done> done = render_script(session, *script_);
        if (done) return terminal.end();
        const bool of_the_script =
            done.error().key == "error.script_line" || done.error().key == "error.script_missing";
        return of_the_script ? terminal.refuse(done.error()) : terminal.fail(done.error());
    }

private:
    Typed script_;
};

class BenchFrameCommand final : public Command {
public:
    std::string_view name() const override { return "bench frame"; }

    void declare(CLI::App& app, const Strings& strings) override {
        app.add_option("--model", model_, strings.text("cli.window.model"))->type_name("DIR");
        app.add_option("--seconds", typed_seconds_, strings.text("cli.bench.seconds"))->type_name("S");
        app.add_flag("--large", large_, strings.text("cli.bench.large"));
    }

    int run(Terminal& terminal, const std::filesystem::path& assets) override {
        double seconds = 5;
        ArgumentReader reader;
        reader.read("--seconds", typed_seconds_, seconds, 0, 86'400);
        if (reader.error()) return terminal.refuse(*reader.error());
        if (large_) return measure(terminal, assets, "", seconds);
        if (model_) return measure(terminal, assets, *model_, seconds);
        // Every shipped model with its longest sentence, and one as large as the paper's.
        for (const auto& folder : model_folders(assets / "models"))
            if (const int status = measure(terminal, assets, folder.string(), seconds); status != 0)
                return status;
        return measure(terminal, assets, "", seconds);
    }

private:
    // Without a folder: the large one.
    static int measure(Terminal& terminal, const std::filesystem::path& assets, const std::string& folder,
                       double seconds) {
        Session session = session_of(terminal, assets);
        const Result<Done> opened =
            folder.empty() ? open_large_model(session) : session.execute("model " + folder);
        if (!opened) return terminal.refuse(opened.error());
        if (!folder.empty()) (void)session.execute("source " + longest_sentence(session));
        const Result<FrameTimes> times = measure_frames(session, seconds);
        if (!times) return terminal.fail(times.error());
        terminal.print("model=" + (folder.empty() ? std::string("random-6+6-512") : times->model)
                       + " cards=" + std::to_string(times->cards) + " cells=" + std::to_string(times->cells));
        print(terminal, "frame_ms", times->frame);
        print(terminal, "key_press_ms", times->key_press);
        return terminal.end();
    }

    // As many tokens as the model reads, of words that it knows.
    static std::string longest_sentence(const Session& session) {
        const Tokenizer& source = session.model().files.source;
        std::string text;
        const Index room = session.model().config().max_length - 1;
        const std::vector<std::string>& tokens = source.vocabulary().tokens();
        for (Index i = 0; i < room; ++i) {
            const std::size_t id = 4 + std::size_t(i * 7) % std::max<std::size_t>(tokens.size() - 4, 1);
            text +=
                (source.is_characters() || text.empty() ? "" : " ") + tokens[std::min(id, tokens.size() - 1)];
        }
        return text;
    }

    static void print(Terminal& terminal, const char* what, const Percentiles& p) {
        char line[200];
        std::snprintf(line, sizeof line, "%s p50=%.2f p90=%.2f p99=%.2f max=%.2f count=%ld", what, p.median,
                      p.p90, p.p99, p.most, p.count);
        terminal.print(line);
    }

    Typed model_, typed_seconds_;
    bool large_ = false;
};

} // namespace

std::unique_ptr<Command> make_open_window_command() { return std::make_unique<OpenWindowCommand>(); }
std::unique_ptr<Command> make_render_command() { return std::make_unique<RenderCommand>(); }
std::unique_ptr<Command> make_bench_frame_command() { return std::make_unique<BenchFrameCommand>(); }

} // namespace headlight
