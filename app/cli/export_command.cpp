// Numbers and pictures for papers, slides and other programs, without a display.
#include "app/cli/command.h"
#include "app/live/pytorch_export.h"
#include "app/session/assets.h"
#include "app/ui/window/host.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace headlight {

namespace {

constexpr int least_width = 320, least_height = 240, most_side = 8192; // of the window
constexpr Index most_steps = 1'000'000, most_heads = 100'000;

class ExportCommand final : public Command {
public:
    std::string_view name() const override { return "export"; }

    void declare(CLI::App& app, const Strings& strings) override {
        const auto add = [&](const char* option, Typed& to, const char* key, const char* type) {
            app.add_option(option, to, strings.text(key))->type_name(type);
        };
        add("--model", model_, "cli.model", "DIR");
        add("--pytorch", pytorch_, "cli.export.pytorch", "MODEL");
        add("--text", text_, "cli.export.text", "S");
        add("--target", target_, "cli.export.target", "S");
        add("--script", script_, "cli.export.script", "FILE");
        add("--out", out_, "cli.export.out", "FILE");
        add("--head", head_, "cli.export.head", "N");
        add("--step", step_, "cli.export.step", "PATH");
        add("--scale", scale_, "cli.export.scale", "K");
        add("--theme", theme_, "cli.export.theme", "light|dark");
        app.add_flag("--printable", printable_, strings.text("cli.export.printable"));
        add("--first", first_, "cli.export.first", "N");
        add("--last", last_, "cli.export.last", "N");
        add("--width", width_, "cli.export.width", "N");
        add("--height", height_, "cli.export.height", "N");
    }

    std::vector<std::string>* words() override { return &what_; }

    int run(Terminal& terminal, const std::filesystem::path& assets) override {
        if (pytorch_) return export_pytorch(terminal, assets);
        Request request;
        ArgumentReader reader;
        reader.require("--model", model_);
        reader.require("--out", out_);
        reader.read("--scale", scale_, request.scale, 1, 4);
        reader.read("--theme", theme_, request.theme, {{"light", "light"}, {"dark", "dark"}});
        reader.read("--head", head_, request.head, Index(0), most_heads);
        reader.read("--first", first_, request.first, Index(1), most_steps);
        reader.read("--last", last_, request.last, Index(1), most_steps);
        reader.read("--width", width_, request.width, least_width, most_side);
        reader.read("--height", height_, request.height, least_height, most_side);
        if (reader.error()) return terminal.refuse(*reader.error());
        if (what_.empty()) return terminal.refuse({"error.export_what_missing", {}});
        const std::optional<ExportFile> kind = export_file_of(*out_);
        const bool is_film = what_.front() == "film";
        if (!kind && !is_film) return terminal.refuse({"error.export_format", {*out_}});

        Session session(assets, terminal.strings());
        std::vector<std::string> before = {"theme " + request.theme,
                                           is_film ? "animation on" : "animation off",
                                           "model " + find_model(assets, *model_).string()};
        if (text_) before.push_back("source " + *text_);
        if (target_) before.push_back("target " + *target_);
        for (const std::string& line : before)
            if (const Result<Done> done = session.execute(line); !done) return terminal.report(done.error());
        std::vector<std::string> lines;
        if (step_) lines.push_back("goto " + *step_);
        if (head_) lines.push_back("head " + std::to_string(request.head));
        lines.push_back(export_line(request));
        const Result<Done> done = export_lines(session, {lines, script_.value_or(""), request.width,
                                                         request.height, is_film || is_picture(*kind)});
        if (done) return terminal.end();
        const bool is_no_place =
            done.error().key == "error.not_a_file" || done.error().key == "error.folder_missing";
        return is_no_place ? terminal.fail(done.error()) : terminal.report(done.error());
    }

private:
    struct Request {
        std::string theme = "light"; // paper is
        int scale = 1, width = 1440, height = 900;
        Index head = 0, first = 1, last = 0;
    };

    int export_pytorch(Terminal& terminal, const std::filesystem::path& assets) {
        ArgumentReader reader;
        reader.require("--out", out_);
        if (model_) reader.exclude("--pytorch", "--model");
        if (!what_.empty()) reader.exclude("--pytorch", what_.front().c_str());
        if (reader.error()) return terminal.refuse(*reader.error());
        const Strings& strings = terminal.strings();
        const Result<Done> done =
            export_for_pytorch({find_model(assets, *pytorch_), assets, *out_, strings.language()});
        if (!done) return terminal.report(done.error());
        terminal.print(strings.text("cli.export.pytorch.done", {*out_}));
        return terminal.end();
    }

    std::string export_line(const Request& request) const {
        std::string line = "export";
        for (const std::string& word : what_) line += " " + word;
        line += " \"" + *out_ + "\"";
        if (what_.front() == "story") {
            if (first_ || last_)
                line +=
                    " " + std::to_string(request.first) + (last_ ? " " + std::to_string(request.last) : "");
        } else if (scale_) {
            line += " " + std::to_string(request.scale);
        }
        return line + (printable_ ? " printable" : "");
    }

    Typed pytorch_, model_, text_, target_, script_, out_, head_, step_, scale_, theme_, first_, last_,
        width_, height_;
    bool printable_ = false;
    std::vector<std::string> what_;
};

} // namespace

std::unique_ptr<Command> make_export_command() { return std::make_unique<ExportCommand>(); }

} // namespace headlight
