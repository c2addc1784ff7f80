// The window measured: how long its frames take, and what it takes from a training beside it.
#include "app/bench/window_bench.h"
#include "app/cli/command.h"
#include "app/session/assets.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace headlight {

namespace {

void print(Terminal& terminal, const char* what, const Percentiles& p) {
    char line[200];
    std::snprintf(line, sizeof line, "%s p50=%.2f p90=%.2f p99=%.2f max=%.2f count=%ld", what, p.median,
                  p.p90, p.p99, p.most, p.count);
    terminal.print(line);
}

class BenchFrameCommand final : public Command {
public:
    std::string_view name() const override { return "bench frame"; }

    void declare(CLI::App& app, const Strings& strings) override {
        app.add_option("--model", model_, strings.text("cli.window.model"))->type_name("DIR");
        app.add_option("--text", text_, strings.text("cli.bench.text"))->type_name("SENTENCE");
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
    int measure(Terminal& terminal, const std::filesystem::path& assets, const std::string& folder,
                double seconds) const {
        Session session(assets, terminal.strings());
        const Result<Done> opened = folder.empty()
                                        ? open_large_model(session)
                                        : session.execute("model " + find_model(assets, folder).string());
        if (!opened) return terminal.refuse(opened.error());
        if (text_ || !folder.empty())
            (void)session.execute("source " + (text_ ? *text_ : longest_sentence(session)));
        const Result<FrameTimes> times = measure_frames(session, seconds);
        if (!times) return terminal.fail(times.error());
        terminal.print("model=" + (folder.empty() ? std::string("random-6+6-512") : times->model)
                       + " cards=" + std::to_string(times->cards) + " cells=" + std::to_string(times->cells));
        print(terminal, "frame_ms", times->frame);
        print(terminal, "film_ms", times->film);
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

    Typed model_, text_, typed_seconds_;
    bool large_ = false;
};

class BenchLiveCommand final : public Command {
public:
    std::string_view name() const override { return "bench live"; }

    void declare(CLI::App& app, const Strings& strings) override {
        app.add_option("--task", task_, strings.text("cli.train.task"))->type_name("NAME");
        app.add_option("--seconds", typed_seconds_, strings.text("cli.bench.seconds"))->type_name("S");
        app.add_flag("--drawn", drawn_, strings.text("cli.bench.drawn"));
    }

    int run(Terminal& terminal, const std::filesystem::path& assets) override {
        double seconds = 60;
        ArgumentReader reader;
        reader.read("--seconds", typed_seconds_, seconds, 1, 86'400);
        if (reader.error()) return terminal.refuse(*reader.error());
        Session session(assets, terminal.strings());
        const Result<LivePace> pace =
            measure_live_training(session, task_.value_or("en-pt"), seconds, drawn_);
        if (!pace) return terminal.refuse(pace.error());
        print(terminal, "terminal", pace->terminal, pace->terminal);
        print(terminal, "minimised", pace->minimised, pace->terminal);
        print(terminal, "watching", pace->watching, pace->terminal);
        print(terminal, "animating", pace->animating, pace->terminal);
        headlight::print(terminal, "early_frame_ms", pace->early_frame);
        headlight::print(terminal, "late_frame_ms", pace->late_frame);
        char line[200];
        std::snprintf(line, sizeof line,
                      "step=%td moments=%td timeline_MB=%.0f early_resident_MB=%.0f late_resident_MB=%.0f",
                      pace->step, pace->moments, pace->timeline_megabytes, pace->early_megabytes,
                      pace->late_megabytes);
        terminal.print(line);
        return terminal.end();
    }

private:
    static void print(Terminal& terminal, const char* where, const Pace& pace, const Pace& terminal_pace) {
        char line[200];
        std::snprintf(line, sizeof line, "%s steps/s=%.2f share=%.3f steps/cpu_s=%.2f cpu_share=%.3f", where,
                      pace.a_second(), pace.a_second() / terminal_pace.a_second(), pace.a_cpu_second(),
                      pace.a_cpu_second() / terminal_pace.a_cpu_second());
        terminal.print(line);
    }

    Typed task_, typed_seconds_;
    bool drawn_ = false;
};

class BenchOpenCommand final : public Command {
public:
    std::string_view name() const override { return "bench open"; }

    void declare(CLI::App& app, const Strings& strings) override {
        app.add_option("--model", model_, strings.text("cli.window.model"))->type_name("DIR");
        app.add_option("--rounds", typed_times_, strings.text("cli.bench.open.rounds"))->type_name("N");
    }

    int run(Terminal& terminal, const std::filesystem::path& assets) override {
        // What the loader did before: libraries found, read and bound to one another.
        const double loaded = process_cpu_seconds();
        int times = 10;
        ArgumentReader reader;
        reader.read("--rounds", typed_times_, times, 1, 1000);
        if (reader.error()) return terminal.refuse(*reader.error());
        const Result<OpeningTimes> took =
            measure_opening(assets, terminal.strings(), model_.value_or("everyday-en-pt"), times);
        if (!took) return terminal.fail(took.error());
        char line[80];
        std::snprintf(line, sizeof line, "program_ms=%.2f", 1000 * loaded);
        terminal.print(line);
        print(terminal, "model_ms", took->model);
        print(terminal, "graphics_ms", took->graphics);
        print(terminal, "interface_ms", took->interface);
        print(terminal, "picture_ms", took->picture);
        print(terminal, "open_ms", took->whole);
        return terminal.end();
    }

private:
    Typed model_, typed_times_;
};

class BenchDayCommand final : public Command {
public:
    std::string_view name() const override { return "bench day"; }

    void declare(CLI::App& app, const Strings& strings) override {
        app.add_option("--seconds", typed_seconds_, strings.text("cli.bench.seconds"))->type_name("S");
    }

    int run(Terminal& terminal, const std::filesystem::path& assets) override {
        double seconds = 7200;
        ArgumentReader reader;
        reader.read("--seconds", typed_seconds_, seconds, 0, 7 * 86'400);
        if (reader.error()) return terminal.refuse(*reader.error());
        const std::filesystem::path folder =
            std::filesystem::temp_directory_path() / ("headlight-day-" + std::to_string(std::time(nullptr)));
        std::error_code none;
        std::filesystem::create_directories(folder, none);
        std::vector<Round> rounds;
        Session session(assets, terminal.strings());
        const Result<Done> ended = live_long_day(session, folder, seconds, [&](const Round& round) {
            rounds.push_back(round);
            tell(terminal, round);
        });
        std::filesystem::remove_all(folder, none);
        if (!ended) return terminal.fail(ended.error());
        compare(terminal, rounds);
        return terminal.end();
    }

private:
    static void tell(Terminal& terminal, const Round& round) {
        char line[300];
        std::snprintf(
            line, sizeof line,
            "minutes=%.1f commands=%ld frames=%ld frame_p50=%.2f frame_p99=%.2f frame_max=%.1f "
            "resident_MB=%.0f allocated_MB=%.1f descriptors=%ld threads=%ld files=%ld files_MB=%.1f",
            round.minutes, round.commands, round.frame.count, round.frame.median, round.frame.p99,
            round.frame.most, round.held.resident_megabytes, round.held.allocated_megabytes,
            round.held.descriptors, round.held.threads, round.files, round.files_megabytes);
        terminal.print(line);
    }

    // The medians of the first and of the last quarter of the rounds, without the very first: it fills
    // caches.
    static void compare(Terminal& terminal, const std::vector<Round>& rounds) {
        if (rounds.size() < 5) return;
        const std::ptrdiff_t quarter = std::ptrdiff_t(rounds.size() - 1) / 4;
        const auto print = [&](const char* when, auto from) {
            const auto median = [&](auto of) {
                std::vector<double> all;
                for (auto round = from; round != from + quarter; ++round) all.push_back(of(*round));
                std::nth_element(all.begin(), all.begin() + quarter / 2, all.end());
                return all[std::size_t(quarter / 2)];
            };
            char line[200];
            std::snprintf(line, sizeof line,
                          "%s frame_p50=%.2f frame_p99=%.2f resident_MB=%.0f allocated_MB=%.1f "
                          "descriptors=%.0f threads=%.0f",
                          when, median([](const Round& r) { return r.frame.median; }),
                          median([](const Round& r) { return r.frame.p99; }),
                          median([](const Round& r) { return r.held.resident_megabytes; }),
                          median([](const Round& r) { return r.held.allocated_megabytes; }),
                          median([](const Round& r) { return double(r.held.descriptors); }),
                          median([](const Round& r) { return double(r.held.threads); }));
            terminal.print(line);
        };
        print("early", rounds.begin() + 1);
        print("late", rounds.end() - quarter);
    }

    Typed typed_seconds_;
};

} // namespace

std::unique_ptr<Command> make_bench_day_command() { return std::make_unique<BenchDayCommand>(); }
std::unique_ptr<Command> make_bench_open_command() { return std::make_unique<BenchOpenCommand>(); }
std::unique_ptr<Command> make_bench_frame_command() { return std::make_unique<BenchFrameCommand>(); }
std::unique_ptr<Command> make_bench_live_command() { return std::make_unique<BenchLiveCommand>(); }

} // namespace headlight
