#include "app/lessons/lesson.h"

#include "app/lessons/markdown.h"
#include "app/session/session.h"
#include "engine/io/file.h"
#include "engine/text/words.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr std::string_view reason_sign = ">"; // "> why not", below a choice

const std::vector<std::string> block_names = {"setup", "predict", "done", "aside"};
const std::vector<std::string> prediction_names = {"number", "cell", "choice"};

LessonBlock::Kind kind_of(const MarkdownBlock& block) {
    switch (block.kind) {
    case MarkdownBlock::Kind::heading:
        return LessonBlock::Kind::heading;
    case MarkdownBlock::Kind::item:
        return LessonBlock::Kind::item;
    case MarkdownBlock::Kind::fence:
        return LessonBlock::Kind::code;
    case MarkdownBlock::Kind::table_row:
        return LessonBlock::Kind::table_row;
    default:
        return LessonBlock::Kind::paragraph;
    }
}

LessonBlock block_of(MarkdownBlock&& block) {
    LessonBlock result;
    result.kind = kind_of(block);
    result.text = std::move(block.text);
    result.cells = std::move(block.cells);
    if (block.kind == MarkdownBlock::Kind::fence) {
        LessonSpan code;
        code.kind = LessonSpan::Kind::code;
        code.text = trim(block.code);
        result.text = {code};
    }
    return result;
}

std::vector<LessonBlock> blocks_of_text(std::string_view text, int line) {
    std::vector<LessonBlock> blocks;
    for (MarkdownBlock& block : read_markdown(text, line)) blocks.push_back(block_of(std::move(block)));
    return blocks;
}

std::vector<LessonLine> lines_of(const MarkdownBlock& fence) {
    std::vector<LessonLine> lines;
    std::string_view rest = fence.code;
    for (int line = fence.line; !rest.empty(); ++line) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view text = trim(rest.substr(0, end));
        if (!text.empty() && text.front() != '#') lines.push_back({std::string(text), line});
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return lines;
}

class LessonReader {
public:
    Lesson read(std::string_view markdown) {
        for (MarkdownBlock& block : read_markdown(markdown)) take(std::move(block));
        if (lesson_.title.empty()) fault(1, "error.lesson_no_title", {});
        if (lesson_.cards.empty()) fault(1, "error.lesson_no_cards", {});
        std::stable_sort(lesson_.faults.begin(), lesson_.faults.end(),
                         [](const LessonFault& a, const LessonFault& b) { return a.line < b.line; });
        return std::move(lesson_);
    }

private:
    void fault(int line, std::string key, std::vector<std::string> arguments) {
        lesson_.faults.push_back({line, {std::move(key), std::move(arguments)}});
    }

    void begin_card(std::string_view title, int line, int end) {
        LessonCard& card = lesson_.cards.emplace_back();
        card.title = trim(title);
        card.line = line;
        card.behind_heading = end;
    }

    // "##Two" begins no card, and what it was to hold would be taken for the card's before: a line alone is
    // read as it was meant.
    bool take_torn_heading(const MarkdownBlock& block) {
        fault(block.torn_line, "error.lesson_heading", {block.torn_heading});
        const bool is_alone = block.line == block.torn_line && block.end == block.torn_line + 1;
        if (!is_alone || block.torn_heading.find_first_not_of('#') != 2) return false;
        begin_card(plain_text(block.text).substr(2), block.torn_line, block.end);
        return true;
    }

    void take(MarkdownBlock&& block) {
        const bool is_heading = block.kind == MarkdownBlock::Kind::heading;
        if (!block.torn_heading.empty() && take_torn_heading(block)) return;
        if (is_heading && block.level == 1 && lesson_.title.empty()) {
            lesson_.title = plain_text(block.text);
        } else if (is_heading && block.level == 2) {
            begin_card(plain_text(block.text), block.line, block.end);
        } else if (lesson_.cards.empty()) {
            // What stands before the first card is for whoever reads the file.
            if (block.kind == MarkdownBlock::Kind::fence) fault(block.line, "error.lesson_outside_card", {});
        } else if (block.kind == MarkdownBlock::Kind::fence && !trim(block.info).empty()) {
            take_fence(std::move(block));
        } else {
            lesson_.cards.back().blocks.push_back(block_of(std::move(block)));
        }
    }

    void take_fence(MarkdownBlock&& block) {
        LessonCard& card = lesson_.cards.back();
        const std::vector<std::string> info = words_of(block.info);
        if (block.is_open) fault(block.line - 1, "error.lesson_block_open", {info[0]});
        if (info[0] == "setup") {
            card.has_setup = true;
            card.setup_blocks.push_back({block.line - 1, block.end});
            for (LessonLine& line : lines_of(block)) card.setup.push_back(std::move(line));
        } else if (info[0] == "done") {
            for (const LessonLine& line : lines_of(block)) {
                Result<Expectation> expectation = read_expectation(line.text);
                if (!expectation) {
                    fault(line.line, expectation.error().key, expectation.error().arguments);
                    continue;
                }
                expectation->line = line.line;
                card.done.push_back(*std::move(expectation));
            }
        } else if (info[0] == "aside") {
            for (LessonBlock& aside : blocks_of_text(block.code, block.line))
                card.aside.push_back(std::move(aside));
        } else if (info[0] == "predict") {
            take_prediction(info, block);
        } else {
            const std::optional<std::string> near = meant(info[0], block_names);
            if (near)
                fault(block.line - 1, "error.lesson_block_near", {info[0], *near});
            else
                fault(block.line - 1, "error.lesson_block", {info[0]});
        }
    }

    // A decimal comma is told, and read as it was meant.
    std::optional<double> number_in(const std::string& word, int line) {
        if (const Result<double> number = number_of(word)) return *number;
        const Error why = not_a_number(word);
        if (why.key != "error.decimal_comma") return {};
        fault(line, why.key, why.arguments);
        return *number_of(why.arguments[1]);
    }

    // "predict number PATH HEAD ROW COLUMN [within X]", "predict cell PATH HEAD ROW",
    // "predict choice [covered [PATH …]]".
    void take_prediction(const std::vector<std::string>& info, const MarkdownBlock& block) {
        LessonPrediction p;
        p.line = block.line - 1;
        const auto wrong = [&] { fault(p.line, "error.lesson_predict", {trim_info(info)}); };
        if (info.size() < 2) return wrong();
        const std::size_t places = info[1] == "number" ? 3 : info[1] == "cell" ? 2 : 0;
        std::size_t next = 2;
        if (places > 0) {
            if (info.size() < 3 + places) return wrong();
            p.kind = places == 3 ? LessonPrediction::Kind::number : LessonPrediction::Kind::cell;
            p.cell.path = info[2];
            Index at[3] = {0, 0, -1};
            for (std::size_t i = 0; i < places; ++i) {
                const std::optional<double> number = number_in(info[3 + i], p.line);
                if (!number || !(*number >= 0 && *number <= 1e6)) return wrong(); // nan is neither
                at[i] = Index(*number);
            }
            p.cell.cell = {at[0], at[1], at[2]};
            next = 3 + places;
            if (places == 3 && info.size() == next + 2 && info[next] == "within") {
                p.within = number_in(info[next + 1], p.line);
                if (!p.within || !(*p.within >= 0)) return wrong();
                next += 2;
            }
        } else if (info[1] != "choice") {
            if (const std::optional<std::string> near = meant(info[1], prediction_names))
                return fault(p.line, "error.lesson_predict_near", {info[1], *near});
            return wrong();
        } else if (info.size() > next && info[next] == "covered") {
            p.covers.assign(info.begin() + std::ptrdiff_t(next) + 1, info.end());
            p.covered = p.covers.empty();
            next = info.size();
        }
        if (info.size() != next) return wrong();
        if (p.kind == LessonPrediction::Kind::choice)
            take_choices(p, block);
        else
            p.question = blocks_of_text(block.code, block.line);
        LessonCard& card = lesson_.cards.back();
        LessonBlock place;
        place.kind = LessonBlock::Kind::prediction;
        place.prediction = card.predictions.size();
        card.blocks.push_back(std::move(place));
        card.predictions.push_back(std::move(p));
    }

    static std::string trim_info(const std::vector<std::string>& info) {
        std::string all;
        for (const std::string& word : info) all += (all.empty() ? "" : " ") + word;
        return all;
    }

    // Lines "- [ ] …", "- [x] …", "- [ ] … if EXPECTATION"; what stands before them is the question.
    void take_choices(LessonPrediction& p, const MarkdownBlock& block) {
        std::string question;
        int line_number = block.line;
        std::string_view rest = block.code;
        for (; !rest.empty(); ++line_number) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            const std::string_view line = trim(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
            const bool right = line.starts_with("- [x]") || line.starts_with("- [X]");
            if (!right && !line.starts_with("- [ ]")) {
                if (!p.choices.empty() && line.starts_with(reason_sign)) {
                    take_reason(p.choices.back(), line.substr(reason_sign.size()), line_number);
                    continue;
                }
                if (p.choices.empty())
                    question += std::string(line) + "\n";
                else if (!line.empty())
                    fault(line_number, "error.lesson_choice", {std::string(line)});
                continue;
            }
            LessonChoice choice;
            choice.is_right = right;
            choice.line = line_number;
            std::string_view words = trim(line.substr(5));
            if (const std::size_t at = condition_of(words); at != words.npos) {
                Result<Expectation> condition = read_expectation(words.substr(at + 4));
                if (!condition) {
                    fault(line_number, condition.error().key, condition.error().arguments);
                } else {
                    condition->line = line_number;
                    choice.right_if = *std::move(condition);
                }
                words = words.substr(0, at);
            }
            const std::vector<LessonBlock> text = blocks_of_text(words, line_number);
            if (!text.empty()) choice.text = text.front().text;
            p.choices.push_back(std::move(choice));
        }
        if (p.choices.size() < 2) fault(p.line, "error.lesson_few_choices", {});
        const auto asks = [](const LessonChoice& choice) { return choice.right_if.has_value(); };
        const bool asks_the_model = std::any_of(p.choices.begin(), p.choices.end(), asks);
        const auto right = std::count_if(p.choices.begin(), p.choices.end(),
                                         [](const LessonChoice& choice) { return choice.is_right; });
        if (!asks_the_model && right != 1)
            fault(p.line, "error.lesson_right_answers", {std::to_string(right)});
        p.question = blocks_of_text(question, block.line);
    }

    static void take_reason(LessonChoice& choice, std::string_view words, int line) {
        for (LessonBlock& block : blocks_of_text(trim(words), line)) {
            if (!choice.reason.empty()) choice.reason.back().text += " ";
            choice.reason.insert(choice.reason.end(), block.text.begin(), block.text.end());
        }
    }

    // Where " if " begins an expectation; npos where the words only happen to hold it.
    static std::size_t condition_of(std::string_view words) {
        for (std::size_t at = words.rfind(" if "); at != words.npos && at > 0;
             at = words.rfind(" if ", at - 1)) {
            std::string_view after = trim(words.substr(at + 4));
            const std::string first = after.empty() ? std::string() : take_word(after);
            for (const std::string_view form : expectation_forms())
                if (first == form.substr(0, form.find(' '))) return at;
        }
        return words.npos;
    }

    Lesson lesson_;
};

} // namespace

Lesson read_lesson(std::string_view markdown) { return LessonReader().read(markdown); }

Result<Lesson> read_lesson_file(const std::filesystem::path& file) {
    const Result<std::string> text = read_file(file.string(), longest_lesson);
    if (!text) return text.error();
    Lesson lesson = read_lesson(*text);
    lesson.file = file;
    return lesson;
}

std::string setup_of(const LessonCard& card, const std::filesystem::path& lesson) {
    constexpr std::string_view with_files[] = {"train task ", "train labels ", "train text words ",
                                               "train text characters ", "train text bpe "};
    std::string commands;
    for (const LessonLine& line : card.setup) {
        std::string command = line.text;
        for (const std::string_view names_file : with_files) {
            if (!line.text.starts_with(names_file)) continue;
            std::error_code none;
            const std::filesystem::path beside = lesson.parent_path() / line.text.substr(names_file.size());
            if (std::filesystem::is_regular_file(beside, none))
                command = std::string(names_file) + std::filesystem::absolute(beside, none).string();
        }
        commands += command + "\n";
    }
    return commands;
}

Result<Done> check_setup_line(const CommandRegistry& commands, std::string_view line) {
    const Result<const WindowCommand*> command = commands.named(line);
    if (!command) return command.error();
    if ((*command)->name == "homework" || !commands.check_replayable(line))
        return Error{"error.lesson_not_in_setup", {std::string(line)}};
    return Done{};
}

Result<Done> run_setup(Session& session, const LessonCard& card, const std::filesystem::path& lesson) {
    for (const LessonLine& line : card.setup)
        if (const Result<Done> allowed = check_setup_line(session.commands(), line.text); !allowed)
            return allowed;
    return session.replay(setup_of(card, lesson), lesson.filename().string());
}

Result<FittingForm> fit_of_link(const CommandRegistry& commands, std::string_view line) {
    Result<FittingForm> fitting = commands.fit(line);
    if (fitting && fitting->form->of_person)
        return Error{"error.lesson_not_in_link", {std::string(trim(line))}};
    return fitting;
}

std::string plain_text(const LessonText& text) {
    std::string all;
    for (const LessonSpan& span : text) all += span.text;
    return all;
}

} // namespace headlight
