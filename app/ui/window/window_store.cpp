#include "app/ui/window/window_store.h"

#include "app/session/training/training_view.h"

#include <array>
#include <utility>

namespace headlight {

namespace {

constexpr std::size_t longest_remembered = 1 << 16; // bytes of a sentence
// What somebody new is shown; the second where the first is not there yet: on the page it comes later.
constexpr std::array<const char*, 2> first_models = {"everyday-en-pt", "translate-en-pt"};

// Before the commands of a session: the file that it was saved to.
const std::string saved_as_mark = "# saved as ";

} // namespace

void open_model_or_any(Session& session, const std::string& wanted) {
    if (!wanted.empty() && session.execute("model " + wanted)) return;
    for (const char* model : first_models)
        if (session.execute(std::string("model ") + model)) return;
    const std::vector<std::filesystem::path> folders =
        session.shipped_models(); // opening one reads them anew
    for (const auto& folder : folders)
        if (session.execute("model " + folder.string())) return;
}

WindowStore::WindowStore(std::filesystem::path settings, std::filesystem::path sessions)
    : file_(std::move(settings)),
      before_(read_settings(file_)),
      sessions_(std::move(sessions)),
      kept_{before_, {}},
      written_(before_) {
    if (has_threads()) writer_ = std::make_unique<BackgroundWork>([this] { return write_portion(); });
}

WindowStore::~WindowStore() { end_writing(); }

// --- beginning
// ---------------------------------------------------------------------------------------------

Result<Done> WindowStore::begin(Session& session, const WindowRequest& request) {
    if (!before_.language.empty()) (void)session.execute("language " + before_.language);
    (void)session.execute("theme " + before_.theme);
    (void)session.execute(before_.presenter ? "presenter on" : "presenter off");
    (void)session.execute("train pace " + before_.pace);
    session.recall_files(before_.recent, before_.folder);
    if (session.view().page.empty()) session.remember_page(before_.page); // else the environment says it
    session.dismiss_notice();
    if (request.is_plain() && bring_back(session)) return Done{};
    if (!request.is_plain()) (void)sessions_.begin(true);
    const std::optional<Notice> trouble = session.view().notice;
    if (!request.model.empty()) { // asked for by name: it must open
        if (const Result<Done> opened = session.execute("model " + request.model); !opened)
            return opened.error();
    } else {
        open_model_or_any(session, has_ended_at_start_ ? "" : before_.model);
    }
    if (!request.text.empty())
        (void)session.execute("source " + request.text);
    else if (request.model.empty() && !before_.source.empty() && !has_ended_at_start_)
        (void)session.execute("source " + before_.source);
    session.dismiss_notice();
    if (trouble) session.report_text(trouble->text);
    return Done{};
}

// What a window showed that was killed, or the one that was closed last. False: nothing, or it is as it would
// be without.
bool WindowStore::bring_back(Session& session) {
    const std::optional<WindowSessions::Found> found = sessions_.begin(false);
    if (!found) return false;
    const Strings& strings = session.strings();
    has_ended_at_start_ = found->ended_at_start;
    if (has_ended_at_start_) {
        session.report({"error.session_ends_program", {sessions_.set_aside(*found).string()}});
        return false;
    }
    std::string saved_as;
    if (found->lines.starts_with(saved_as_mark)) {
        const std::size_t end = std::min(found->lines.find('\n'), found->lines.size());
        saved_as = found->lines.substr(saved_as_mark.size(), end - saved_as_mark.size());
    }
    const Result<Done> done = session.bring_back(found->lines, found->file.string(), saved_as);
    if (!done) {
        session.report({"error.session_not_found_again",
                        {strings.text(done.error()), sessions_.set_aside(*found).string()}});
        return false;
    }
    session.dismiss_notice();
    has_found_ = session.has_model();
    return has_found_;
}

Result<Done> WindowStore::begin(Session& session, Host& host, const WindowRequest& request) const {
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

// Once, when the runs that are remembered are there too: one line, and a way to begin afresh.
void WindowStore::tell_what_was_found(Session& session) {
    const LiveTraining& training = session.training().training;
    if (has_told_ || training.is_recalling()) return;
    has_told_ = true;
    if (session.view().notice) return; // trouble is more important
    const Strings& strings = session.strings();
    std::string found;
    const auto add = [&](const std::string& what) { found += (found.empty() ? "" : ", ") + what; };
    const Question& question = session.opened().question();
    if (has_found_) {
        const std::vector<std::string>& examples = session.opened().model().examples;
        if (examples.empty() || question.source != examples.front()) add(strings.text("found.sentence"));
        if (question.target) add(strings.text("found.target"));
        const std::size_t changes = question.changes.size();
        if (changes == 1) add(strings.text("found.change"));
        if (changes > 1) add(strings.text("found.changes", {std::to_string(changes)}));
    }
    const bool is_other = !found.empty(); // than what somebody new is shown
    Index runs = 0, steps = 0;
    for (const auto& run : training.runs())
        if (run->is_remembered) ++runs, steps = run->step();
    if (runs == 1) add(strings.text("found.run", {format_whole(steps)}));
    if (runs > 1) add(strings.text("found.runs", {std::to_string(runs), format_whole(steps)}));
    if (found.empty()) return;
    const std::string offer = is_other ? strings.text("found.afresh") : ""; // runs stand by themselves
    session.tell_and_offer(strings.text("found.again", {found}), offer, "afresh");
}

// --- keeping
// -----------------------------------------------------------------------------------------------

WindowStore::State WindowStore::state_of(const Session& session, Host& host, int width, int height,
                                         bool maximized) const {
    const View& view = session.view();
    const Question& opened = session.opened().question(); // a run that is shown is remembered as a run
    State state;
    Settings& now = state.settings;
    now.language = session.strings().language();
    now.theme = view.theme == ThemeName::dark ? "dark" : "light";
    now.presenter = view.presenter;
    now.width = maximized ? before_.width : width;
    now.height = maximized ? before_.height : height;
    now.maximized = maximized;
    now.first_steps_done = host.canvas().first_steps().done();
    now.model =
        session.opened().has_model() ? std::filesystem::absolute(opened.model).string() : std::string();
    if (opened.source.size() <= longest_remembered)
        now.source = opened.source; // the session has it all the same
    now.lessons = host.lessons().remembered();
    const std::optional<double>& pace = session.training().training.chosen_pace();
    now.pace = !pace ? "usual" : *pace > 0 ? exactly(*pace) : "all";
    now.recent = view.files.recent;
    now.folder = view.files.folder.string();
    now.page = view.page;
    if (!view.files.session.empty()) state.session = saved_as_mark + view.files.session.string() + "\n";
    for (const std::string& line : session.as_commands()) state.session += line + "\n";
    return state;
}

bool WindowStore::keep(Session& session, Host& host, int width, int height, bool maximized) {
    if (!std::exchange(was_seen_, true)) sessions_.has_begun();
    tell_what_was_found(session);
    tell_trouble(session);
    if (has_looked_ && since_look_.seconds() < seconds_between_looks) return false;
    has_looked_ = true;
    since_look_ = {};
    hand_over(state_of(session, host, width, height, maximized));
    return true;
}

void WindowStore::hand_over(State state) {
    if (state == kept_) return;
    kept_ = state;
    {
        const std::lock_guard lock(mutex_);
        to_write_ = std::move(state);
    }
    if (writer_)
        writer_->wake();
    else // a page, whose files are memory
        (void)write_portion();
}

// A home that may not be written to is no reason to trouble anybody; a disk that is full is.
Portion WindowStore::write_portion() {
    std::optional<State> state;
    {
        const std::lock_guard lock(mutex_);
        state = std::exchange(to_write_, std::nullopt);
        if (!state) return ends_ ? Portion::ended : Portion::waits;
    }
    if (state->settings != written_) {
        write_changed_settings(file_, written_, state->settings);
        written_ = state->settings;
    }
    const Result<Done> written = sessions_.write(state->session);
    if (!written && written.error().key == "error.disk_full") {
        const std::lock_guard lock(mutex_);
        disk_full_ = written.error();
    }
    return Portion::more;
}

void WindowStore::tell_trouble(Session& session) {
    const std::lock_guard lock(mutex_);
    if (disk_full_ && !std::exchange(has_told_disk_full_, true)) session.report(*disk_full_);
}

void WindowStore::end_writing() {
    if (!writer_) return;
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    writer_->wake();
    writer_->join();
    writer_.reset(); // from here on who keeps writes
}

void WindowStore::keep_now(Session& session, Host& host, int width, int height, bool maximized) {
    end_writing();
    hand_over(state_of(session, host, width, height, maximized));
}

void WindowStore::close(Session& session, Host& host, int width, int height, bool maximized) {
    keep_now(session, host, width, height, maximized);
    (void)sessions_.close(kept_.session);
}

} // namespace headlight
