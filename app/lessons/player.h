// A lesson that is taken: the card at hand, what was answered, what is done. It acts on the session through
// commands like everybody else; what it hides until it was predicted it says to the session (View::teaching).
#pragma once

#include "app/lessons/lesson.h"
#include "app/lessons/votes.h"
#include "app/session/session.h"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

struct LessonAnswer {
    bool is_right = false;
    double number = 0, truth = 0;             // number: what was entered (nan: nothing), and what it is
    Index column = -1, right_column = -1;     // cell; −1: none was pointed at
    std::size_t choice = 0, right_choice = 0; // choice; none of those that there are: none was made
    bool given = true;                        // else it was uncovered without one
};

// A lesson that can be opened, by its title.
struct LessonEntry {
    std::filesystem::path file; // in the language at hand, if there is one
    std::string name, title;    // "03-attention-without-parameters", "Attention without parameters"
    std::size_t cards = 0;
    bool operator==(const LessonEntry&) const = default;
};

// How many of a lesson's predictions were right, how many were made at all, how many are answered or
// uncovered, and how many there are.
struct LessonScore {
    std::size_t right = 0, predicted = 0, answered = 0, asked = 0;
};

class LessonPlayer {
public:
    static constexpr double seconds_between_looks = 0.5; // at a file that is watched

    explicit LessonPlayer(Session& session);
    LessonPlayer(const LessonPlayer&) = delete; // the session's commands point to it
    LessonPlayer& operator=(const LessonPlayer&) = delete;

    // Before each frame: what changed is asked anew, a file that was written is read anew.
    void advance(double seconds);

    bool is_open() const { return lesson_.has_value(); }
    // A lesson of a person's own, whose file is looked at now and then: somebody may be writing it.
    bool is_watched() const { return is_open() && !is_shipped_; }
    const Lesson& lesson() const { return *lesson_; }
    std::size_t card_number() const { return card_; }
    const LessonCard& card() const { return lesson_->cards[card_]; }
    const LessonAnswer* answer(std::size_t card, std::size_t prediction) const;
    // What was chosen before a training could tell: it is judged as soon as that can.
    std::optional<std::size_t> kept_choice(std::size_t card, std::size_t prediction) const;
    // The first prediction of the card that waits for an answer.
    std::optional<std::size_t> open_prediction() const;
    // How many hands were counted for each answer to a question of the card; of a choice, for each of them.
    const VoteCount& votes(std::size_t prediction) const { return votes_.of({card_, prediction}); }
    std::vector<int> hands(std::size_t prediction) const;
    bool is_done(std::size_t card) const; // predicted all, found out what there is
    bool counts_hands() const { return counts_hands_; }
    // Notes tell the answers: where others see the window they stand covered until somebody asks once more.
    bool shows_notes() const { return notes_ != Notes::off; }
    bool uncovers_notes() const { return notes_ == Notes::shown; }
    bool shows_welcome() const {
        return shows_welcome_ && !is_open();
    } // to somebody new: a lesson, or a free hand
    // What could not be set up, in words; empty when all went well.
    const std::string& trouble() const { return trouble_; }
    // Of assets/lessons, in their order.
    const std::vector<LessonEntry>& lessons() const { return lessons_; }
    bool is_finished(const LessonEntry& entry) const;       // every card of it
    LessonScore score() const;                              // of the lesson that is open
    const LessonEntry* next_lesson() const;                 // behind it; null: none
    const std::string& student() const { return student_; } // who answers, where somebody has said so

    // What is remembered from one time to the next: "03-name 4 0,1,3" a lesson.
    std::string remembered() const;
    void remember(std::string_view text);

private:
    struct Progress {
        std::size_t card = 0;
        std::set<std::size_t> done;
    };

    void add_commands();
    void add_homework_commands();
    std::vector<std::string> homework() const;
    Result<Done> open_homework(const std::string& name);
    Result<Done> take_answer(const Arguments& in);
    Result<Done> open(const std::string& name);
    Result<Done> follow_link(const std::string& command);
    Result<Done> load(const std::filesystem::path& file, std::size_t card);
    void take(Lesson lesson);
    void read_anew(std::filesystem::file_time_type written);
    void close();
    Result<Done> go_to(std::size_t card);
    Result<Done> set_up();
    Result<Done> give_number(double number);
    Result<Done> point(Index column);
    Result<Done> choose(std::size_t choice);
    void judge_kept();
    Result<Done> vote(std::string_view text);
    bool is_voting() const { return counts_hands_ && is_open() && open_prediction(); }
    Result<Done> reveal();
    Result<Done> forward();
    void record(LessonAnswer answer);
    Result<Done> write_setup();
    void forget_card();
    void leave_card();
    void cover();
    void find_out();
    void follow_language();
    void list_lessons();

    Session& session_;
    std::optional<Lesson> lesson_;
    std::filesystem::file_time_type written_{};
    bool is_shipped_ = false; // the lesson belongs to the program
    std::size_t card_ = 0;
    std::map<std::pair<std::size_t, std::size_t>, LessonAnswer> answers_; // card, prediction
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> kept_;     // choices
    Votes votes_;
    std::string before_;                       // what there was when a lesson was opened, in commands
    std::map<std::string, Progress> progress_; // by the lesson's name
    bool counts_hands_ = false, shows_welcome_ = false;
    enum class Notes { off, covered, shown } notes_ = Notes::off;
    std::string trouble_, language_, student_;
    std::vector<LessonEntry> lessons_;
    double since_looked_ = 0;                                   // seconds, at the file
    std::optional<std::size_t> told_not_yet_;                   // the card whose truth is still to come
    std::pair<unsigned long, unsigned long> covered_version_{}; // of the numbers that the cover was found in
};

// What of a card is not to be seen before it was predicted: what is asked for, and whatever says it as well.
// What the card points to, to be calculated with, stays. `is_open`: which predictions wait.
Cover cover_of(const LessonCard& card, const std::function<bool(std::size_t)>& is_open,
               const Session& session);

// "03-name" of "…/03-name.en.md", "lesson.backup" of "lesson.backup.md".
std::string lesson_name(const std::filesystem::path& file);
// The same lesson in another language, if it is there: both are called NAME.LANGUAGE.md, in languages that
// the program speaks.
std::optional<std::filesystem::path> in_language(const std::filesystem::path& file,
                                                 const std::string& language, const Strings& strings);

// Which choice is right in the model at hand. Error: none, or more than one.
Result<std::size_t> right_choice(const LessonPrediction& prediction, const Session& session);
// The largest cell of the row that a prediction asks for; by how much it is larger than the next.
struct LargestCell {
    Index column = 0;
    double lead = 0;
};
Result<LargestCell> largest_cell(const LessonPrediction& prediction, const Session& session);
// How far off a number may be where the lesson does not say: a twentieth of it, or a hundredth.
double tolerance_of(const LessonPrediction& prediction, double truth);
Result<double> number_asked(const LessonPrediction& prediction, const Session& session);
// Whether a number is near enough to count as right.
bool is_near(const LessonPrediction& prediction, double number, double truth);

} // namespace headlight
