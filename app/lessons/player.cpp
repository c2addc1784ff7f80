#include "app/lessons/player.h"

#include "app/lessons/setup_writer.h"
#include "engine/io/file.h"
#include "engine/text/words.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

namespace headlight {

namespace {

namespace fs = std::filesystem;

// "en" of "03-name.en.md"; empty where two letters before the extension do not say it.
std::string language_of(const fs::path& file) {
    const std::string end = file.stem().extension().string();
    const bool says_it = end.size() == 3 && std::all_of(end.begin() + 1, end.end(), [](char c) {
                             return c >= 'a' && c <= 'z';
                         });
    return says_it ? end.substr(1) : std::string();
}

} // namespace

double tolerance_of(const LessonPrediction& prediction, double truth) {
    return prediction.within.value_or(std::max(std::abs(truth) * 0.05, 0.01));
}

std::string lesson_name(const fs::path& file) {
    return (language_of(file).empty() ? file.stem() : file.stem().stem()).string();
}

std::optional<fs::path> in_language(const fs::path& file, const std::string& language,
                                    const Strings& strings) {
    if (!strings.speaks(language_of(file))) return {};
    fs::path other = file.parent_path() / (lesson_name(file) + "." + language + ".md");
    std::error_code none;
    if (!fs::exists(other, none)) return {};
    return other;
}

namespace {

// Where it is, in commands; empty without a model.
std::string state_of(const Session& session) {
    std::string lines;
    if (session.opened().has_model())
        for (const std::string& line : session.as_commands()) lines += line + "\n";
    return lines;
}

} // namespace

LessonPlayer::LessonPlayer(Session& session) : session_(session) {
    language_ = session_.strings().language();
    list_lessons();
    add_commands();
}

void LessonPlayer::list_lessons() {
    lessons_.clear();
    std::error_code none;
    std::set<std::string> names;
    const fs::path folder = session_.assets() / "lessons";
    for (const auto& entry : fs::directory_iterator(folder, none)) {
        const std::string name = lesson_name(entry.path());
        if (entry.path().extension() == ".md" && !name.empty()
            && std::isdigit(static_cast<unsigned char>(name[0])))
            names.insert(name);
    }
    for (const std::string& name : names) {
        fs::path file = folder / (name + "." + session_.strings().language() + ".md");
        if (!fs::exists(file, none)) file = folder / (name + ".en.md");
        if (const Result<Lesson> lesson = read_lesson_file(file))
            lessons_.push_back({file, name, lesson->title, lesson->cards.size()});
    }
}

// --- the file ------------------------------------------------------------------------------------------

Result<Done> LessonPlayer::open(const std::string& name) {
    list_lessons();
    const Result<long> number = whole_number_of(name);
    for (const LessonEntry& entry : lessons_)
        if (entry.name == name || entry.name.starts_with(name + "-")
            || (number && *number > 0 && *number == std::atol(entry.name.c_str()))) {
            shows_welcome_ = false;
            const auto known = progress_.find(entry.name);
            return load(entry.file, known == progress_.end() ? 0 : known->second.card);
        }
    return load(name, 0);
}

Result<Done> LessonPlayer::load(const fs::path& file, std::size_t card) {
    Result<Lesson> lesson = read_lesson_file(file);
    if (!lesson) return lesson.error();
    if (lesson->cards.empty()) {
        const Error& fault = lesson->faults.front().error;
        return Error{fault.key, fault.arguments};
    }
    const bool is_same = lesson_ && lesson_->file.parent_path() == file.parent_path()
                         && lesson_name(lesson_->file) == lesson_name(file);
    if (!lesson_) before_ = state_of(session_);
    take(*std::move(lesson));
    if (!is_same) {
        answers_.clear();
        kept_.clear();
        votes_ = {};
        trouble_.clear();
    }
    card_ = std::min(card, lesson_->cards.size() - 1);
    return is_same ? Result<Done>(Done{}) : go_to(card_);
}

void LessonPlayer::take(Lesson lesson) {
    lesson_ = std::move(lesson);
    std::error_code none;
    written_ = fs::last_write_time(lesson_->file, none);
    const fs::path folder = fs::absolute(lesson_->file, none).parent_path();
    is_shipped_ = fs::equivalent(folder, session_.assets() / "lessons", none);
}

// Something to read is read once the next card is asked for, or the lesson is put away.
void LessonPlayer::leave_card() {
    if (card().predictions.empty() && card().done.empty())
        progress_[lesson_name(lesson_->file)].done.insert(card_);
}

void LessonPlayer::close() {
    if (card_ + 1 == lesson_->cards.size()) leave_card();
    lesson_.reset();
    trouble_.clear();
    cover();
    if (!before_.empty() && before_ != state_of(session_))
        session_.tell_and_offer(session_.strings().text("teach.closed"),
                                session_.strings().text("teach.closed.back"), "lesson before");
}

void LessonPlayer::follow_language() {
    if (language_ == session_.strings().language()) return;
    language_ = session_.strings().language();
    list_lessons();
    if (!lesson_) return;
    if (const std::optional<fs::path> other = in_language(lesson_->file, language_, session_.strings()))
        (void)load(*other, card_);
}

// What cannot be read any more stays as it was, and says so until it can be read again.
void LessonPlayer::read_anew(fs::file_time_type written) {
    written_ = written;
    const Result<Done> read = load(lesson_->file, card_);
    trouble_ = read ? std::string() : session_.strings().text(read.error());
    cover();
}

// --- cards ---------------------------------------------------------------------------------------------

Result<Done> LessonPlayer::go_to(std::size_t card) {
    card_ = std::min(card, lesson_->cards.size() - 1);
    if (notes_ == Notes::shown) notes_ = Notes::covered;
    progress_[lesson_name(lesson_->file)].card = card_;
    told_not_yet_.reset();
    const Result<Done> done = set_up();
    trouble_ = done ? std::string() : session_.strings().text(done.error());
    cover();
    find_out();
    return Done{}; // the card is there, whatever its setup says
}

Result<Done> LessonPlayer::set_up() {
    if (!card().has_setup) return Done{};
    const Result<Done> done = run_setup(session_, card(), lesson_->file);
    if (!done) return Error{"error.lesson_setup", {session_.strings().text(done.error())}};
    return Done{};
}

void LessonPlayer::forget_card() {
    const auto is_here = [&](const auto& entry) { return entry.first.first == card_; };
    std::erase_if(answers_, is_here);
    std::erase_if(kept_, is_here);
    votes_.forget_card(card_);
    progress_[lesson_name(lesson_->file)].done.erase(card_);
}

bool LessonPlayer::is_done(std::size_t card) const {
    const auto known = progress_.find(lesson_name(lesson_->file));
    return known != progress_.end() && known->second.done.contains(card);
}

// Ticked by the program: all predicted, and what is to be found out found.
void LessonPlayer::find_out() {
    if (!lesson_ || is_done(card_)) return;
    const LessonCard& here = card();
    if (open_prediction()) return;
    if (here.predictions.empty() && here.done.empty()) return; // to be read: leave_card
    for (const Expectation& expectation : here.done) {
        const Result<bool> now = holds(expectation, session_);
        if (!now || !*now) return;
    }
    progress_[lesson_name(lesson_->file)].done.insert(card_);
}

// --- predictions ---------------------------------------------------------------------------------------

const LessonAnswer* LessonPlayer::answer(std::size_t card, std::size_t prediction) const {
    const auto found = answers_.find({card, prediction});
    return found == answers_.end() ? nullptr : &found->second;
}

std::optional<std::size_t> LessonPlayer::open_prediction() const {
    for (std::size_t i = 0; i < card().predictions.size(); ++i)
        if (!answer(card_, i)) return i;
    return {};
}

void LessonPlayer::record(LessonAnswer answer) {
    const std::pair place(card_, *open_prediction());
    answers_[place] = answer;
    kept_.erase(place);
    cover();
    find_out();
}

Result<Done> LessonPlayer::give_number(double number) {
    const auto open = open_prediction();
    if (!open || card().predictions[*open].kind != LessonPrediction::Kind::number)
        return Error{"error.lesson_no_question", {}};
    const LessonPrediction& p = card().predictions[*open];
    const Result<double> truth = number_asked(p, session_);
    if (!truth) return truth.error();
    LessonAnswer answer;
    answer.number = number;
    answer.truth = *truth;
    answer.is_right = is_near(p, number, *truth);
    record(answer);
    return Done{};
}

Result<Done> LessonPlayer::point(Index column) {
    const auto open = open_prediction();
    if (!open || card().predictions[*open].kind != LessonPrediction::Kind::cell)
        return Error{"error.lesson_no_question", {}};
    if (counts_hands_) return vote(std::to_string(column + 1));
    const Result<LargestCell> largest = largest_cell(card().predictions[*open], session_);
    if (!largest) return largest.error();
    LessonAnswer answer;
    answer.column = column;
    answer.right_column = largest->column;
    answer.is_right = column == largest->column;
    record(answer);
    return Done{};
}

Result<Done> LessonPlayer::choose(std::size_t choice) {
    const auto open = open_prediction();
    if (!open || card().predictions[*open].kind != LessonPrediction::Kind::choice)
        return Error{"error.lesson_no_question", {}};
    const LessonPrediction& p = card().predictions[*open];
    if (choice >= p.choices.size())
        return Error{"error.out_of_range", {"lesson choose", "1", std::to_string(p.choices.size())}};
    if (counts_hands_) return vote(std::to_string(choice + 1));
    const Result<std::size_t> right = right_choice(p, session_);
    if (!right && right.error().key == "error.lesson_not_yet") {
        kept_[{card_, *open}] = choice;
        cover(); // it is saved with the answers
        return Done{};
    }
    if (!right) return right.error();
    LessonAnswer answer;
    answer.choice = choice;
    answer.right_choice = *right;
    answer.is_right = choice == *right;
    record(answer);
    return Done{};
}

void LessonPlayer::cover() {
    covered_version_ = {session_.version(), session_.small_pages().version};
    Teaching teaching;
    teaching.on = is_open();
    teaching.welcome = shows_welcome();
    teaching.votes = is_voting();
    if (lesson_) {
        teaching.asks = open_prediction().has_value();
        if (const auto open = open_prediction()) {
            teaching.asks_number = card().predictions[*open].kind == LessonPrediction::Kind::number;
            teaching.asks_choice = card().predictions[*open].kind == LessonPrediction::Kind::choice;
        }
        teaching.cover = cover_of(
            card(), [&](std::size_t i) { return !answer(card_, i); }, session_);
        teaching.homework = homework();
    }
    if (teaching != session_.view().teaching) session_.teach(std::move(teaching));
}

// --- from frame to frame -------------------------------------------------------------------------------

void LessonPlayer::advance(double seconds) {
    follow_language();
    if (shows_welcome() != session_.view().teaching.welcome) cover();
    if (!lesson_) return;
    since_looked_ += seconds;
    if (since_looked_ >= seconds_between_looks) {
        since_looked_ = 0;
        std::error_code none;
        const auto written = fs::last_write_time(lesson_->file, none);
        if (!none && written != written_) read_anew(written);
    }
    // A row's largest cell is pointed at on whatever shows the row.
    if (const auto open = open_prediction(); open
                                             && card().predictions[*open].kind == LessonPrediction::Kind::cell
                                             && session_.view().asking.held) {
        const LessonCell& asked = card().predictions[*open].cell;
        const NamedCell& held = *session_.view().asking.held;
        if (held.path == asked.path && held.cell.batch == asked.cell.batch
            && held.cell.row == asked.cell.row) {
            (void)point(held.cell.column);
            if (counts_hands_) (void)session_.execute("unselect"); // the next hand may be for the same
        }
    }
    judge_kept();
    if (covered_version_ != std::pair(session_.version(), session_.small_pages().version)) cover();
    find_out();
}

// --- commands ------------------------------------------------------------------------------------------

void LessonPlayer::add_commands() {
    using namespace argument;
    // Of a lesson that is open.
    const auto add = [this](std::vector<Argument> arguments, auto run) -> CommandForm& {
        return session_.commands().add("lesson", std::move(arguments),
                                       [this, run](const Arguments& in) -> Result<Done> {
                                           if (!lesson_) return Error{"error.lesson_none", {}};
                                           return done_by(run, in);
                                       });
    };
    session_.commands().add("lesson", {"open", file("NAME")},
                            [this](const Arguments& in) { return open(in.text("NAME")); });
    session_.commands().add("lesson", {whole("NUMBER", 1, 99)},
                            [this](const Arguments& in) { return open(std::to_string(in.whole("NUMBER"))); });
    session_.commands().add("lesson", {"door", a_switch()},
                            [this](const Arguments& in) { shows_welcome_ = switched(in, shows_welcome_); });
    add({"close"}, [this](const Arguments&) { close(); });
    session_.commands()
        .add("lesson", {"before"},
             [this](const Arguments&) -> Result<Done> {
                 session_.dismiss_notice(); // which has offered it
                 return before_.empty() ? Result<Done>(Done{}) : session_.replay(before_, "lesson before");
             })
        .of_person = true;
    add({"card", "next|back"}, [this](const Arguments& in) -> Result<Done> {
        if (in.said("next")) {
            leave_card();
            return card_ + 1 < lesson_->cards.size() ? go_to(card_ + 1) : Result<Done>(Done{});
        }
        return card_ > 0 ? go_to(card_ - 1) : Result<Done>(Done{});
    });
    add({"card", whole("N", 1, 99)},
        [this](const Arguments& in) { return go_to(std::size_t(in.whole("N") - 1)); });
    // A presenter's remote control has one key to go on: it uncovers first, then turns the card.
    add({"forward"}, [this](const Arguments&) { return forward(); });
    add({"setup"}, [this](const Arguments&) {
        const Result<Done> done = set_up();
        cover();
        return done;
    });
    add({"answer", number("NUMBER")},
        [this](const Arguments& in) { return give_number(in.number("NUMBER")); });
    add({"point", whole("COLUMN", 0, 1e6)},
        [this](const Arguments& in) { return point(in.whole("COLUMN")); });
    add({"choose", whole("N", 1, 9)},
        [this](const Arguments& in) { return choose(std::size_t(in.whole("N") - 1)); });
    add({"reveal"}, [this](const Arguments&) { return reveal(); });
    add({"again"}, [this](const Arguments&) {
        forget_card();
        return go_to(card_);
    });
    add({"hands", a_switch()}, [this](const Arguments& in) {
        counts_hands_ = switched(in, counts_hands_);
        cover();
    });
    add({"votes", "undo"}, [this](const Arguments&) { votes_.undo(); });
    add({"votes", text()}, [this](const Arguments& in) { return vote(in.text("TEXT")); });
    add({"notes", "on|off|show|toggle"}, [this](const Arguments& in) {
        notes_ = in.said("off") || (in.said("toggle") && notes_ == Notes::shown) ? Notes::off
                 : in.said("on") || (in.said("toggle") && notes_ == Notes::off)  ? Notes::covered
                                                                                 : Notes::shown;
    });
    add({"do", text("COMMAND")}, [this](const Arguments& in) { return follow_link(in.text("COMMAND")); });
    add({"record"}, [this](const Arguments&) { return write_setup(); }).of_person = true;
    add_homework_commands();
}

// A link of whoever wrote the lesson.
Result<Done> LessonPlayer::follow_link(const std::string& command) {
    const Result<FittingForm> fitting = fit_of_link(session_.commands(), command);
    return fitting ? fitting->form->run(fitting->arguments) : fitting.error();
}

Result<Done> LessonPlayer::write_setup() {
    if (is_shipped_) return Error{"error.lesson_shipped", {lesson_->file.filename().string()}};
    std::vector<std::string> lines = session_.as_commands();
    std::erase_if(lines, [](const std::string& line) { return line.starts_with("homework "); });
    const Result<Done> written = write_setup_of_card(lesson_->file, card_, lines);
    if (!written) return written;
    // The same state in the other languages, where their cards have the same places.
    for (const std::string& language : session_.strings().languages()) {
        const std::optional<fs::path> other = in_language(lesson_->file, language, session_.strings());
        if (!other || *other == lesson_->file) continue;
        const Result<Lesson> sister = read_lesson_file(*other);
        if (!sister || sister->cards.size() != lesson_->cards.size()) continue;
        if (const Result<Done> also = write_setup_of_card(*other, card_, lines); !also) return also;
    }
    session_.tell("teach.recorded", {lesson_->file.filename().string()});
    return load(lesson_->file, card_);
}

} // namespace headlight
