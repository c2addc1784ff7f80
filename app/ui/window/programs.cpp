#include "app/live/kept_runs.h"
#include "app/platform/offscreen.h"
#include "app/platform/window.h"
#include "app/session/interruption.h"
#include "app/ui/window/host.h"
#include "app/ui/window/notes_window.h"
#include "app/ui/window/window_store.h"
#include "engine/io/file.h"

#include <sstream>

namespace headlight {

namespace {

Result<Done> run_script_file(Host& host, const std::string& script) {
    constexpr Index longest = 16'000'000; // bytes
    Result<std::string> text = read_file(script, longest);
    if (!text) return Error{"error.script_missing", {script}};
    std::istringstream lines(*std::move(text));
    return host.run_script(lines, script);
}

} // namespace

Result<Done> open_window(Session& session, const WindowRequest& request) {
    if (request.script.empty()) session.set_patience(Host::usual_patience, Host::words_at_once);
    WindowStore state(settings_file(), windows_folder());
    if (const Result<Done> begun = state.begin(session, request); !begun) return begun.error();
    if (const auto folder = training_folder(); !folder.empty()) {
        session.remember_training(folder);
        session.remember_race(folder.parent_path() / "races");
    }
    auto window = Window::open({.width = state.before().width,
                                .height = state.before().height,
                                .maximized = state.before().maximized});
    if (!window) return window.error();
    Interruption interruption([&window] { (*window)->close(); });
    auto ui = Ui::create(**window, {.dark = session.view().theme == ThemeName::dark,
                                    .presenter = session.view().presenter ? 1.5f : 1.f});
    if (!ui) return ui.error();
    Host host(**window, **ui, session);
    host.desktop_files().use(DesktopChooser::find());
    if (const Result<Done> begun = state.begin(session, host, request); !begun) return begun.error();
    NotesWindow notes(**window, **ui);
    host.after_frame = [&] {
        notes.tend(session, host.lessons());
        const Window& at = **window;
        if (!state.keep(session, host, at.own_width(), at.own_height(), at.maximized()))
            (*window)->request_frame_within(WindowStore::seconds_between_looks);
    };
    (void)session.execute("pulse");
    Result<Done> ended = Done{};
    if (!request.script.empty()) ended = run_script_file(host, request.script);
    if (ended)
        while (host.frame()) {
        }

    const Window& at = **window;
    state.close(session, host, at.own_width(), at.own_height(), at.maximized());
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
