#pragma once

#include "app/platform/frame_sink.h"
#include "app/session/session.h"
#include "app/ui/canvas/canvas_view.h"

namespace headlight {

// The film of the sentence as a file, in full HD or as large as is asked: drawn apart from the window, a few
// pictures between two of its frames, so that it can be gone on with. It ends with the film of the window:
// who leaves that, or opens another model, has stopped it.
class FilmExport {
public:
    static Result<std::unique_ptr<FilmExport>> begin(Session& session, CanvasView& canvas,
                                                     const ExportRequest& request);
    ~FilmExport();
    FilmExport(const FilmExport&) = delete;
    FilmExport& operator=(const FilmExport&) = delete;

    Result<Done> advance(double seconds);
    bool is_over() const { return next_ >= times_.size(); }
    double share() const { return double(next_) / double(times_.size()); }
    const std::filesystem::path& file() const { return file_; }

private:
    FilmExport(Session& session, CanvasView& canvas, const ExportRequest& request, FilmFile kind);
    Image picture(double time);

    Session& session_;
    CanvasView& canvas_;
    std::filesystem::path file_;
    ThemeOptions look_;
    int width_, height_;
    FilmPlace before_; // of the window's film
    bool alone_;
    std::vector<double> times_;
    std::size_t next_ = 0;
    std::unique_ptr<FrameSink> sink_;
};

} // namespace headlight
