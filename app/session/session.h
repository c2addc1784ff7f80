// Everything the window shows and remembers, without a window. Panels read it; commands change it.
#pragma once

#include "app/session/asking.h"
#include "app/session/backward.h"
#include "app/session/closeups.h"
#include "app/session/command.h"
#include "app/session/heads_view.h"
#include "app/session/lesson_view.h"
#include "app/session/loaded_model.h"
#include "app/session/sentence.h"
#include "app/session/strings.h"
#include "app/session/training/training_desk.h"
#include "app/session/what_if.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

struct Moment;
struct PaddedBatch;
struct Run;
enum class SweepKind;
struct SessionSweep;
struct TrainingView;
class LiveTraining;

enum class ThemeName { dark, light };

// What the window is set up for.
enum class Room {
    explore, // the canvas, the step in words, the number that is asked about
    train,   // the canvas while the model learns
    heads,   // all heads of the sentence
    what_if, // the canvas with changes
    lesson,  // attention without parameters, from the ground
};
std::string_view name_of(Room room); // "whatif"

// Where the colours of matrices end.
struct ColourRange {
    bool shared = true;  // by all heads of a value; else each matrix has its own
    bool locked = false; // as it was, whatever the numbers do
    bool operator==(const ColourRange&) const = default;
};

// A picture that a script wants of the next complete frame.
struct ScreenshotRequest {
    std::filesystem::path file;
    int width = 0, height = 0; // 0: as the window is
};

// Something to tell the person, until the next command or until it is closed.
struct Notice {
    bool is_error = false;
    std::string text;
};

struct SessionState {
    std::string source_text;
    std::optional<std::string> target_text; // given: teacher forcing; none: the model's own words
    std::vector<Change> changes;            // what-ifs, in the order in which they are made
    std::optional<std::string> second_text; // another sentence, to compare with
    bool against_baseline = false;          // matrices show what the changes add to each number
    HeadsView heads;
    LessonView lesson;
    Index step = 0;                     // place in the story
    Index head = -1;                    // shown large; −1: all side by side
    std::optional<Selection> selection; // the cell that is held
    Asking asking;
    Backward backward;
    CloseUps close_ups;
    TrainingDesk desk;
    bool playing = false;
    double steps_per_second = 0.8;
    ThemeName theme = ThemeName::dark;
    bool presenter = false; // larger type, for a projector
    bool show_help = false;
    bool animations = true; // the canvas moves from place to place; else it jumps
    ColourRange colour_range;
    Room room = Room::explore;
    std::optional<Notice> notice;
    std::vector<ScreenshotRequest> screenshots;
};

class Session {
public:
    Session(std::filesystem::path assets, Strings strings);
    ~Session();
    Session(const Session&) = delete; // its commands point to it
    Session& operator=(const Session&) = delete;

    // Runs one command line. An error changes nothing but the notice, and is returned too.
    Result<Done> execute(std::string_view line);
    // Time goes on: playing moves. True when something changed.
    bool advance(double seconds);

    const SessionState& state() const { return state_; }
    const Strings& strings() const { return strings_; }
    const CommandRegistry& commands() const { return commands_; }
    CommandRegistry& commands() { return commands_; } // for what only a window can do
    const std::filesystem::path& assets() const { return assets_; }

    // Training beside the window, and what of it is shown (app/session/training/training_view.h).
    const TrainingView& training() const { return *training_; }
    // Runs are remembered in this folder, from one time to the next (training_folder()).
    void remember_training(const std::filesystem::path& folder);
    void keep_training();                // while no frame is drawn, about once a second
    std::vector<Error> close_training(); // before the end; see LiveTraining::close
    // Something goes on by itself; when it moves, the very next frame is another one, and otherwise one of
    // the next: the trainer has news a few times a second.
    bool is_lively() const;
    bool is_moving() const;
    // Of a value, the present minus that of the earlier of two moments, cell by cell; empty when no two are
    // compared.
    std::vector<Real> difference_of(std::string_view path) const;

    bool has_model() const { return model_ != nullptr; }
    const LoadedModel& model() const { return *model_; }
    // For whoever keeps something that points into the model's graph from one command to the next.
    std::shared_ptr<const LoadedModel> shared_model() const { return model_; }
    const Sentence& sentence() const { return sentence_; }
    const WhatIf& what_if() const { return what_if_; }
    const BackwardStep& backward_step() const; // where the walk back from the loss is
    // The sweep over this computation, done or under way (app/session/session_sweep.h); null when there is
    // none.
    const SessionSweep* sweep() const { return sweep_.get(); }
    // The sentence at hand, the second and others in one padded batch (app/session/padded_batch.h): computed
    // when it is first asked for. batch_sample() is the one that is looked at.
    const PaddedBatch& padded_batch() const;
    Index batch_sample() const;
    // Its sentences beside those two.
    std::vector<std::string> batch_others() const;
    const StoryStep& step() const { return model_->story[std::size_t(state_.step)]; }
    // Another with every computation, in this session or any other: what was drawn of an older one is out of
    // date.
    unsigned long version() const { return version_; }
    // The model's graph with the gradients of the loss: differentiated when they are first asked for.
    const Graph& with_gradients() const;
    // Whether the window shows this value's gradient in its place: the backward pass is looked at, and the
    // value has one.
    bool shows_gradient(const Node& node) const;
    // The version() at which the model was opened, and at which its weights last changed: what depends on
    // them alone is up to date since.
    unsigned long model_version() const { return model_version_; }
    unsigned long weights_version() const { return weights_version_; }
    // Folders of assets/models in order of name, as of the last time that a model was opened.
    const std::vector<std::filesystem::path>& shipped_models() const { return shipped_models_; }
    // Sentences that the model knows well: its examples.txt.
    const std::vector<std::string>& examples() const { return examples_; }
    bool can_undo() const { return !past_.empty(); }
    bool can_redo() const { return !future_.empty(); }

    // The commands that bring a session to where this one is, for a file that open reads.
    std::vector<std::string> as_commands() const;

    std::vector<ScreenshotRequest> take_screenshots();
    // The text that `copy` made since the last time: for whoever has a clipboard.
    std::optional<std::string> take_copied();
    void dismiss_notice() { state_.notice.reset(); }

private:
    // What undo brings back: the model, what it was fed, what was changed of it; how the heads are looked at,
    // and the lesson.
    struct Fed {
        std::filesystem::path model;
        std::string source;
        std::optional<std::string> target = {};
        std::vector<Change> changes = {};
        std::optional<std::string> second = {};
        HeadsView heads = {};
        LessonSetting lesson = {};
        bool operator==(const Fed&) const = default;
    };

    void add_commands();
    void add_asking_commands();
    void add_backward_commands();
    // Close-ups: app/session/closeup_commands.cpp.
    void add_close_up_commands();
    Result<Done> open_close_up(std::string_view which);
    void look_at_held_row();
    Result<Done> work(std::string_view how);
    Result<Done> follow_word(std::string_view how);
    bool close_up_plays() const;
    bool advance_close_up(double seconds);
    void add_what_if_commands();
    Result<Done> walk_back(const std::string& how, const std::string& where);
    void add_sweep_commands();
    Result<Done> begin_sweep(std::string_view how);
    Result<Done> show_measure(std::string_view name);
    void sweep_over(SweepKind kind, const SweepTarget& target, bool chooses_word);
    bool follow_sweep();
    void compute_changes(); // nothing but the changes is other: a sweep is done anew
    void add_examining_commands();
    void add_batch_commands();
    Result<Done> set_batch(std::string_view what);
    void add_lesson_commands();
    Result<Done> set_lesson(std::string_view what);
    Result<Done> drag(std::string_view text);
    Result<Done> show_heads(std::string_view what);
    void compute();
    Fed fed() const;
    void remember(const Fed& before);
    Result<Done> bring_back(std::vector<Fed>& from, std::vector<Fed>& to);
    Result<Done> feed_source(std::string_view text);
    Result<Done> feed_target(std::string_view text);
    Result<Done> change_model(std::string_view folder);
    Result<Done> open_model(std::string_view folder);
    Result<Done> go_to(std::string_view path);
    Result<Done> move_step(std::string_view by);
    Result<Done> choose_head(std::string_view which);
    Result<Done> choose_layer(std::string_view which);
    Result<Done> choose_language(std::string_view code);
    Result<Done> choose_theme(std::string_view name);
    Result<Done> select(std::string_view where);
    Result<Done> expect(std::string_view what) const;
    Result<Done> take_screenshot(std::string_view how);
    Result<Done> change(std::string_view what);
    Result<Done> add_change(std::string_view text);
    Result<Done> set_changes(std::vector<Change> changes);
    Result<Done> set_second(std::string_view text);
    Result<Done> save_session(std::string_view file) const;
    Result<Done> open_session(std::string_view file);
    Result<Done> run_session_file(std::string_view text, const std::string& name);

    // Training: app/session/training_commands.cpp and app/session/training_follow.cpp.
    void add_training_commands();
    Result<Done> train(std::string_view how);
    Result<Done> wait_for_training(const std::vector<std::string>& words);
    Result<Done> choose_moment(std::string_view which);
    Result<Done> choose_difference(std::string_view which);
    Result<Done> choose_over_time(std::string_view what);
    bool follow_training(double seconds);
    bool play_film(const Run& run, double seconds);
    bool follow_newest(const Run& run, double seconds);
    void show_run();
    void show_moment(const Moment& moment);
    void leave_training();
    void forget_opened();

    std::filesystem::path assets_;
    Strings strings_;
    CommandRegistry commands_;
    SessionState state_;
    std::shared_ptr<LoadedModel> model_;
    Sentence sentence_;
    WhatIf what_if_;
    unsigned long version_ = 0, model_version_ = 0, weights_version_ = 0;
    std::unique_ptr<SessionSweep> sweep_;
    mutable std::unique_ptr<PaddedBatch> padded_batch_; // of the present sentences and weights
    std::vector<std::filesystem::path> shipped_models_;
    std::vector<std::string> examples_;
    std::vector<Fed> past_, future_; // before the present, after it
    bool typing_ = false;            // the last change was a letter more or less
    std::string dragged_;            // what a drag has last moved, and whereto
    std::size_t dragged_past_ = 0;   // how long past_ was then
    bool replaying_ = false;         // a session file is being read
    double play_clock_ = 0;          // seconds since the last step
    std::unique_ptr<TrainingView> training_;
};

} // namespace headlight
