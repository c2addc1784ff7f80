#pragma once

#include "app/lessons/player.h"
#include "app/platform/desktop_chooser.h"
#include "app/session/session.h"
#include "app/ui/canvas/canvas_view.h"
#include "app/ui/window/export_film.h"

#include <filesystem>
#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

// Lets the desktop's own chooser do what `choose` asks for, where there is one: between frames, which it
// never keeps waiting. When it does not come up the window's own takes its place.

class DesktopFiles {
public:
    explicit DesktopFiles(Session& session) : session_(session) {}

    void use(std::optional<DesktopChooser> chooser) { chooser_ = std::move(chooser); }
    // Before a frame. True while somebody chooses there: look again soon.
    bool tend();

private:
    void begin(const Choosing& choosing);
    void finish(const Choosing& choosing, std::filesystem::path chosen);

    Session& session_;
    std::optional<DesktopChooser> chooser_;
    std::optional<Choosing> asked_;
};

// The program's three ways to run the interface: in a window, from a script without a display, and measured.

struct WindowRequest {
    std::string model;  // folder or name of a shipped one; empty: as last time, or the translation model
    std::string text;   // the sentence; empty: as last time, or the model's first example
    std::string script; // commands to run once the window is open
    std::string lesson; // file, or name of a shipped one
    std::string
        file; // session, lesson, model folder or its config.json, run: as if it was dropped on the window

    // Nothing was asked for: the window goes on where the last one was.
    bool is_plain() const {
        return model.empty() && text.empty() && script.empty() && lesson.empty() && file.empty();
    }
};

// Until the window is closed. What the person chose is remembered for the next time.
Result<Done> open_window(Session& session, const WindowRequest& request);

// Runs a script with no display and writes the pictures that it asks for. The same script gives the same
// pictures everywhere: nothing that was remembered takes part.
Result<Done> render_script(Session& session, const std::string& script);

struct ExportLines {
    std::vector<std::string> lines;
    std::string script; // of the window, comes first; empty: none
    int width = 1440, height = 900;
    bool draws = true; // else no display is opened where no script wants one
};

// Commands of a session that was told what to open, as in a window of that size.
Result<Done> export_lines(Session& session, const ExportLines& request);

// Runs a session on a display, frame by frame: the window of a person, or a script's without any display.
// Adds the commands that only a display can carry out: click, hover, press, type, wait, resize, fullscreen,
// quit.

// How long a window rests that only waits for its trainer: longer where drawing takes the trainer's
// processor.
double seconds_between_news(const Display& display);

class Host {
public:
    Host(Display& display, Ui& ui, Session& session);

    // Called after every frame, also of a script's.
    std::function<void()> after_frame;

    // One frame; false when there shall be no further one.
    bool frame();

    // Runs a script's commands, each followed by as many frames as it needs to be seen. Stops at the first
    // error, which names the line.
    Result<Done> run_script(std::istream& script, const std::string& name);

    // One command, as a script's: with as many frames as it needs to be seen, and its pictures.
    Result<Done> run(const std::string& line);

    // How long somebody who types waits for an answer before the first words of it are shown, seconds; and
    // after how many words it is stopped: whole passes of more take long, and much memory.
    static constexpr double usual_patience = 0.1;
    static constexpr Index words_at_once = 1024;
    void wait_for_answers(double seconds) { patience_ = seconds; }

    // A file or a folder that was dropped on the window, or named when the program was started: a session
    // goes on, a lesson begins, a model is opened (also by its config.json), a run stands beside the others;
    // other files are sentence pairs of one's own, to train on. What is wrong with it is told in the window.
    void open_file(const std::filesystem::path& file);

    CanvasView& canvas() { return canvas_; }
    LessonPlayer& lessons() { return lessons_; }
    DesktopFiles& desktop_files() { return desktop_files_; }

private:
    void add_commands();
    void set_patience();
    Result<Done> take_screenshots();
    void take_picture(const std::filesystem::path& file);
    Result<Done> take_exports();
    void go_on_with_film();
    Result<Done> settle();

    Display& display_;
    Ui& ui_;
    Session& session_;
    CanvasView canvas_;
    LessonPlayer lessons_;
    DesktopFiles desktop_files_;
    std::unique_ptr<FilmExport> film_export_;
    double patience_ = usual_patience;
    int frames_to_wait_ = 0;
    bool quit_ = false, in_script_ = false;
};

} // namespace headlight
