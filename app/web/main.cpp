// What the page's script calls (app/web/*.js): start, frames, input, files, links.
#include "app/platform/imgui_compat.h"
#include "app/session/training/training_view.h"
#include "app/ui/window/window_text.h"
#include "app/web/page.h"
#include "engine/base/threads.h"

#include <emscripten.h>

#include <cmath>
#include <cstdlib>
#include <exception>
#include <filesystem>

namespace {

using namespace headlight;

std::unique_ptr<Page> page;
std::string answer; // the last text that was handed to the script

const char* told(std::string text) {
    answer = std::move(text);
    return answer.c_str();
}

InputQueue& input() { return page->window().input(); }

} // namespace

extern "C" {

// Empty, or in one sentence why there is no program. `address`: of a link, from the # on, or empty; `page`: what stands
// before the #. `threads`: workers that wait for something to do.
EMSCRIPTEN_KEEPALIVE const char* headlight_start(const char* language, const char* address, const char* page_address,
                                                 int threads, int width, int height, float pixels_per_dot) {
    allow_threads(threads);
    setenv("HEADLIGHT_PAGE", page_address, 1);
    setenv("HEADLIGHT_ASSETS", "/assets", 1);
    setenv("HEADLIGHT_FONTS", "/fonts", 1);
    std::error_code ignored;
    std::filesystem::create_directories("/files", ignored);
    std::filesystem::current_path("/files", ignored);
    try {
        Result<std::unique_ptr<Page>> opened = Page::open(language, address, {width, height, pixels_per_dot});
        if (!opened) {
            const Result<Strings> strings = Strings::load("/assets");
            return told(strings ? strings->text(opened.error()) : opened.error().key);
        }
        page = *std::move(opened);
        return told("");
    } catch (const std::exception& fault) {
        return told(fault.what());
    }
}

EMSCRIPTEN_KEEPALIVE int headlight_frame(double seconds) { return page->frame(seconds); }

EMSCRIPTEN_KEEPALIVE void headlight_resize(int width, int height, float pixels_per_dot) {
    page->window().set_size(width, height, pixels_per_dot);
}

EMSCRIPTEN_KEEPALIVE void headlight_point(float x, float y) { input().move_mouse(x, y); }

EMSCRIPTEN_KEEPALIVE void headlight_button(int button, int down) {
    if (down)
        input().press_mouse(button);
    else
        input().release_mouse(button);
}

EMSCRIPTEN_KEEPALIVE void headlight_wheel(float right, float up) { input().turn_wheel(up, right); }

// By the names of key bindings: "a", "left", "ctrl".
EMSCRIPTEN_KEEPALIVE void headlight_key(const char* name, int down) {
    const std::optional<Chord> chord = parse_chord(name);
    if (!chord) return;
    InputEvent event;
    event.kind = InputEvent::Kind::key;
    event.key = chord->key;
    event.down = down != 0;
    input().push(std::move(event));
}

EMSCRIPTEN_KEEPALIVE void headlight_type(const char* text) { input().type_text(text); }

EMSCRIPTEN_KEEPALIVE void headlight_lose_focus() {
    InputEvent event;
    event.kind = InputEvent::Kind::focus_lost;
    input().push(std::move(event));
}

// What the next Ctrl+V puts in.
EMSCRIPTEN_KEEPALIVE void headlight_paste(const char* text) { page->window().set_pasted(text); }

EMSCRIPTEN_KEEPALIVE void headlight_drop(const char* path) {
    page->window().drop({path});
    page->window().wake();
}

// A text field has the keyboard.
EMSCRIPTEN_KEEPALIVE int headlight_is_typing() { return ImGui::GetIO().WantTextInput; }

// See WebWindow::scroll_step.
EMSCRIPTEN_KEEPALIVE float headlight_scroll_step() { return page->window().scroll_step(); }

// One command of the window. Empty, or what is wrong with it.
EMSCRIPTEN_KEEPALIVE const char* headlight_do(const char* line) {
    const Result<Done> done = page->execute(line);
    return told(done ? "" : page->session().strings().text(done.error()));
}

// Follows a link; what is wrong with it is told in the window.
EMSCRIPTEN_KEEPALIVE void headlight_follow(const char* address) { page->follow(address); }

// A shipped model that is wanted and not there yet, by its name; empty: none. Then that it came.
EMSCRIPTEN_KEEPALIVE const char* headlight_wanted_model() { return told(page->take_wanted_model()); }
EMSCRIPTEN_KEEPALIVE void headlight_model_came() { page->model_came(); }

// A sentence in the window, by its key: that something is wrong, or a remark that goes by itself.
EMSCRIPTEN_KEEPALIVE void headlight_report(const char* key) {
    page->session().report({key, {}});
    page->window().wake();
}
EMSCRIPTEN_KEEPALIVE void headlight_tell(const char* key) {
    page->session().tell(key, {});
    page->window().wake();
}

// What is told at present.
EMSCRIPTEN_KEEPALIVE const char* headlight_notice() {
    const std::optional<Notice>& notice = page->session().view().notice;
    return told(notice ? notice->text : "");
}

EMSCRIPTEN_KEEPALIVE void headlight_lose_graphics() { page->lose_graphics(); }

// Empty, or why there are none.
EMSCRIPTEN_KEEPALIVE const char* headlight_restore_graphics() {
    const Result<Done> restored = page->restore_graphics();
    return told(restored ? "" : page->session().strings().text(restored.error()));
}

// What trains is remembered in a folder, which the script keeps (app/web/store.js).
EMSCRIPTEN_KEEPALIVE void headlight_remember(const char* folder) { page->session().remember_training(folder); }

// Something was trained that no file has.
EMSCRIPTEN_KEEPALIVE int headlight_has_unsaved() { return page->session().training().training.has_unsaved(); }

EMSCRIPTEN_KEEPALIVE const char* headlight_title() { return told(page->title()); }

// More of the assets have come.
EMSCRIPTEN_KEEPALIVE void headlight_look_for_models() {
    page->session().look_for_models();
    page->window().wake();
}

EMSCRIPTEN_KEEPALIVE const char* headlight_link() { return told(page->link()); }

// All that the window shows, as lines of a session; and back to it.
EMSCRIPTEN_KEEPALIVE const char* headlight_session() {
    std::string lines;
    for (const std::string& line : page->session().as_commands()) lines += line + "\n";
    return told(std::move(lines));
}
EMSCRIPTEN_KEEPALIVE void headlight_bring_back(const char* lines) { (void)page->session().bring_back(lines, "", {}); }

EMSCRIPTEN_KEEPALIVE void headlight_keep_settings() { page->keep_settings(); }

EMSCRIPTEN_KEEPALIVE const char* headlight_place() { return told(page->place()); }

// What the window shows, as JSON (window_text.h); a matrix as a table; a sentence by its key.
EMSCRIPTEN_KEEPALIVE const char* headlight_text() { return told(page->text()); }
EMSCRIPTEN_KEEPALIVE const char* headlight_matrix(const char* path, int head) {
    return told(matrix_text(page->session(), path, head));
}
EMSCRIPTEN_KEEPALIVE const char* headlight_string(const char* key) {
    return told(std::string(page->session().strings().text(key)));
}

// How much of that the page sets itself: 0 nothing, 1 lessons, 2 all but what the room is about.
EMSCRIPTEN_KEEPALIVE void headlight_set_outside(int what) {
    page->session().set_outside(Outside(what));
    page->window().wake();
}
// The number of which the page's text speaks where the pointer is, "PATH HEAD ROW COLUMN"; empty: none.
EMSCRIPTEN_KEEPALIVE void headlight_point_at(const char* cell) {
    page->session().point_outside(cell);
    page->window().wake();
}

// A number by its path; NaN where there is none.
EMSCRIPTEN_KEEPALIVE double headlight_value(const char* path, int batch, int row, int column) {
    const NamedCell cell{path, {batch, row, column}};
    const Session& session = page->session();
    if (!session.find(path) || !session.has(cell)) return std::nan("");
    return double(session.find(path)->value(batch, row, column));
}

// Where a widget stands, "left top right bottom" in pixels; empty where there is none of that name.
EMSCRIPTEN_KEEPALIVE const char* headlight_widget(const char* name) {
    const auto rect = ui().widgets().find(name);
    if (!rect) return told("");
    return told(std::to_string(rect->min.x) + " " + std::to_string(rect->min.y) + " "
                + std::to_string(rect->max.x) + " " + std::to_string(rect->max.y));
}

// The place of a cell of a matrix in sight, "x y" in pixels.
EMSCRIPTEN_KEEPALIVE const char* headlight_cell(const char* name, int row, int column) {
    const auto place = ui().widgets().cell_centre(name, row, column);
    return told(place ? std::to_string(place->x) + " " + std::to_string(place->y) : "");
}

EMSCRIPTEN_KEEPALIVE const char* headlight_widgets() {
    std::string names;
    for (const std::string& name : ui().widgets().names()) names += name + "\n";
    return told(names);
}

// How the run that is looked at is getting on; empty: there is none.
EMSCRIPTEN_KEEPALIVE const char* headlight_training() {
    const Run* run = page->session().training().training.run();
    if (!run) return told("");
    const double exact = run->judged.empty() ? 0 : run->judged.back().exact_match;
    return told("step=" + std::to_string(run->step()) + " exact=" + std::to_string(exact)
                + " seconds=" + std::to_string(run->seconds));
}

EMSCRIPTEN_KEEPALIVE const char* headlight_language() { return told(page->session().strings().language()); }

} // extern "C"
