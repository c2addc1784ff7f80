#include "app/lessons/lesson_check.h"

#include "app/lessons/player.h"
#include "engine/text/words.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// What nearly is another answer may be another one after the next training.
constexpr double least_lead = 1e-3;

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
                                + (p.covered ? " covered" : "")
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

    bool set_up(const LessonCard& card) {
        for (const LessonLine& line : card.setup)
            if (!check_replayable(line.text)) {
                fault(line.line, "error.lesson_not_in_setup", {line.text});
                return false;
            }
        const Result<Done> done = session_.replay(setup_of(card, lesson_.file), "");
        if (done) return true;
        // Which line it was: the first that does not go after those before it.
        LessonCard begun = card;
        begun.setup.clear();
        for (const LessonLine& line : card.setup) {
            begun.setup.push_back(line);
            const Result<Done> part = session_.replay(setup_of(begun, lesson_.file), "");
            if (part) continue;
            const std::vector<std::string>& why = part.error().arguments;
            const std::string reason = why.size() == 3 ? " (" + why[2] + ")" : "";
            fault(line.line, "error.lesson_setup", {line.text + reason});
            return false;
        }
        fault(card.line, "error.lesson_setup", {words(done.error())});
        return false;
    }

    void check_card(const LessonCard& card) {
        if (card.has_setup && !set_up(card)) return;
        for (const LessonPrediction& p : card.predictions) check_prediction(p);
        bool all = !card.done.empty();
        for (const Expectation& e : card.done) {
            const Result<bool> now = holds(e, session_);
            if (!now) fault(e.line, now.error());
            all = all && now && *now;
        }
        if (all) fault(card.done.front().line, "error.lesson_done_at_once", {});
        for (const LessonBlock& block : card.blocks) check_links(block);
        for (const LessonBlock& block : card.aside) check_links(block);
        for (const LessonPrediction& p : card.predictions) {
            for (const LessonBlock& block : p.question) check_links(block);
            for (const LessonChoice& choice : p.choices) check_links(choice.text);
        }
    }

    void check_prediction(const LessonPrediction& p) {
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
            if (const Result<std::size_t> right = right_choice(p, session_); !right)
                fault(p.line, right.error());
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
        const std::vector<std::string> parts = words_of(span.target);
        const auto nowhere = [&](const Error& why) {
            fault(span.line, "error.lesson_link", {span.target, words(why)});
        };
        switch (span.link) {
        case LessonSpan::Link::none:
            return;
        case LessonSpan::Link::value:
            if (!session_.find(span.target))
                nowhere({"error.no_such_value", {span.target, session_.model().name}});
            return;
        case LessonSpan::Link::cell: {
            const Result<Expectation> cell = read_expectation("expect " + span.target + " 0 0");
            if (!cell) return nowhere(cell.error());
            if (const Result<bool> there = holds(*cell, session_); !there) nowhere(there.error());
            return;
        }
        case LessonSpan::Link::command: {
            const bool trains = parts.size() > 1 && parts[0] == "train";
            if (trains || parts.empty()) return; // takes its time; its words are checked when it is done
            const bool is_of_window = parts[0] == "closeup" || parts[0] == "word" || parts[0] == "frame"
                                      || parts[0] == "fit" || parts[0] == "zoom";
            const auto& known = session_.commands().list();
            const bool is_known = std::any_of(known.begin(), known.end(), [&](const WindowCommand& command) {
                return command.name == parts[0];
            });
            if (!is_known && is_of_window) return; // a window's own
            if (const Result<Done> done = session_.execute(span.target); !done) nowhere(done.error());
            return;
        }
        }
    }

    void check_sisters() {
        for (const std::string& language : session_.strings().languages()) {
            const auto file = in_language(lesson_.file, language);
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
    std::vector<LessonFault> faults_;
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
