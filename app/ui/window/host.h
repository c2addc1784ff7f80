// Runs a session on a display, frame by frame: the window of a person, or a script's without any display.
// Adds the commands that only a display can carry out: click, hover, press, type, wait, resize, fullscreen,
// quit.
#pragma once

#include "app/lessons/player.h"
#include "app/ui/canvas/canvas_view.h"
#include "app/ui/window/desktop_files.h"

#include <filesystem>
#include <functional>
#include <istream>
#include <string>

namespace headlight {

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
    Result<Done> settle();

    Display& display_;
    Ui& ui_;
    Session& session_;
    CanvasView canvas_;
    LessonPlayer lessons_;
    DesktopFiles desktop_files_;
    double patience_ = usual_patience;
    int frames_to_wait_ = 0;
    bool quit_ = false, in_script_ = false;
};

} // namespace headlight
