#include "app/lessons/lesson_check.h"

#include "app/lessons/player.h"
#include "engine/text/words.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// What nearly is another answer may be another one after the next training.
constexpr double least_lead = 1e-3;

constexpr int most_told = 20; // mistakes of a setup, each of which is found by running it anew

// What there is in a window alone: commands of its canvas, and those that play a hand.
constexpr std::string_view of_canvas[] = {"fit", "frame", "zoom", "pan", "look", "find", "pulse"};
constexpr std::string_view of_hand[] = {"click", "hover",  "press",      "type",
                                        "wait",  "resize", "fullscreen", "quit"};

template <std::size_t N>
bool begins_with_one(std::string_view line, const std::string_view (&names)[N]) {
    line = trim(line);
    const std::string_view name = line.substr(0, line.find_first_of(" \t"));
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::string joined(const std::vector<std::string>& paths) {
    std::string all;
    for (const std::string& path : paths) all += " " + path;
    return all;
}

std::string place_of_cell(const Cell& c) {
    return " " + std::to_string(c.batch) + " " + std::to_string(c.row) + " " + std::to_string(c.column);
}

// The commands of a card, of whatever block, in order.
std::vector<LessonLine> commands_of_card(const LessonCard& card) {
    std::vector<LessonLine> commands = card.setup;
    for (const LessonPrediction& p : card.predictions) {
        const std::string kind = p.kind == LessonPrediction::Kind::number ? "number"
                                 : p.kind == LessonPrediction::Kind::cell ? "cell"
                                                                          : "choice";
        const Cell& c = p.cell.cell;
        commands.push_back({"predict " + kind + " " + p.cell.path + place_of_cell(c)
                                + (p.covered ? " covered" : "") + joined(p.covers)
                                + (p.within ? " within " + exactly(*p.within) : ""),
                            p.line});
        for (const LessonChoice& choice : p.choices)
            commands.push_back({std::string(choice.is_right ? "[x]" : "[ ]")
                                    + (choice.right_if && choice.right_if->kind != Expectation::Kind::said
                                           ? " if " + choice.right_if->text
                                           : ""),
                                choice.line});
    }
    for (const Expectation& e : card.done) commands.push_back({e.text, e.line});
    return commands;
}

class Checker {
public:
    Checker(const Lesson& lesson, const std::filesystem::path& assets, const Strings& strings)
        : lesson_(lesson), session_(assets, strings), faults_(lesson.faults) {}

    std::vector<LessonFault> check() {
        for (const LessonCard& card : lesson_.cards) check_card(card);
        check_sisters();
        std::stable_sort(faults_.begin(), faults_.end(),
                         [](const LessonFault& a, const LessonFault& b) { return a.line < b.line; });
        return std::move(faults_);
    }

private:
    void fault(int line, Error error) { faults_.push_back({line, std::move(error)}); }
    void fault(int line, std::string key, std::vector<std::string> arguments) {
        faults_.push_back({line, {std::move(key), std::move(arguments)}});
    }
    std::string words(const Error& error) const { return session_.strings().text(error); }

    // The lines that may stand in a setup; one whose command is misspelt, as it was meant.
    std::vector<LessonLine> allowed_lines(const LessonCard& card) {
        std::vector<LessonLine> lines;
        for (LessonLine line : card.setup) {
            Result<Done> allowed = check_setup_line(session_.commands(), line.text);
            if (begins_with_one(line.text, of_canvas) || begins_with_one(line.text, of_hand))
                allowed = Error{"error.lesson_not_in_setup", {line.text}};
            if (!allowed) {
                fault(line.line, allowed.error());
                const Error& why = allowed.error();
                if (why.key != "error.command_unknown_near") continue;
                line.text.replace(0, why.arguments[0].size(), why.arguments[1]);
                if (!check_setup_line(session_.commands(), line.text)) continue;
            }
            lines.push_back(std::move(line));
        }
        return lines;
    }

    // A shipped model whose name was misspelt; nothing when the line opens none.
    std::optional<std::string> model_meant(const std::string& line) const {
        constexpr std::string_view opens = "model ";
        if (!line.starts_with(opens)) return {};
        std::vector<std::string> names;
        for (const auto& folder : session_.shipped_models()) names.push_back(folder.filename().string());
        return meant(trim(std::string_view(line).substr(opens.size())), names);
    }

    // False when the state is not what was meant, so that its numbers tell nothing.
    bool set_up(const LessonCard& card) {
        LessonCard good = card;
        good.setup = allowed_lines(card);
        bool has_its_model = true;
        for (int told = 0; told < most_told; ++told) {
            const Result<Done> done = session_.replay(setup_of(good, lesson_.file), "");
            if (done) return has_its_model;
            // Each line is one of the file's: which one, and why.
            const std::vector<std::string>& why = done.error().arguments;
            const Result<long> number =
                why.size() == 3 ? whole_number_of(why[1]) : Result<long>(done.error());
            if (!number || *number < 1 || *number > long(good.setup.size())) {
                fault(card.line, "error.lesson_setup", {words(done.error())});
                return false;
            }
            const auto bad = good.setup.begin() + (*number - 1);
            fault(bad->line, "error.lesson_setup", {bad->text + " (" + why[2] + ")"});
            const std::optional<std::string> model = model_meant(bad->text);
            if (model && bad->text != "model " + *model) {
                bad->text = "model " + *model;
                continue;
            }
            has_its_model = has_its_model && !bad->text.starts_with("model ");
            good.setup.erase(bad);
        }
        return false;
    }

    void check_card(const LessonCard& card) {
        if (card.has_setup) knows_state_ = set_up(card);
        if (knows_state_) check_answers(card);
        for (const LessonBlock& block : card.blocks) check_links(block);
        for (const LessonBlock& block : card.aside) check_links(block);
        for (const LessonPrediction& p : card.predictions) {
            for (const LessonBlock& block : p.question) check_links(block);
            for (const LessonChoice& choice : p.choices) {
                check_links(choice.text);
                check_links(choice.reason);
            }
        }
    }

    void check_answers(const LessonCard& card) {
        for (const LessonPrediction& p : card.predictions) check_prediction(p);
        bool all = !card.done.empty();
        for (const Expectation& e : card.done) {
            const Result<bool> now = holds(e, session_);
            if (!now) fault(e.line, now.error());
            all = all && now && *now;
        }
        if (all) fault(card.done.front().line, "error.lesson_done_at_once", {});
    }

    void check_prediction(const LessonPrediction& p) {
        for (const std::string& path : p.covers)
            if (!session_.find(path))
                fault(p.line, "error.no_such_value",
                      {path, session_.has_model() ? session_.model().name : ""});
        switch (p.kind) {
        case LessonPrediction::Kind::number:
            if (const Result<double> asked = number_asked(p, session_); !asked) fault(p.line, asked.error());
            return;
        case LessonPrediction::Kind::cell: {
            const Result<LargestCell> largest = largest_cell(p, session_);
            if (!largest)
                fault(p.line, largest.error());
            else if (largest->lead < least_lead)
                fault(p.line, "error.lesson_chance", {exactly(largest->lead)});
            return;
        }
        case LessonPrediction::Kind::choice: {
            const bool asks = std::any_of(p.choices.begin(), p.choices.end(), [](const LessonChoice& choice) {
                return choice.right_if.has_value();
            });
            if (!asks) return; // counted when it was read
            const Result<std::size_t> right = right_choice(p, session_);
            if (!right && right.error().key != "error.lesson_not_yet") fault(p.line, right.error());
            for (const LessonChoice& choice : p.choices) check_lead(choice);
            return;
        }
        }
    }

    void check_lead(const LessonChoice& choice) {
        if (!choice.right_if || choice.right_if->kind != Expectation::Kind::larger) return;
        const Expectation& e = *choice.right_if;
        const Node *one = session_.find(e.path), *other = session_.find(e.other_path);
        if (!one || !other || !holds(e, session_)) return;
        const double lead =
            std::abs(double(one->value(e.cell.batch, e.cell.row, e.cell.column))
                     - double(other->value(e.other_cell.batch, e.other_cell.row, e.other_cell.column)));
        if (lead < least_lead) fault(choice.line, "error.lesson_chance", {exactly(lead)});
    }

    void check_links(const LessonBlock& block) {
        check_links(block.text);
        for (const LessonText& cell : block.cells) check_links(cell);
    }

    void check_links(const LessonText& text) {
        for (const LessonSpan& span : text) check_link(span);
    }

    void check_link(const LessonSpan& span) {
        const auto nowhere = [&](const Error& why) {
            fault(span.line, "error.lesson_link", {span.target, words(why)});
        };
        switch (span.link) {
        case LessonSpan::Link::none:
            return;
        case LessonSpan::Link::value:
            if (knows_state_ && !session_.find(span.target))
                nowhere(no_such_value(span.target, session_.at_hand()));
            return;
        case LessonSpan::Link::cell: {
            const Result<Expectation> cell = read_expectation("expect " + span.target + " 0 0");
            if (!cell) return nowhere({"error.lesson_cell", {}});
            if (!knows_state_) return;
            if (const Result<bool> there = holds(*cell, session_); !there) nowhere(there.error());
            return;
        }
        case LessonSpan::Link::command:
            check_command(span, nowhere);
            return;
        }
    }

    template <class Nowhere>
    void check_command(const LessonSpan& span, const Nowhere& nowhere) {
        if (begins_with_one(span.target, of_canvas)) return;
        if (begins_with_one(span.target, of_hand))
            return fault(span.line, "error.lesson_not_in_link", {span.target});
        if (const auto command = session_.commands().named(span.target); !command)
            return nowhere(command.error());
        const Result<FittingForm> fitting = fit_of_link(session_.commands(), span.target);
        if (!fitting && fitting.error().key == "error.lesson_not_in_link")
            return fault(span.line, fitting.error());
        if (!fitting) return knows_state_ ? nowhere(fitting.error()) : void();
        // What a setup may hold is done; the rest goes on by itself, or leads to another lesson.
        if (!knows_state_ || !check_setup_line(session_.commands(), span.target)) return;
        if (const Result<Done> done = session_.execute(span.target); !done) nowhere(done.error());
    }

    void check_sisters() {
        for (const std::string& language : session_.strings().languages()) {
            const auto file = in_language(lesson_.file, language, session_.strings());
            std::error_code none;
            if (!file || std::filesystem::equivalent(*file, lesson_.file, none)) continue;
            const Result<Lesson> sister = read_lesson_file(*file);
            if (!sister) continue;
            if (sister->cards.size() != lesson_.cards.size()) {
                fault(1, "error.lesson_language_blocks",
                      {lesson_.file.filename().string(), std::to_string(lesson_.cards.size()),
                       file->filename().string(), std::to_string(sister->cards.size())});
                continue;
            }
            for (std::size_t i = 0; i < lesson_.cards.size(); ++i) {
                const std::vector<LessonLine> mine = commands_of_card(lesson_.cards[i]),
                                              theirs = commands_of_card(sister->cards[i]);
                for (std::size_t k = 0; k < std::max(mine.size(), theirs.size()); ++k) {
                    if (k < mine.size() && k < theirs.size() && mine[k].text == theirs[k].text) continue;
                    fault(k < mine.size() ? mine[k].line : lesson_.cards[i].line,
                          "error.lesson_other_language",
                          {lesson_.file.filename().string(), file->filename().string(),
                           k < theirs.size() ? theirs[k].text : mine[k].text});
                    break;
                }
            }
        }
    }

    const Lesson& lesson_;
    Session session_;
    LessonPlayer player_{session_}; // for its commands
    std::vector<LessonFault> faults_;
    bool knows_state_ = true; // what the last setup led to is what was meant
};

} // namespace

std::vector<LessonFault> check_lesson(const Lesson& lesson, const std::filesystem::path& assets,
                                      const Strings& strings) {
    return Checker(lesson, assets, strings).check();
}

std::string fault_text(const Lesson& lesson, const LessonFault& fault, const Strings& strings) {
    return lesson.file.string() + ":" + std::to_string(fault.line) + ": " + strings.text(fault.error);
}

} // namespace headlight
