#include "app/ui/window/programs.h"

#include "app/live/kept_runs.h"
#include "app/platform/offscreen.h"
#include "app/platform/window.h"
#include "app/session/interruption.h"
#include "app/session/settings.h"
#include "app/ui/window/host.h"
#include "engine/base/stopwatch.h"
#include "engine/io/file.h"

#include <sstream>

namespace headlight {

namespace {

constexpr double seconds_between_settings = 2;

constexpr const char* first_model = "translate-en-pt";

void open_model_or_any(Session& session, const std::string& wanted) {
    if (!wanted.empty() && session.execute("model " + wanted)) return;
    if (session.execute(std::string("model ") + first_model)) return;
    const std::vector<std::filesystem::path> folders =
        session.shipped_models(); // opening one reads them anew
    for (const auto& folder : folders)
        if (session.execute("model " + folder.string())) return;
}

Result<Done> run_script_file(Host& host, const std::string& script) {
    constexpr Index longest = 16'000'000; // bytes
    Result<std::string> text = read_file(script, longest);
    if (!text) return Error{"error.script_missing", {script}};
    std::istringstream lines(*std::move(text));
    return host.run_script(lines, script);
}

} // namespace

Result<Done> open_window(Session& session, const WindowRequest& request) {
    const std::filesystem::path file = settings_file();
    const Settings before = read_settings(file);
    if (!before.language.empty()) (void)session.execute("language " + before.language);
    (void)session.execute("theme " + before.theme);
    (void)session.execute(before.presenter ? "presenter on" : "presenter off");
    session.recall_files(before.recent, before.folder);
    session.dismiss_notice();
    if (!request.model.empty()) { // asked for by name: it must open
        if (const Result<Done> opened = session.execute("model " + request.model); !opened)
            return opened.error();
    } else {
        open_model_or_any(session, before.model);
    }
    if (!request.text.empty())
        (void)session.execute("source " + request.text);
    else if (request.model.empty() && !before.source.empty())
        (void)session.execute("source " + before.source);
    session.dismiss_notice();
    if (const auto folder = training_folder(); !folder.empty()) {
        session.remember_training(folder);
        session.remember_race(folder.parent_path() / "race");
    }
    auto window =
        Window::open({.width = before.width, .height = before.height, .maximized = before.maximized});
    if (!window) return window.error();
    Interruption interruption([&window] { (*window)->close(); });
    auto ui = Ui::create(**window, {.dark = session.view().theme == ThemeName::dark,
                                    .presenter = session.view().presenter ? 1.5f : 1.f});
    if (!ui) return ui.error();
    Host host(**window, **ui, session);
    host.desktop_files().use(DesktopChooser::find());
    if (before.first_steps_done) host.canvas().first_steps().skip();
    host.lessons().remember(before.lessons);
    const bool is_new = !before.first_steps_done && before.lessons.empty() && before.model.empty();
    if (is_new && request.script.empty() && request.lesson.empty() && request.file.empty())
        (void)session.execute("lesson door on");
    if (!request.lesson.empty())
        if (const Result<Done> opened = session.execute("lesson open " + request.lesson); !opened)
            return opened.error();
    if (!request.file.empty()) host.open_file(request.file);
    // What is remembered is written when it changes: a window may be killed.
    Settings kept = before;
    const auto keep_settings = [&] {
        const View& view = session.view();
        const Question& opened = session.opened().question(); // a run that is shown is remembered as a run
        Settings now;
        now.language = session.strings().language();
        now.theme = view.theme == ThemeName::dark ? "dark" : "light";
        now.presenter = view.presenter;
        now.width = (*window)->maximized() ? before.width : (*window)->own_width();
        now.height = (*window)->maximized() ? before.height : (*window)->own_height();
        now.maximized = (*window)->maximized();
        now.first_steps_done = host.canvas().first_steps().done();
        now.model =
            session.opened().has_model() ? std::filesystem::absolute(opened.model).string() : std::string();
        now.source = opened.source;
        now.lessons = host.lessons().remembered();
        now.recent = view.files.recent;
        now.folder = view.files.folder.string();
        if (now == kept) return;
        kept = now;
        write_settings(file, now);
    };
    (void)session.execute("pulse");
    Result<Done> ended = Done{};
    if (!request.script.empty()) ended = run_script_file(host, request.script);
    if (ended)
        for (Stopwatch since; host.frame();)
            if (since.seconds() > seconds_between_settings) {
                keep_settings();
                since = {};
            }

    keep_settings();
    std::string lost;
    for (const Error& error : session.close_training())
        lost += (lost.empty() ? "" : " ") + session.strings().text(error);
    return lost.empty() ? ended : Error{"error.training_not_kept", {lost}};
}

Result<Done> render_script(Session& session, const std::string& script) {
    open_model_or_any(session, "");
    session.dismiss_notice();
    auto display = Offscreen::open({.width = 1280, .height = 800});
    if (!display) return display.error();
    auto ui = Ui::create(**display, {.dark = true});
    if (!ui) return ui.error();
    Host host(**display, **ui, session);
    return run_script_file(host, script);
}

Result<Done> export_lines(Session& session, const ExportLines& request) {
    if (!request.draws && request.script.empty()) {
        for (const std::string& line : request.lines)
            if (const Result<Done> done = session.execute(line); !done) return done;
        return Done{};
    }
    auto display = Offscreen::open({.width = request.width, .height = request.height});
    if (!display) return display.error();
    auto ui = Ui::create(**display, {.dark = session.view().theme == ThemeName::dark});
    if (!ui) return ui.error();
    Host host(**display, **ui, session);
    host.canvas().first_steps().skip(); // nobody is there to take them
    if (!request.script.empty())
        if (const Result<Done> done = run_script_file(host, request.script); !done) return done;
    for (const std::string& line : request.lines)
        if (const Result<Done> done = host.run(line); !done) return done;
    return Done{};
}

} // namespace headlight
