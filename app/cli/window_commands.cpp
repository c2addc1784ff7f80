// The window from the terminal: opened, run from a script without a display, measured.
#include "app/cli/arguments.h"
#include "app/cli/command.h"
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
    }

    int run(Terminal& terminal, const std::filesystem::path& assets) override {
        double seconds = 5;
        ArgumentReader reader;
        reader.read("--seconds", typed_seconds_, seconds, 0, 86'400);
        if (reader.error()) return terminal.refuse(*reader.error());
        Session session = session_of(terminal, assets);
        if (model_)
            if (const Result<Done> opened = session.execute("model " + *model_); !opened)
                return terminal.refuse(opened.error());
        const Result<FrameTimes> times = measure_frames(session, seconds);
        if (!times) return terminal.fail(times.error());
        print(terminal, "frame_ms", times->frame);
        print(terminal, "key_press_ms", times->key_press);
        return terminal.end();
    }

private:
    static void print(Terminal& terminal, const char* what, const Percentiles& p) {
        char line[200];
        std::snprintf(line, sizeof line, "%s p50=%.2f p90=%.2f p99=%.2f max=%.2f count=%ld", what, p.median,
                      p.p90, p.p99, p.most, p.count);
        terminal.print(line);
    }

    Typed model_, typed_seconds_;
};

} // namespace

std::unique_ptr<Command> make_open_window_command() { return std::make_unique<OpenWindowCommand>(); }
std::unique_ptr<Command> make_render_command() { return std::make_unique<RenderCommand>(); }
std::unique_ptr<Command> make_bench_frame_command() { return std::make_unique<BenchFrameCommand>(); }

} // namespace headlight
