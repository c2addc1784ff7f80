#include "app/ui/window/export_film.h"
#include "app/ui/base/ui.h"
#include "app/ui/widgets/menu.h"
#include "engine/base/stopwatch.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace headlight {

namespace {

constexpr int frames_a_second = 30, gif_frames_a_second = 10;
constexpr int film_width = 1920, film_height = 1080, gif_width = 960, gif_height = 540, sheet_width = 1600,
              sheet_height = 900;
constexpr int most_tries = 100; // until all of a large model's matrices are ready
constexpr std::size_t sheet_pictures = 12;

ViewSize size_of(FilmFile kind) {
    if (kind == FilmFile::gif) return {gif_width, gif_height};
    if (kind == FilmFile::sheet) return {sheet_width, sheet_height};
    return {film_width, film_height};
}

// Twelve scenes at most, each where most of it is to be seen.
std::vector<double> times_of_sheet(const Film& film) {
    std::vector<const FilmScene*> scenes;
    for (const FilmScene& scene : film.scenes()) scenes.push_back(&scene);
    while (scenes.size() > sheet_pictures)
        scenes.erase(
            std::min_element(scenes.begin(), scenes.end(),
                             [](const FilmScene* a, const FilmScene* b) { return a->seconds < b->seconds; }));
    std::vector<double> times;
    for (const FilmScene* scene : scenes) times.push_back(scene->begin + scene->seconds * 0.6);
    return times;
}

} // namespace

FilmExport::FilmExport(Session& session, CanvasView& canvas, const ExportRequest& request, FilmFile kind)
    : session_(session),
      canvas_(canvas),
      file_(request.file),
      look_{.dark = session.view().theme == ThemeName::dark && !request.printable,
            .paper = request.printable},
      width_(int(size_of(kind).width) * request.scale),
      height_(int(size_of(kind).height) * request.scale),
      before_(session.view().film),
      alone_(session.view().alone) {
    const Film& film = session.model().film;
    const int rate = kind == FilmFile::webm ? frames_a_second : gif_frames_a_second;
    if (kind == FilmFile::sheet)
        times_ = times_of_sheet(film);
    else
        for (int i = 0; i <= int(film.seconds() * rate); ++i) times_.push_back(double(i) / rate);
}

Result<std::unique_ptr<FilmExport>> FilmExport::begin(Session& session, CanvasView& canvas,
                                                      const ExportRequest& request) {
    const std::optional<FilmFile> kind = film_file_of(request.file);
    if (!kind) return Error{"error.export_film", {request.file.string()}};
    std::unique_ptr<FilmExport> film(new FilmExport(session, canvas, request, *kind));
    auto sink = open_frame_sink(request.file, *kind, film->width_, film->height_,
                                *kind == FilmFile::webm ? frames_a_second : gif_frames_a_second);
    if (!sink) return sink.error();
    film->sink_ = *std::move(sink);
    return film;
}

FilmExport::~FilmExport() {
    canvas_.canvas().jump_to_film(false);
    if (!before_.on) (void)session_.execute("film off");
}

// The canvas and the caption, and nothing else.
Image FilmExport::picture(double time) {
    std::ostringstream line;
    line.precision(12);
    line << "film time " << std::fixed << time;
    canvas_.canvas().jump_to_film(true);
    (void)session_.execute("alone on");
    (void)session_.execute("film play"); // as it is seen while it plays
    (void)session_.execute(line.str());
    for (int i = 0; i < most_tries; ++i) {
        ui().begin_frame_apart(width_, height_, look_);
        const ScreenRect sheet = ScreenRect::at(0, 0, float(width_), float(height_));
        begin_bare_window("film", sheet, ImGuiWindowFlags_NoInputs);
        CommandSink nobody;
        (void)canvas_.draw(sheet, session_, nobody, std::nullopt);
        ImGui::End();
        const bool waits = canvas_.is_waiting();
        ui().end_frame_apart();
        if (!waits && (i > 0 || next_ > 0)) break;
    }
    Image image = ui().display().capture();
    (void)session_.execute("film pause");
    if (!alone_) (void)session_.execute("alone off");
    return image;
}

Result<Done> FilmExport::advance(double seconds) {
    const Stopwatch watch;
    do {
        if (is_over()) break;
        if (const Result<Done> added = sink_->add(picture(times_[next_])); !added) {
            ui().go_on_after_frames_apart();
            return added;
        }
        ++next_;
    } while (watch.seconds() < seconds);
    ui().go_on_after_frames_apart();
    return is_over() ? sink_->finish() : Done{};
}

} // namespace headlight
