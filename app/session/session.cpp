#include "app/session/session.h"

#include "app/session/assets.h"
#include "app/session/link.h"
#include "app/session/memory.h"
#include "app/session/norms_race.h"
#include "app/session/session_sweep.h"
#include "app/session/setting.h"
#include "app/session/training/training_view.h"
#include "app/session/translation.h"
#include "app/session/version.h"
#include "app/session/word_life.h"
#include "app/session/word_offers.h"
#include "engine/text/words.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <span>
#include <utility>

namespace headlight {

namespace {

constexpr double sweep_seconds = 0.01, writing_seconds = 0.03; // of a frame

// A run was just deleted, and stands to be brought back.
bool offers_run(const View& view) { return view.notice && view.notice->command == bring_run_back; }

// Which numbers, beside those of the forward pass, are on the screen.
bool needs_gradients(const View& view) {
    return view.backward.on
           || (view.room == Room::train && view.training_pages.chosen == TrainingPage::backward)
           || (view.room == Room::descent && view.descent.of_model);
}

} // namespace

unsigned long next_version() {
    static std::atomic<unsigned long> versions = 0;
    return ++versions;
}

Session::Session(std::filesystem::path assets, Strings strings)
    : assets_(std::move(assets)),
      strings_(std::move(strings)),
      training_(std::make_unique<TrainingView>(assets_)),
      memory_(std::make_unique<Memory>(assets_)),
      norms_race_(std::make_unique<NormsRace>(assets_)),
      back_translation_(std::make_unique<BackTranslation>()),
      word_offers_(std::make_unique<WordOffers>(assets_ / "lexicon")),
      commands_([this] { return at_hand(); }),
      shipped_models_(model_folders(assets_ / "models")),
      classroom_(classroom_examples(assets_)),
      lessons_about_(lessons_about_steps(assets_)) {
    commands_.add("undo", {}, [this](const Arguments&) {
        if (offers_run(view_)) return commands_.execute(bring_run_back);
        return go_to(inquiries_.shown()->history.before(), &History::undo);
    });
    commands_.add("redo", {}, [this](const Arguments&) {
        return go_to(inquiries_.shown()->history.after(), &History::redo);
    });
    add_question_commands(commands_, inquiries_, assets_, replaying_,
                          [this](const std::string& folder) { return open_model(folder); });
    add_walking_commands(commands_, *this, view_);
    add_film_commands(commands_, *this, view_);
    add_word_life_commands(commands_, *this, view_);
    add_window_commands(commands_, view_, strings_);
    add_asking_commands(commands_, *this, view_);
    add_training_commands(commands_, *this, inquiries_, *training_, view_, strings_);
    add_training_page_commands(commands_, view_);
    add_backward_commands(commands_, *this, view_.backward);
    add_expected_gradient(commands_, inquiries_);
    add_close_up_commands(commands_, *this, view_);
    add_heads_commands(commands_, view_, inquiries_, strings_);
    add_generation_commands(commands_, inquiries_, view_, assets_);
    add_sweep_commands(commands_, inquiries_, view_);
    add_batch_commands(commands_, inquiries_, view_);
    add_lesson_commands(commands_, inquiries_);
    add_cabinet_commands(commands_, inquiries_, view_);
    add_descent_commands(commands_, *this, inquiries_, view_);
    commands_
        .add("descent canvas", {},
             [this](const Arguments&) {
                 const Descent& descent = *small_pages().descended;
                 open(model_of_descent(question().small_pages.descent.task, descent.net().weights()));
                 view_.descent.of_model.reset();
                 view_.training_pages.of_runs = false;
                 view_.room = Room::explore;
             })
        .replayable = true;
    add_places_commands(commands_, inquiries_, view_);
    add_costs_commands(commands_, inquiries_, view_, *cost_measuring_);
    add_race_commands(commands_, *this, *memory_, view_);
    add_norms_commands(commands_, inquiries_, *norms_race_);
    add_profile_commands(commands_, inquiries_, view_);
    add_file_commands(commands_, *this, view_);
    add_link_commands(commands_, *this, view_);
    add_export_commands(commands_, *this, view_);
    add_drag_commands(commands_, inquiries_);
}

Session::~Session() = default;

Result<Done> Session::execute(std::string_view line) {
    const Before before{inquiries_.shown(), undo_state(), opened().question()};
    const bool offered_run = offers_run(view_);
    Result<Done> result = execute_and_tell(line);
    remember(before);
    // What came after is what undo is about.
    if (offered_run && offers_run(view_) && before.state != undo_state()) view_.notice.reset();
    return result;
}

void Session::execute_together(const std::vector<std::string>& lines) {
    const Before before{inquiries_.shown(), undo_state(), opened().question()};
    for (const std::string& line : lines) (void)execute_and_tell(line);
    remember(before);
}

void Session::remember(const Before& before) {
    if (before.inquiry == inquiries_.shown())
        before.inquiry->history.remember(before.state, undo_state());
    else if (before.opened != opened().question()) // a run was shown until now
        inquiries_.opened->history.remember({before.opened, view_.heads}, undo_state());
}

Result<Done> Session::execute_and_tell(std::string_view line) {
    const bool is_outermost = at_work_.empty(); // a link gives commands of its own
    if (is_outermost) at_work_ = line;
    Result<Done> result = execute_unremembered(line);
    if (is_outermost) at_work_.clear();
    if (result)
        view_.files.remember(trim(line), assets_ / "models");
    else
        report(result.error());
    return result;
}

Result<Done> Session::execute_unremembered(std::string_view line) {
    const double patience = replaying_ ? std::numeric_limits<double>::infinity() : patience_;
    inquiries_.experiment().set_patience(patience, most_words_); // lines of a file build on each other
    const Question before = question();
    try {
        Result<Done> result = commands_.execute(line);
        follow();
        return result;
    } catch (const std::bad_alloc&) {
        constexpr std::size_t longest = 200; // bytes of the line that are told
        go_back_to(before);
        return Error{"error.out_of_memory", {shown_name(line.substr(0, longest))}};
    }
}

// There was not enough memory to go on from it, but there was for it.
void Session::go_back_to(const Question& question) {
    Experiment& experiment = inquiries_.experiment();
    if (!experiment.has_model()) return;
    try {
        experiment.forget_computed();
        experiment.ask(question, experiment.shared_model());
        follow();
    } catch (const std::bad_alloc&) { // others have taken it meanwhile
        training_->show(nullptr);
        inquiries_ = {};
        seen_.reset();
    }
}

bool Session::advance(double seconds) {
    try {
        return advance_all(seconds);
    } catch (const std::bad_alloc&) { // what goes on by itself does so no more
        report({"error.out_of_memory", {has_model() ? model().name : "headlight"}});
        go_back_to(question());
        return true;
    }
}

bool Session::advance_all(double seconds) {
    if (view_.room == Room::train && view_.training_pages.chosen == TrainingPage::examples)
        training_->training.ask_for_examples();
    bool changed = follow_training(*training_, inquiries_, seconds);
    for (const Error& trouble : training_->training.take_troubles()) report(trouble);
    follow();
    inquiries_.experiment().set_patience(patience_, most_words_);
    changed = inquiries_.experiment().advance_writing(writing_seconds) || changed;
    changed = inquiries_.experiment().advance_inspection(writing_seconds) || changed;
    if (awaits_sweep()) {
        swept_ = version();
        swept_for_ = view_.word;
        const std::optional<NamedCell> said = said_of_word();
        begin_sweep_of_heads(inquiries_.experiment(), said ? said : view_.asking.held);
    }
    changed = inquiries_.experiment().advance_sweep(sweep_seconds) || changed;
    changed = inquiries_.experiment().advance_trials(sweep_seconds) || changed;
    if (shows_words()) changed = inquiries_.experiment().advance_word_places(sweep_seconds) || changed;
    if (is_profiled(view_)) changed = inquiries_.experiment().advance_profile(sweep_seconds) || changed;
    changed = advance_lens() || changed;
    changed = advance_generation(seconds) || changed;
    changed = advance_close_up(*this, view_, seconds) || changed;
    changed = advance_walk_back(seconds) || changed;
    changed = advance_cabinet(seconds) || changed;
    changed = advance_descent(seconds) || changed;
    changed = advance_places(seconds) || changed;
    changed = inquiries_.experiment().advance_weight_curve(sweep_seconds) || changed;
    changed = back_translation_->follow(experiment(), view_.reads_back) || changed;
    const bool waits = patience_ == std::numeric_limits<double>::infinity();
    changed = word_offers_->follow(wants_lexicon(*this), waits) || changed;
    changed = cost_measuring_->collect() || changed;
    changed = memory_->advance() || changed;
    changed = norms_race_->advance() || changed;
    for (const std::optional<Error>& trouble :
         {memory_->take_trouble(), norms_race_->take_trouble(), back_translation_->take_trouble(),
          word_offers_->take_trouble()})
        if (trouble) report(*trouble);
    changed = advance_notice(seconds) || changed;
    return (has_model() && view_.play(model(), seconds)) || changed;
}

// While it is looked at. Between frames nobody holds a number of a measure.
bool Session::advance_lens() {
    experiment().measured().trim();
    const Stream* stream = lens_in_sight();
    return stream && experiment().measured().advance_lens(stream->name, model(), sweep_seconds);
}

// A pass after another, until the end is said.
bool Session::advance_generation(double seconds) {
    GenerationView& generation = view_.generation;
    if (!generation.playing) return false;
    if (view_.room != Room::say || question().generation.pass == 0) {
        generation.playing = false;
        return true;
    }
    generation.clock += seconds;
    if (generation.clock < seconds_a_pass) return false;
    generation.clock -= seconds_a_pass;
    const Generation* said = this->generation();
    const bool is_full =
        said && Index(said->followed(question().generation).places.size()) <= question().generation.pass;
    if (question().generation.is_endless && is_full && !experiment().looked())
        generation.playing = false; // what is written stays
    else
        (void)execute("say pass next");
    return true;
}

// Where it has come to its end, the optimizer's step is what follows: of the weight that the loss depends on
// most.
bool Session::advance_walk_back(double seconds) {
    const bool is_walked = has_model() && view_.backward.on && view_.room == Room::train
                           && view_.training_pages.chosen == TrainingPage::backward;
    if (!is_walked) view_.backward.playing = false;
    if (!view_.backward.playing) return false;
    (void)advance_backward(view_.backward, model(), seconds);
    if (!view_.backward.playing && training_->shown)
        if (const std::optional<NamedCell> weight = steepest_weight(model()))
            (void)execute(select_command(*weight));
    return true;
}

// A few steps a frame, all of them one for undo.
bool Session::advance_cabinet(double seconds) {
    CabinetTraining& training = view_.cabinet_training;
    if (!training.on) return false;
    const auto end = [&] {
        training = {};
        (void)execute("drag end");
    };
    if (view_.room != Room::cabinet
        || has_found(*small_pages().filing_cabinet, question().small_pages.cabinet.wanted)) {
        end();
        return true;
    }
    constexpr double steps_a_second = 30;
    const Index steps = steps_due(training.clock, seconds, steps_a_second);
    if (steps > 0) (void)execute("drag cabinet train " + std::to_string(steps));
    return steps > 0;
}

void Session::follow() {
    if (view_.room == Room::memory) {
        memory_->look_for_ready(view_.memory.asked.task);
        if (view_.memory.page != MemoryPage::race) (void)memory_->answers(view_.memory.asked);
    }
    Experiment& shown = inquiries_.experiment();
    if (!shown.has_model()) return;
    if (seen_ != shown.shared_model()) {
        view_.move_to(shown.model(), seen_ ? seen_->story[std::size_t(view_.step)].path() : std::string());
        seen_ = shown.shared_model();
    }
    view_.keep_what_exists(*this);
    if (shows_way()) follow_way();
    // Matrices show what changed or their gradients: the later wish ends the earlier.
    if (training_->difference && view_.backward.on) {
        if (training_->compared)
            (void)commands_.execute("difference off");
        else
            view_.backward.on = false;
    }
    training_->compared = training_->difference.has_value();
    if (needs_gradients(view_)) shown.differentiate();
    if (view_.room == Room::norms) shown.compute_norms();
    const NormsSetting& norms = question().small_pages.norms;
    if (view_.room == Room::norms && norms.page == NormsWhat::trained)
        (void)norms_race_->trained(norms.held_out);
    if (view_.heads.page == HeadsPage::batch) shown.compute_padded_batch();
    const bool wants_words = view_.room == Room::say || shown.awaits_words();
    if (wants_words && !shown.long_answers().is_under_way()) shown.compute_generation();
    if (view_.room == Room::fixed_weights) shown.compute_fixed_weights();
    const bool moves_weight = view_.room == Room::descent && view_.descent.of_model;
    shown.follow_weight(moves_weight ? view_.descent.of_model : std::nullopt);
    if (shows_words()) shown.look_for_word(word_request(), assets_);
    if (!is_profiled(view_))
        for (Experiment* one : {&shown, &inquiries_.opened->experiment}) one->end_profile();
}

// The weights of the step that is looked at. Where a net trains, all of them go down, not one alone.
void Session::follow_way() {
    if (view_.room == Room::train) view_.descent.of_model.reset();
    const Descent& way = *small_pages().descended;
    if (auto& difference = training_->difference) {
        difference->to = way.step();
        if (difference->from > way.last()) { // the way began anew
            difference.reset();
            inquiries_.experiment().forget_earlier_weights();
        }
    }
    Parameters now = descent_parameters(*model().net_of, way.net().weights());
    const std::span<const Real> weights(now.data(), std::size_t(now.count())),
        before(model().files.parameters.data(), std::size_t(now.count()));
    if (!std::ranges::equal(weights, before)) inquiries_.experiment().put_weights(weights);
}

void Session::set_outside(Outside what) {
    view_.outside = what;
    view_.alone = what == Outside::all;
    view_.pointed_outside.reset();
}

void Session::point_outside(std::string_view cell) {
    view_.pointed_outside.reset();
    const std::vector<std::string> words = words_of(std::string(cell));
    if (words.size() != 4) return;
    view_.pointed_outside = NamedCell{
        words[0], {std::atol(words[1].c_str()), std::atol(words[2].c_str()), std::atol(words[3].c_str())}};
}

void Session::look_for_models() { shipped_models_ = model_folders(assets_ / "models"); }

Result<Done> Session::open_model(const std::string& folder) {
    const std::filesystem::path found = model_folder(assets_, folder);
    std::error_code ignored;
    const bool is_shipped =
        std::find(shipped_models_.begin(), shipped_models_.end(), found) != shipped_models_.end();
    if (fetch_model && is_shipped && !std::filesystem::exists(found / "model.safetensors", ignored)) {
        fetch_model(found.filename().string(), at_work_);
        return Error{"page.model_comes", {found.filename().string()}};
    }
    Result<std::unique_ptr<LoadedModel>> loaded = load_model(found);
    if (!loaded) { // what was open stays open
        std::vector<std::string> shipped;
        for (const std::filesystem::path& model : shipped_models_)
            shipped.push_back(model.filename().string());
        std::error_code none;
        const std::optional<std::string> near = meant(folder, shipped);
        if (near && !std::filesystem::exists(found, none))
            return Error{"error.no_such_model_near", {folder, *near}};
        return loaded.error();
    }
    Question next = question_for(**loaded);
    leave_run();
    inquiries_.experiment().ask(std::move(next), *std::move(loaded));
    look_for_models();
    return Done{};
}

void Session::open(std::shared_ptr<LoadedModel> model) {
    Question next = question_for(*model);
    leave_run();
    inquiries_.opened = std::make_shared<Inquiry>();
    inquiries_.experiment().set_patience(patience_, most_words_);
    inquiries_.experiment().ask(std::move(next), std::move(model));
    follow();
}

Question Session::question_for(const LoadedModel& model) const {
    Question next;
    next.model = model.folder;
    next.source = source_for(model, question().source);
    next.label_smoothing = question().label_smoothing;
    next.small_pages = question().small_pages;
    return next;
}

void Session::leave_run() {
    training_->show(nullptr);
    inquiries_.of_run.reset();
}

Result<Done> Session::go_to(const UndoState* there, void (History::*step)(const UndoState& now)) {
    if (!there) return Done{};
    const UndoState here = undo_state();
    UndoState next = *there;
    if (next.question.model.empty()) next.question.model = here.question.model; // before there was any
    if (const Result<Done> done = inquiries_.experiment().ask(next.question); !done) return done;
    follow();
    view_.heads = next.heads;
    (inquiries_.shown()->history.*step)(here);
    // What no other number depends on is shown where it is seen.
    Question otherwise = next.question;
    otherwise.small_pages = here.question.small_pages;
    otherwise.batch = here.question.batch;
    if (otherwise == here.question) view_.room = room_of_settings(next.question, here.question);
    view_.cabinet_training = {};
    view_.descent.playing.on = false;
    return Done{};
}

std::string Session::lesson_about(const StoryStep& step) const {
    for (const std::string* name : {&step.role, &step.family})
        if (const auto found = lessons_about_.find(*name); found != lessons_about_.end())
            return found->second;
    return {};
}

void Session::remember_training(const std::filesystem::path& folder) {
    training_->training.remember_in(folder);
}

void Session::remember_race(const std::filesystem::path& folder) { memory_->remember_in(folder); }

void Session::keep_training() {
    (void)training_->training.poll();
    (void)memory_->advance();
}

std::vector<Error> Session::close_training() { return training_->training.close(); }

bool Session::is_moving() const {
    return view_.playing || view_.generation.playing || experiment().is_writing()
           || (experiment().trials() && !experiment().trials()->is_over()) || view_.cabinet_training.on
           || view_.descent.playing.on || view_.places_play
           || (experiment().weight_curve() && !experiment().weight_curve()->is_over())
           || close_up_plays(view_) || view_.backward.playing || training_->playing
           || (sweep() && !sweep()->is_over()) || awaits_sweep() || is_lens_under_way()
           || is_profile_under_way() || (shows_words() && word_places() && !word_places()->is_over());
}

bool Session::is_lively() const {
    const LiveTraining& training = training_->training;
    return is_moving() || memory_->is_going() || norms_race_->is_going() || training.is_busy()
           || (view_.notice && view_.dialog() == Dialog::none) || training.awaits_examples()
           || training.is_keeping() || cost_measuring_->goes_on() || word_offers_->is_reading();
}

std::vector<ScreenshotRequest> Session::take_screenshots() { return std::exchange(view_.screenshots, {}); }

std::optional<std::filesystem::path> Session::take_picture() {
    const auto first = std::find_if(view_.screenshots.begin(), view_.screenshots.end(),
                                    [](const ScreenshotRequest& one) { return one.of_person; });
    if (first == view_.screenshots.end()) return {};
    std::filesystem::path file = first->file;
    view_.screenshots.erase(first);
    return file;
}

void Session::recall_files(std::vector<std::string> recent, std::filesystem::path folder) {
    recent.resize(std::min(recent.size(), Files::most_recent));
    view_.files.recent = std::move(recent);
    view_.files.folder = std::move(folder);
}

std::vector<ExportRequest> Session::take_exports() { return std::exchange(view_.exports, {}); }

std::optional<std::string> Session::take_copied() {
    if (!std::exchange(view_.asking.for_clipboard, false)) return {};
    return view_.asking.copied;
}

} // namespace headlight
