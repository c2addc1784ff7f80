#include "app/ui/window/host.h"

#include "app/platform/image.h"
#include "app/session/file_chooser.h"
#include "app/session/link.h"
#include "app/ui/window/main_view.h"

#include <limits>

namespace headlight {

namespace {

// A change is seen in the frame after it; hovering is answered one frame later still.
constexpr int frames_to_settle = 3;

// Seconds: whether the desktop's chooser has been answered.
constexpr double seconds_between_looks = 0.1;

// Seconds: a trainer's weights come no more often, and every frame more would be taken from its time.
constexpr double often = 0.04, seldom = 0.15;

} // namespace

double seconds_between_news(const Display& display) { return display.draws_by_processor() ? seldom : often; }

Host::Host(Display& display, Ui& ui, Session& session)
    : display_(display),
      ui_(ui),
      session_(session),
      canvas_(session),
      lessons_(session),
      desktop_files_(session) {
    add_commands();
    display_.on_files_dropped = [this](const std::vector<std::string>& files) {
        if (!files.empty()) open_file(files.front());
    };
    display_.on_rest = [this] { session_.keep_training(); };
}

void Host::set_patience() {
    if (in_script_)
        session_.set_patience(std::numeric_limits<double>::infinity());
    else
        session_.set_patience(patience_, words_at_once);
}

bool Host::frame() {
    set_patience();
    const View& view = session_.view();
    ui_.set_theme({.dark = view.theme == ThemeName::dark, .presenter = view.presenter ? 1.5f : 1.f});
    if (quit_ || !ui_.begin_frame()) return false;
    session_.advance(double(ImGui::GetIO().DeltaTime));
    if (desktop_files_.tend()) display_.request_frame_within(seconds_between_looks);
    const std::optional<std::filesystem::path> picture = session_.take_picture(); // of what is shown now
    // The commands of this frame run at its end, after all is drawn with the old numbers: where they compute,
    // the version is another, and the next frame, which is asked for below, draws the new ones.
    const unsigned long version = session_.version();
    lessons_.advance(double(ImGui::GetIO().DeltaTime));
    main_view(session_, canvas_, lessons_);
    if (const auto text = session_.take_copied()) ImGui::SetClipboardText(text->c_str());
    ui_.end_frame();
    if (picture) take_picture(*picture);
    if (!in_script_ && !session_.view().exports.empty()) {
        if (const Result<Done> taken = take_exports(); !taken) session_.report(taken.error());
        display_.request_frames(2); // what came of it is told
    }
    if (!in_script_ && !session_.view().screenshots.empty()) {
        if (const Result<Done> taken = take_screenshots(); !taken) session_.report(taken.error());
        display_.request_frames(2);
    }
    if (!in_script_ && film_export_) go_on_with_film();
    if (lessons_.is_watched()) display_.request_frame_within(LessonPlayer::seconds_between_looks);
    if (session_.is_moving() || canvas_.wants_frame() || version != session_.version())
        display_.request_frames(2);
    else if (session_.is_lively())
        display_.request_frame_within(seconds_between_news(display_));
    if (after_frame) after_frame();
    return !quit_;
}

void Host::open_file(const std::filesystem::path& file) {
    if (looks_like_link(file.string())) {
        (void)session_.execute("open " + file.string());
        return;
    }
    if (file.extension() == ".md") {
        (void)session_.execute("lesson open " + file_argument(file));
        return;
    }
    if (file.filename() == "config.json") return open_file(std::filesystem::absolute(file).parent_path());
    const FileKind &run = kind_of(FileRequest::open_run), &model = kind_of(FileRequest::open_model);
    std::error_code none;
    const bool is_folder = std::filesystem::is_directory(file, none);
    const FileKind& kind = !is_folder ? kind_of(file.extension() == ".headlight" ? FileRequest::open_session
                                                                                 : FileRequest::open_pairs)
                           : is_of_kind(file, model) && !is_of_kind(file, run) ? model
                                                                               : run;
    if (!session_.execute(std::string(kind.command) + " " + file_argument(file))) return;
    for (const std::string_view line : where_it_is_seen(kind)) (void)session_.execute(line);
}

void Host::take_picture(const std::filesystem::path& file) {
    const Result<Done> written = write_png(file.string(), display_.capture());
    if (written)
        session_.tell("picture.saved", {shown_name(file.filename().string())});
    else
        session_.report(written.error());
    display_.request_frames(2);
}

Result<Done> Host::settle() {
    for (int i = 0; i < frames_to_settle || frames_to_wait_ > 0 || !display_.input().empty(); ++i) {
        display_.request_frames(1); // a script does not wait for somebody to move the mouse
        if (!frame()) return Done{};
        if (frames_to_wait_ > 0) --frames_to_wait_;
    }
    const Result<Done> taken = take_screenshots();
    return taken ? take_exports() : taken;
}

Result<Done> Host::take_exports() {
    for (const ExportRequest& request : session_.take_exports()) {
        if (!session_.has_model()) return Error{"error.no_model", {}}; // it was closed since
        if (request.subject == ExportSubject::film) {
            auto film = FilmExport::begin(session_, canvas_, request);
            if (!film) return film.error();
            film_export_ = *std::move(film);
            while (in_script_ && film_export_) go_on_with_film();
            continue;
        }
        const Result<Done> written = export_picture(session_, canvas_, lessons_, request);
        if (!written) return written;
        session_.tell("export.saved", {std::filesystem::absolute(request.file).string()});
    }
    return Done{};
}

// A little between two frames; who has left the film has stopped it.
void Host::go_on_with_film() {
    constexpr double at_once = 0.03; // seconds
    const std::string file = std::filesystem::absolute(film_export_->file()).string();
    const bool is_stopped = film_export_->share() > 0 && !session_.view().film.on;
    const Result<Done> done = is_stopped ? Result<Done>(Done{}) : film_export_->advance(at_once);
    display_.request_frames(2);
    if (!done) session_.report(done.error());
    if (done && is_stopped)
        session_.tell("film.export.stopped", {file});
    else if (done && film_export_->is_over())
        session_.tell("export.saved", {file});
    else if (done)
        return session_.tell("film.export.progress",
                             {std::to_string(int(film_export_->share() * 100)), file});
    film_export_.reset();
}

Result<Done> Host::take_screenshots() {
    for (const ScreenshotRequest& request : session_.take_screenshots()) {
        const int width = display_.width(), height = display_.height();
        if (request.width > 0) {
            display_.resize(request.width, request.height);
            for (int i = 0; i < frames_to_settle; ++i) {
                display_.request_frames(1);
                frame();
            }
        }
        const Result<Done> written = write_png(request.file.string(), display_.capture());
        if (request.width > 0) display_.resize(width, height);
        if (!written) return written.error();
        if (!in_script_) session_.tell("picture.saved", {shown_name(request.file.filename().string())});
    }
    return Done{};
}

Result<Done> Host::run(const std::string& line) {
    in_script_ = true; // which goes on when all is computed
    set_patience();
    Result<Done> done = session_.execute(line);
    if (done) {
        canvas_.first_steps().did(line);
        done = settle();
    }
    in_script_ = false;
    return done;
}

Result<Done> Host::run_script(std::istream& script, const std::string& name) {
    if (const Result<Done> started = run(""); !started) return started.error();
    std::string line;
    for (int number = 1; std::getline(script, line) && !quit_; ++number) {
        const Result<Done> done = run(line);
        if (!done)
            return Error{
                "error.script_line",
                {name, std::to_string(number), session_.strings().text(done.error()), done.error().key}};
    }
    return Done{};
}

void Host::add_commands() {
    using namespace argument;
    CommandRegistry& commands = session_.commands();
    const auto place_of = [this](const Arguments& in) -> Result<ImVec2> {
        const std::string& name = in.text("NAME");
        if (in.has("ROW")) {
            const auto centre =
                ui_.widgets().cell_centre(name, int(in.whole("ROW")), int(in.whole("COLUMN")));
            if (centre) return *centre;
        } else if (const auto rect = ui_.widgets().find(name)) {
            return rect->centre();
        }
        std::string known;
        for (const std::string& one : ui_.widgets().names()) known += (known.empty() ? "" : ", ") + one;
        return Error{"error.no_such_widget", {name, known}};
    };
    const auto add_pointing = [&](const char* name, auto point) {
        const auto run = [place_of, point](const Arguments& in) -> Result<Done> {
            const Result<ImVec2> place = place_of(in);
            if (!place) return place.error();
            point(*place);
            return Done{};
        };
        commands.add(name, {word("NAME"), whole("ROW"), whole("COLUMN")}, run).of_person = true;
        commands.add(name, {word("NAME")}, run).of_person = true;
    };
    add_pointing("click", [this](ImVec2 place) { display_.input().click(place.x, place.y); });
    add_pointing("hover", [this](ImVec2 place) { display_.input().move_mouse(place.x, place.y); });
    commands
        .add("press", {word("KEY")},
             [this](const Arguments& in) -> Result<Done> {
                 const std::optional<Chord> chord = parse_chord(in.text("KEY"));
                 if (!chord) return Error{"error.no_such_key", {in.text("KEY")}};
                 display_.input().press_key(*chord);
                 return Done{};
             })
        .of_person = true;
    commands.add("type", {text()}, [this](const Arguments& in) { display_.input().type_text(in.line()); })
        .of_person = true;
    commands
        .add("wait", {whole("FRAMES", 0, 100'000)},
             [this](const Arguments& in) { frames_to_wait_ = int(in.whole("FRAMES")); })
        .of_person = true;
    commands
        .add(
            "resize", {whole("WIDTH", 320, 8192), whole("HEIGHT", 240, 8192)},
            [this](const Arguments& in) { display_.resize(int(in.whole("WIDTH")), int(in.whole("HEIGHT"))); })
        .of_person = true;
    commands.add("fullscreen", {a_switch()}, [this](const Arguments& in) {
        display_.fill_screen(switched(in, display_.fills_screen()));
    });
    commands.add("quit", {}, [this](const Arguments&) { quit_ = true; }).of_person = true;
}

} // namespace headlight
