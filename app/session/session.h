// Everything the window shows and remembers, without a window. Panels read it; commands change it.
#pragma once

#include "app/session/command.h"
#include "app/session/experiment.h"
#include "app/session/history.h"
#include "app/session/strings.h"
#include "app/session/view.h"

#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

class Memory;
class BackTranslation;
class NormsRace;
class WordOffers;
struct TrainingView;

// An experiment, and the questions that led to the present one.
struct Inquiry {
    Experiment experiment;
    History history;
};

// The model that was opened; and that of a run in training, while it is shown instead.
struct Inquiries {
    std::shared_ptr<Inquiry> opened = std::make_shared<Inquiry>(), of_run;

    const std::shared_ptr<Inquiry>& shown() const { return of_run ? of_run : opened; }
    Experiment& experiment() { return shown()->experiment; }
};

class Session {
public:
    Session(std::filesystem::path assets, Strings strings);
    ~Session();
    Session(const Session&) = delete; // its commands point to it
    Session& operator=(const Session&) = delete;

    // Runs one command line. An error changes nothing but the notice, and is returned too.
    Result<Done> execute(std::string_view line);
    // What one click asks, several lines: one step for undo.
    void execute_together(const std::vector<std::string>& lines);
    // Opens a model that no folder holds, as any builder makes it (assemble_model); undo leads no farther
    // back.
    void open(std::shared_ptr<LoadedModel> model);
    // Runs the lines of a session file as one step for undo. When one goes wrong, or so many seconds are over
    // before the last (error.link_too_long), as if nothing had been.
    Result<Done> replay(std::string_view lines, const std::string& file,
                        double seconds = std::numeric_limits<double>::infinity());
    // At the start: the same of what a window showed that was closed or killed. `saved_as`: the file that it
    // had been saved to; may be empty.
    Result<Done> bring_back(std::string_view lines, const std::string& file,
                            const std::filesystem::path& saved_as);
    // How long a command waits for an answer (Experiment::set_patience).
    void set_patience(double seconds, Index most_words = 0) {
        patience_ = seconds;
        most_words_ = most_words;
    }
    // Time goes on: playing moves, a sweep goes on, a run is followed. True when something changed (version()
    // tells whether numbers did).
    bool advance(double seconds);

    const Question& question() const { return experiment().question(); }
    const Experiment& experiment() const { return inquiries_.shown()->experiment; }
    const View& view() const { return view_; }
    const Strings& strings() const { return strings_; }
    const CommandRegistry& commands() const { return commands_; }
    CommandRegistry& commands() { return commands_; } // for what only a window can do
    const std::filesystem::path& assets() const { return assets_; }

    // Training beside the window, and what of it is shown (app/session/training/training_view.h).
    const TrainingView& training() const { return *training_; }
    // Races over a distance, and what those who ran make of a sentence (app/session/memory.h).
    const Memory& memory() const { return *memory_; }
    // Two models, alike but for their norm (app/session/norms_race.h).
    const NormsRace& norms_race() const { return *norms_race_; }
    const BackTranslation& back_translation() const { return *back_translation_; }
    const WordOffers& word_offers() const { return *word_offers_; } // for words that the model does not know
    // Runs are remembered in this folder, from one time to the next (training_folder()).
    void remember_training(const std::filesystem::path& folder);
    void remember_race(const std::filesystem::path& folder); // likewise
    void keep_training();                                    // while no frame is drawn, a few times a second
    std::vector<Error> close_training();                     // before the end; see LiveTraining::close
    // Something goes on by itself. Moving: the very next frame is another one. Lively: one of the next is, as
    // when the trainer has news a few times a second.
    bool is_lively() const;
    bool is_moving() const;

    // --- of the experiment that is shown
    bool has_model() const { return experiment().has_model(); }
    const LoadedModel& model() const { return experiment().model(); }
    // For whoever keeps something that points into the model's graph from one command to the next.
    std::shared_ptr<const LoadedModel> shared_model() const { return experiment().shared_model(); }
    const Sentence& sentence() const { return experiment().sentence(); }
    const WhatIf& what_if() const { return experiment().what_if(); }
    const SessionSweep* sweep() const { return experiment().sweep(); }
    const Generation* generation() const { return experiment().generation(); }
    const SmallPages& small_pages() const { return experiment().small_pages(); }
    const NormsPage* norms() const { return experiment().norms(); }
    unsigned long version() const { return experiment().version(); }
    // Of layers, on this machine; kept until it is measured anew.
    const CostMeasuring& costs() const { return *cost_measuring_; }
    const StoryStep& step() const { return model().story[std::size_t(view_.step)]; }
    const BackwardStep& backward_step() const; // where the walk back from the loss is
    // To which a value of that path belongs, or would: the model's, or that of the page whose values are
    // called so ("plain.weights", "cabinet.output"), or that of a measure ("measures.lens.decoder.0.said").
    // Null without a model, and of a measure that it does not have.
    const Graph* graph_of(std::string_view path) const;
    const Node* find(std::string_view path) const; // of any of them; or null
    bool has(const NamedCell& cell) const;
    bool has(const MatrixPart& part) const;
    bool is_of_model(const Node& node) const { return has_model() && node.graph == &model().graph(); }
    // Another whenever that value may be another.
    unsigned long version_of(std::string_view path) const;
    AtHand at_hand() const; // for what is typed
    // Which number is taken apart into what brings it: the one that was chosen, else the last word said.
    SweepTarget attributed() const;
    // Its parts; null where there is no linear way to the logits.
    const Attribution* attribution() const;
    // The net of the page of gradient descent is open as a model: it has the weights of the step of the way
    // down that is looked at, and goes on with it.
    bool shows_way() const;
    // That way, not a run, is what the room of training and the time machine are about.
    bool trains_net() const { return shows_way() && !view_.training_pages.of_runs; }
    // While the page of words shows it: which word's places, over which sentences.
    const WordPlaces* word_places() const { return experiment().word_places(); }
    VocabularyRequest word_request() const;
    // The stream whose lens is looked through: the one that was chosen, else the first; null when none is.
    const Stream* lens_stream() const;
    // While the heads' page shows it, of a model that pads; batch_sample() is the one that is looked at.
    const PaddedBatch& padded_batch() const { return *experiment().padded_batch(); }
    Index batch_sample() const;
    // Whether the window shows this value's gradient in its place: the backward pass is looked at, and the
    // value has one.
    bool shows_gradient(const Node& node) const;
    // What is shown of that value at a cell: the number or its gradient.
    CellRef number_in(const Node& node, Cell cell) const { return {&node, cell, shows_gradient(node)}; }

    // What was opened, whatever is shown: to go on with at another time.
    const Experiment& opened() const { return inquiries_.opened->experiment; }
    // Folders of assets/models in order of name, as of the last time that a model was opened.
    const std::vector<std::filesystem::path>& shipped_models() const { return shipped_models_; }
    void look_for_models(); // some have come
    // What shows one thing well, in one click: files of assets/classroom, which `classroom NAME` opens.
    const std::vector<std::string>& classroom() const { return classroom_; }
    // The lesson that explains such a step, "06-why-root-dk"; empty when none does.
    std::string lesson_about(const StoryStep& step) const;
    bool can_undo() const { return inquiries_.shown()->history.can_undo(); }
    bool can_redo() const { return inquiries_.shown()->history.can_redo(); }

    // The commands that bring a session to where this one is, for a file that open reads.
    std::vector<std::string> as_commands() const;

    std::vector<ScreenshotRequest> take_screenshots();
    std::vector<ExportRequest> take_exports();
    // The text that `copy` made since the last time: for whoever has a clipboard.
    std::optional<std::string> take_copied();
    // A picture that somebody at the window wants, the first of them.
    std::optional<std::filesystem::path> take_picture();
    void dismiss_notice() { view_.notice.reset(); }
    // What a page sets beside the canvas, and the number "PATH HEAD ROW COLUMN" that it speaks of (View).
    void set_outside(Outside what);
    void point_outside(std::string_view cell);
    // Of a page: the weights of a shipped model that is not there yet are asked for, by its name, and the command that
    // wants it, empty where none does: it is done again when they have come. None: all of them are there.
    std::function<void(const std::string& model, const std::string& line)> fetch_model;
    // The page that links are made for; empty: the one that is known already.
    void remember_page(const std::string& address) {
        if (!address.empty()) view_.page = address;
    }
    void teach(Teaching teaching) { view_.teaching = std::move(teaching); }
    void report(const Error& error) { report_text(strings_.text(error)); }
    void report_text(std::string text);
    // What was remembered of files from the last time.
    void recall_files(std::vector<std::string> recent, std::filesystem::path folder);
    void tell(std::string_view key, std::vector<std::string> values); // a remark that goes by itself
    // Likewise, but one that is read, with a button: its text and the command that it sends.
    void tell_and_offer(std::string text, std::string offer, std::string command);

private:
    UndoState undo_state() const { return {question(), view_.heads}; }
    // Where undo leads back to.
    struct Before {
        std::shared_ptr<Inquiry> inquiry;
        UndoState state;
        Question opened;
    };
    void remember(const Before& before);
    Result<Done> execute_and_tell(std::string_view line);
    Result<Done> execute_unremembered(std::string_view line);
    bool advance_all(double seconds);
    void go_back_to(const Question& question);
    Result<Done> run_all(std::string_view lines, const std::string& file, double seconds);
    Result<Done> open_model(const std::string& folder);
    Question question_for(const LoadedModel& model) const; // the present one, as far as it can be asked of it
    void leave_run();
    Room room_of_settings(const Question& now, const Question& before) const;
    Result<Done> go_to(const UndoState* there, void (History::*step)(const UndoState& now));
    // After whatever was computed: the view is of what there is, and what it shows is computed.
    void follow();
    bool advance_walk_back(double seconds);
    bool advance_cabinet(double seconds);
    bool advance_notice(double seconds);
    bool advance_descent(double seconds);
    void follow_way();
    bool advance_places(double seconds);
    bool advance_lens();
    bool awaits_sweep() const;           // it begins by itself
    const Stream* lens_in_sight() const; // whose lens is looked through; or null
    std::optional<NamedCell> said_of_word() const;
    bool advance_generation(double seconds);
    bool is_lens_under_way() const;
    bool is_profile_under_way() const;
    bool shows_words() const { return view_.room == Room::heads && view_.heads.page == HeadsPage::words; }

    std::filesystem::path assets_;
    Strings strings_;
    View view_;
    Inquiries inquiries_;
    std::unique_ptr<TrainingView> training_;
    std::unique_ptr<CostMeasuring> cost_measuring_ = std::make_unique<CostMeasuring>();
    std::unique_ptr<Memory> memory_;
    std::unique_ptr<NormsRace> norms_race_;
    std::unique_ptr<BackTranslation> back_translation_;
    std::unique_ptr<WordOffers> word_offers_;
    CommandRegistry commands_;
    std::vector<std::filesystem::path> shipped_models_;
    std::vector<std::string> classroom_;
    std::map<std::string, std::string, std::less<>> lessons_about_; // by a step's role or family
    std::optional<TokenPlace> swept_for_;
    unsigned long swept_ = 0;                 // the version for which a sweep has begun by itself
    std::shared_ptr<const LoadedModel> seen_; // by the view
    double patience_ = std::numeric_limits<double>::infinity(); // seconds
    Index most_words_ = 0;
    std::string at_work_;    // the command that a person gave
    bool replaying_ = false; // a session file is being read
};

constexpr Index longest_session = 64 << 20; // bytes of a session file
// assets/lessons/steps.txt: a step's role or family and the lesson that explains it, a line each.
std::map<std::string, std::string, std::less<>> lessons_about_steps(const std::filesystem::path& assets);
std::vector<std::string> classroom_examples(const std::filesystem::path& assets);

} // namespace headlight
