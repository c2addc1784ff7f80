// How the window looks at an experiment: nothing that a number depends on.
#pragma once

#include "app/session/asking.h"
#include "app/session/closeups.h"
#include "app/session/exporting.h"
#include "app/session/files.h"
#include "app/session/film.h"
#include "app/session/heads_view.h"
#include "app/session/help_pages.h"
#include "app/session/page_views.h"
#include "app/session/training/training_view.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

struct LoadedModel;
class CommandRegistry;
class Session;
class Strings;

enum class ThemeName { light, dark };

// What a page sets as text of its own beside the canvas (window_text.h), and the canvas leaves to it.
enum class Outside {
    nothing,
    lesson,
    all // but what a room is about; with View::alone
};

// What the window is set up for.
enum class Room {
    explore,       // the canvas, the step in words, the number that is asked about
    train,         // the canvas while the model learns
    heads,         // all heads of the sentence
    what_if,       // the canvas with changes
    say,           // how the words come out, one by one
    ground_up,     // attention without parameters, from the ground
    cabinet,       // attention as a filing cabinet: a note, folders, what is taken of each
    descent,       // one weight, a layer, two layers: gradient descent from the ground
    fixed_weights, // a weight for each place, beside attention
    memory,        // how far back recurrent networks and Transformers remember
    norms,         // batch norm beside layer norm on a padded batch
    costs,         // what layers cost, measured over length and width
    library,       // lessons, and what shows one thing well
};
constexpr std::string_view room_names[] = {"explore", "train",   "heads",   "whatif", "say",
                                           "lesson",  "cabinet", "descent", "places", "memory",
                                           "norms",   "costs",   "library"};
constexpr std::string_view name_of(Room room) { return room_names[std::size_t(room)]; }

// The room of a page that computes something of its own: of values called "plain.…", "cabinet.…",
// "descent.…", "places.…", "norms.…" and "costs.…". None of the model's, which every other room shows.
std::optional<Room> small_page_of(std::string_view path);
constexpr bool is_small_page(Room room) { return room >= Room::ground_up; } // no sentence of the model's

// What is not to be seen before it was predicted.
struct Cover {
    std::vector<NamedCell> cells; // row or column −1: all of them
    bool words = false;           // what the model says
    bool picture = false;         // what the rooms of memory, costs and training draw and count

    bool hides(std::string_view path, Cell cell) const {
        return std::any_of(cells.begin(), cells.end(), [&](const NamedCell& covered) {
            const Cell& c = covered.cell;
            return covered.path == path && c.batch == cell.batch && (c.row < 0 || c.row == cell.row)
                   && (c.column < 0 || c.column == cell.column);
        });
    }
    // Anything of a value; of one of its rows.
    bool hides_some_of(std::string_view path, Index row = -1) const {
        return std::any_of(cells.begin(), cells.end(), [&](const NamedCell& covered) {
            return covered.path == path && (row < 0 || covered.cell.row < 0 || covered.cell.row == row);
        });
    }
    bool operator==(const Cover&) const = default;
};

// What a lesson that is open wants of the window around it.
struct Teaching {
    bool on = false;
    bool asks_number = false; // Enter goes to the field for it
    bool asks_choice = false; // digits choose
    bool votes = false;       // hands are counted instead: digits go to the field for them
    bool welcome = false;     // the front door stands over all else
    Cover cover;
    bool asks = false; // something is to be predicted, and was not yet
    std::vector<std::string> homework =
        {}; // what a saved session keeps of it: lesson, card, answers, in commands
    bool operator==(const Teaching&) const = default;
};

// Where the colours of matrices end.
struct ColourRange {
    bool shared = true;  // by all heads of a value; else each matrix has its own
    bool locked = false; // as it was, whatever the numbers do
    bool operator==(const ColourRange&) const = default;
};

// The backward pass: whether gradients are shown in the place of values, and how far the walk from the loss
// back has come.
struct Backward {
    bool on = false;
    Index step = 0;       // place in the backward story
    bool playing = false; // the walk goes on by itself; what it has not come to is not shown
    double share = 1;     // of the present step's time, while it does
};

// A picture that a script, or a person, wants of the next complete frame.
struct ScreenshotRequest {
    std::filesystem::path file;
    int width = 0, height = 0; // 0: as the window is
    bool of_person = false;    // who is told of it
};

// The filing cabinet learns, a few steps a frame.
struct CabinetTraining {
    bool on = false;
    double clock = 0; // steps that are due, the last of them in part
};

// Something to tell the person, for as long as it takes to read.
struct Notice {
    bool is_error = false;
    std::string text;
    double seconds_left = 0;  // then it goes by itself
    std::string offer = {};   // a button beside it; empty: none
    std::string command = {}; // that it sends
    bool operator==(const Notice&) const = default;
};

// What lies over all else, the topmost: nothing beneath it hears a key.
enum class Dialog { none, welcome, help, chooser, vocabulary, palette };

constexpr double film_pace =
    0.8; // steps a second, of what is told step by step, at which the film takes its own time

// The window itself: how a person has set it up, and what lies over it. It stays when another session is
// opened.
struct WindowState {
    ThemeName theme = ThemeName::dark;
    bool presenter = false;  // larger type, for a projector
    bool alone = false;      // what the room is about fills the window: nothing beside, above or below it
    bool spotlight = false;  // all is darker but what is around the pointer
    bool reads_back = false; // the answer, by the model of the other direction
    bool animations = true;  // the canvas moves from place to place; else it jumps
    double steps_per_second = film_pace;
    bool show_help = false, show_palette = false;
    HelpPage help_page = HelpPage::tasks;
    std::string palette_line; // what the palette begins with when it opens
    bool show_vocabulary = false;
    std::string vocabulary_request; // what is searched there when it opens
    Files files;
    Outside outside = Outside::nothing;
    std::optional<NamedCell> pointed_outside; // the number of which that text speaks where the pointer is
    std::string page;                         // the address that links are made for; empty: none is known
    std::optional<Notice> notice;
    Teaching teaching;
    std::vector<ScreenshotRequest> screenshots;
    std::vector<ExportRequest> exports;
};

// And what of a session is looked at, and how: a new session begins with a new one.
struct View : WindowState {
    Room room = Room::explore;
    Index step = 0;  // place in the story
    Index head = -1; // shown large; −1: all side by side
    Asking asking;
    std::optional<TokenPlace> word; // that is held: word_life.h
    HeadsView heads;
    GenerationView generation;
    MemoryView memory;
    Backward backward;
    CloseUps close_ups;
    TrainingPages training_pages;
    CabinetTraining cabinet_training;
    DescentView descent;
    bool places_play = false; // epoch after epoch
    CostsView costs;
    ProfileView profile;           // how long each value takes
    bool against_baseline = false; // matrices show what the changes add to each number
    bool playing = false;          // the film
    FilmPlace film;
    ColourRange colour_range;

    Dialog dialog() const {
        return show_palette       ? Dialog::palette
               : show_vocabulary  ? Dialog::vocabulary
               : files.choosing   ? Dialog::chooser
               : show_help        ? Dialog::help
               : teaching.welcome ? Dialog::welcome
                                  : Dialog::none;
    }

    // Another model is looked at: the same place of the story, as far as it has one. `path`: of the step.
    void move_to(const LoadedModel& model, std::string_view path);
    // What is not there any more is not looked at; nor is what another room's page has computed.
    void keep_what_exists(const Session& session);
    bool play(const LoadedModel& model, double seconds); // time goes on; true when it moved
    // A new one in the same window.
    View begun_anew() const;
};

// The story walked and played: goto, step, play, pause, toggle, speed, head, layer.
void add_walking_commands(CommandRegistry& commands, const Session& session, View& view);
// backward …
// While it plays: so many seconds go by. True when it moved.
bool advance_backward(Backward& backward, const LoadedModel& model, double seconds);
// The weight on which the loss depends most, by its gradient; none without gradients.
std::optional<NamedCell> steepest_weight(const LoadedModel& model);
void add_backward_commands(CommandRegistry& commands, const Session& session, Backward& backward);
// The window itself: room, range, theme, language, presenter, alone, spotlight, animation,
// baseline, help, palette, notice, screenshot.
void add_window_commands(CommandRegistry& commands, View& view, Strings& strings);

} // namespace headlight
