#include "app/ui/window/window_memory.h"

namespace headlight {

namespace {

constexpr const char* first_model = "translate-en-pt";

}

void open_model_or_any(Session& session, const std::string& wanted) {
    if (!wanted.empty() && session.execute("model " + wanted)) return;
    if (session.execute(std::string("model ") + first_model)) return;
    const std::vector<std::filesystem::path> folders =
        session.shipped_models(); // opening one reads them anew
    for (const auto& folder : folders)
        if (session.execute("model " + folder.string())) return;
}

WindowMemory::WindowMemory(std::filesystem::path file)
    : file_(std::move(file)), before_(read_settings(file_)), kept_(before_) {}

Result<Done> WindowMemory::begin(Session& session, const WindowRequest& request) const {
    if (!before_.language.empty()) (void)session.execute("language " + before_.language);
    (void)session.execute("theme " + before_.theme);
    (void)session.execute(before_.presenter ? "presenter on" : "presenter off");
    session.recall_files(before_.recent, before_.folder);
    session.dismiss_notice();
    if (!request.model.empty()) { // asked for by name: it must open
        if (const Result<Done> opened = session.execute("model " + request.model); !opened)
            return opened.error();
    } else {
        open_model_or_any(session, before_.model);
    }
    if (!request.text.empty())
        (void)session.execute("source " + request.text);
    else if (request.model.empty() && !before_.source.empty())
        (void)session.execute("source " + before_.source);
    session.dismiss_notice();
    return Done{};
}

Result<Done> WindowMemory::begin(Session& session, Host& host, const WindowRequest& request) const {
    if (before_.first_steps_done) host.canvas().first_steps().skip();
    host.lessons().remember(before_.lessons);
    const bool is_new = !before_.first_steps_done && before_.lessons.empty() && before_.model.empty();
    if (is_new && request.script.empty() && request.lesson.empty() && request.file.empty())
        (void)session.execute("lesson door on");
    if (!request.lesson.empty())
        if (Result<Done> opened = session.execute("lesson open " + request.lesson); !opened) return opened;
    if (!request.file.empty()) host.open_file(request.file);
    return Done{};
}

void WindowMemory::keep(const Session& session, Host& host, int width, int height, bool maximized) {
    const View& view = session.view();
    const Question& opened = session.opened().question(); // a run that is shown is remembered as a run
    Settings now;
    now.language = session.strings().language();
    now.theme = view.theme == ThemeName::dark ? "dark" : "light";
    now.presenter = view.presenter;
    now.width = maximized ? before_.width : width;
    now.height = maximized ? before_.height : height;
    now.maximized = maximized;
    now.first_steps_done = host.canvas().first_steps().done();
    now.model =
        session.opened().has_model() ? std::filesystem::absolute(opened.model).string() : std::string();
    now.source = opened.source;
    now.lessons = host.lessons().remembered();
    now.recent = view.files.recent;
    now.folder = view.files.folder.string();
    if (now == kept_) return;
    kept_ = now;
    write_settings(file_, now);
}

} // namespace headlight
