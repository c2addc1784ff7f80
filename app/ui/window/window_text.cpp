#include "app/ui/window/window_text.h"

#include "app/lessons/verdict.h"
#include "app/look/mathml.h"
#include "app/session/navigation.h"
#include "app/session/step_text.h"
#include "app/session/training/training_view.h"
#include "app/session/value_names.h"
#include "app/ui/asking/asked.h"
#include "app/ui/canvas/film_painter.h"
#include "app/ui/window/window_parts.h"
#include "engine/inspect/numbers.h"
#include "engine/io/json_reader.h"
#include "engine/text/words.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr std::size_t most_points = 60; // of a curve that is read as a table

template <class All, class Make>
JsonTree list_of(const All& all, Make make) {
    std::vector<JsonTree> entries;
    for (const auto& one : all) entries.push_back(make(one));
    return JsonTree::list(std::move(entries));
}

// --- sentence and step -----------------------------------------------------------------------------------

JsonTree sentence_text(const Session& session) {
    const Sentence& sentence = session.sentence();
    const ModelMap& map = session.model().map();
    JsonTree words = JsonTree::list();
    if (typed_stream(map)) {
        const bool is_read = map.source() != nullptr;
        const std::vector<std::string>& labels = is_read ? sentence.source_labels : sentence.target_labels;
        const std::size_t count = is_read ? sentence.source_ids.size() : sentence.target_ids.size();
        for (std::size_t i = 0; i < count && i < labels.size(); ++i)
            words.push_back(
                {{"text", labels[i]}, {"unknown", i < sentence.known.size() && !sentence.known[i]}});
    }
    const bool covered = session.view().teaching.cover.words;
    return {{"typed", session.question().source},
            {"words", std::move(words)},
            {"answer", covered ? session.strings().text("teach.covered") : sentence.output},
            {"guess", !covered && is_a_guess(session)},
            {"examples", JsonTree(session.model().examples)}};
}

JsonTree step_words_text(const Session& session) {
    const StoryStep& step = session.step();
    return {{"number", session.view().step + 1},
            {"steps", session.model().story.size()},
            {"place", step_place(session, step)},
            {"title", step_title(session, step)},
            {"text", step_text(session, step)},
            {"path", step.path()},
            {"formula",
             mathml(formula_in_language(session, step.sized.empty() ? step.formula : step.sized), true)}};
}

JsonTree film_text(const Session& session) {
    const Film& film = session.model().film;
    const View& view = session.view();
    JsonTree text{{"on", view.film.on},
                  {"playing", view.playing && view.film.on},
                  {"scenes", film.scenes().size()},
                  {"length", film.seconds()}};
    if (!view.film.on) return text;
    const FilmWords words = film_words(session);
    text["scene"] = words.scene + 1;
    text["title"] = words.title;
    text["text"] = words.text;
    text["asks"] = words.asks;
    text["formula"] = words.formula.empty() ? std::string() : mathml(words.formula);
    text["seconds"] = std::round(view.film.seconds * 10) / 10;
    return text;
}

// --- what is held ----------------------------------------------------------------------------------------

JsonTree line_text(const Session& session, const AskedLine& line) {
    ExplanationLine named = line.line;
    named.symbol = symbol_name(session, line.line.symbol);
    JsonTree terms = JsonTree::list();
    for (const TermRow& row : line.rows) {
        JsonTree term{{"label", row.label}, {"text", row.arithmetic}, {"number", row.number}};
        if (!row.links.empty() && row.links.front().cell.node) {
            const CellRef& cell = row.links.front().cell;
            term["go"] = select_command({cell.node->path, cell.cell});
        }
        terms.push_back(std::move(term));
    }
    return {{"text", named.text()}, {"terms", std::move(terms)}};
}

JsonTree held_text(const Session& session, const NamedCell& held) {
    const Node& node = *session.find(held.path);
    JsonTree text{{"title", value_title(session, node, held.cell.batch, session.shows_gradient(node))},
                  {"cell", cell_place(session, node, held.cell)},
                  {"path", held.path},
                  {"trail", !session.view().asking.trail.empty()}};
    const Index step = session.is_of_model(node) ? session.model().step_of(held.path) : -1;
    if (step >= 0) text["place"] = step_place(session, session.model().story[std::size_t(step)]);
    if (is_kept_back(session, held)) {
        text["covered"] = session.strings().text("teach.first");
        return text;
    }
    const AskedArithmetic& arithmetic = known_arithmetic(session, held);
    text["value"] = arithmetic.value();
    text["formula"] = mathml(arithmetic.formula, true);
    if (!arithmetic.note.empty()) text["note"] = session.strings().text(arithmetic.note);
    text["lines"] =
        list_of(arithmetic.lines, [&](const AskedLine& line) { return line_text(session, line); });
    return text;
}

// --- lessons ---------------------------------------------------------------------------------------------

class LessonWriter {
public:
    LessonWriter(const Session& session, const LessonPlayer& lessons)
        : session_(session), lessons_(lessons) {}

    JsonTree lesson() const {
        const Lesson& lesson = lessons_.lesson();
        const LessonCard& card = lessons_.card();
        const std::size_t number = lessons_.card_number();
        JsonTree done = JsonTree::list();
        for (std::size_t i = 0; i < lesson.cards.size(); ++i) done.push_back(lessons_.is_done(i));
        JsonTree text{{"name", lesson_name(lesson.file)},
                      {"title", lesson.title},
                      {"heading", card.title},
                      {"card", number + 1},
                      {"cards", lesson.cards.size()},
                      {"done", std::move(done)},
                      {"setup", card.has_setup},
                      {"trouble", lessons_.trouble()},
                      {"blocks", blocks(card.blocks)}};
        if (!card.done.empty()) text["found"] = lessons_.is_done(number);
        if (number + 1 < lesson.cards.size() || lessons_.open_prediction()) return text;
        const LessonScore score = lessons_.score();
        const Strings& s = session_.strings();
        text["score"] =
            score.asked == 0 ? s.text("teach.score.unasked")
            : score.predicted == 0
                ? s.text("teach.score.unpredicted")
                : s.text("teach.score", {std::to_string(score.right), std::to_string(score.predicted),
                                         std::to_string(score.asked)});
        if (const LessonEntry* next = lessons_.next_lesson())
            text["next"] = JsonTree{{"title", next->title}, {"do", "lesson open " + next->name}};
        return text;
    }

private:
    // Where a link leads, and what can be read there.
    void add_link(JsonTree& text, const LessonSpan& span) const {
        if (span.link == LessonSpan::Link::none) return;
        std::vector<std::string> does;
        const std::vector<std::string> words = words_of(span.target);
        const Node* node = words.empty() ? nullptr : session_.find(words[0]);
        if (span.link == LessonSpan::Link::command) {
            does = {"lesson do " + span.target};
        } else if (node) {
            NamedCell target{words[0], {}};
            const bool is_cell = span.link == LessonSpan::Link::cell && words.size() == 4;
            if (is_cell)
                target.cell = {std::atol(words[1].c_str()), std::atol(words[2].c_str()),
                               std::atol(words[3].c_str())};
            if (!small_page_of(target.path)) does.push_back("goto " + target.path);
            if (is_cell) does.push_back(select_command(target));
            text["at"] = target.path + " " + std::to_string(target.cell.batch) + " "
                         + std::to_string(target.cell.row) + " " + std::to_string(target.cell.column);
            if (is_cell && session_.has(target)
                && !session_.view().teaching.cover.hides(target.path, target.cell))
                text["says"] = value_title(session_, *node, target.cell.batch) + "  ·  "
                               + cell_place(session_, *node, target.cell) + " = "
                               + number_text(CellRef{node, target.cell}.value());
            if (!is_cell) text["table"] = target.path;
        }
        text["do"] = JsonTree(does);
        text["button"] = span.link == LessonSpan::Link::command;
    }

    JsonTree spans(const LessonText& all) const {
        return list_of(all, [&](const LessonSpan& span) {
            JsonTree text;
            if (span.kind == LessonSpan::Kind::formula)
                text["math"] = mathml(span.text);
            else
                text["text"] = span.text;
            if (span.kind == LessonSpan::Kind::code) text["code"] = true;
            if (span.strong) text["strong"] = true;
            if (span.emphasis) text["emphasis"] = true;
            add_link(text, span);
            return text;
        });
    }

    JsonTree blocks(const std::vector<LessonBlock>& all) const {
        return list_of(all, [&](const LessonBlock& block) -> JsonTree {
            switch (block.kind) {
            case LessonBlock::Kind::prediction:
                return question(block.prediction);
            case LessonBlock::Kind::table_row:
                return {{"kind", "row"},
                        {"cells", list_of(block.cells, [&](const LessonText& cell) { return spans(cell); })}};
            default: {
                constexpr const char* names[] = {"paragraph", "heading", "item", "code"};
                return {{"kind", names[std::size_t(block.kind)]}, {"spans", spans(block.text)}};
            }
            }
        });
    }

    JsonTree question(std::size_t which) const {
        using Kind = LessonPrediction::Kind;
        const LessonPrediction& p = lessons_.card().predictions[which];
        const LessonAnswer* told = lessons_.answer(lessons_.card_number(), which);
        const auto kept = lessons_.kept_choice(lessons_.card_number(), which);
        constexpr const char* kinds[] = {"number", "cell", "choice"};
        JsonTree text{{"kind", "question"},
                      {"asks", kinds[std::size_t(p.kind)]},
                      {"open", !told && lessons_.open_prediction() == which},
                      {"told", told != nullptr},
                      {"blocks", blocks(p.question)}};
        if (p.kind == Kind::choice) {
            std::size_t i = 0;
            text["choices"] = list_of(p.choices, [&](const LessonChoice& choice) {
                const bool is_chosen = told ? told->given && told->choice == i : kept == i;
                JsonTree one{{"spans", spans(choice.text)}, {"chosen", is_chosen}};
                if (told) one["right"] = told->right_choice == i;
                if (told && is_chosen && told->right_choice != i && !choice.reason.empty())
                    one["reason"] = spans(choice.reason);
                ++i;
                return one;
            });
            return text;
        }
        if (p.kind == Kind::cell && !told)
            if (const Node* node = session_.find(p.cell.path))
                text["words"] = JsonTree(axis_labels(session_, *node, false));
        if (!told) return text;
        const Verdict verdict = verdict_of(p, *told, session_);
        constexpr const char* hows[] = {"right", "wrong", "told"};
        text["verdict"] = verdict.text;
        text["how"] = hows[std::size_t(verdict.how)];
        std::vector<std::string> where;
        if (!small_page_of(verdict.where.path)) where.push_back("goto " + verdict.where.path);
        where.push_back(select_command(verdict.where));
        text["where"] = JsonTree(where);
        return text;
    }

    const Session& session_;
    const LessonPlayer& lessons_;
};

// --- training --------------------------------------------------------------------------------------------

JsonTree training_text(const Session& session, const Run& run) {
    JsonTree text{
        {"name", run.name}, {"runs", run.training}, {"step", run.step()}, {"curve", JsonTree::list()}};
    if (session.view().teaching.cover.picture) return text; // a lesson asks for what it would tell
    if (!run.steps.empty()) text["loss"] = double(run.steps.back().loss);
    if (!run.judged.empty()) text["exact"] = run.judged.back().exact_match;
    if (run.error) text["trouble"] = session.strings().text(*run.error);
    JsonTree curve = JsonTree::list();
    const std::size_t every = std::max<std::size_t>(1, (run.judged.size() + most_points - 1) / most_points);
    for (std::size_t i = 0; i < run.judged.size(); ++i) {
        if (i % every != 0 && i + 1 != run.judged.size()) continue;
        const Judgement& judged = run.judged[i];
        curve.push_back(JsonTree::list({judged.step, judged.loss, judged.exact_match}));
    }
    text["curve"] = std::move(curve);
    return text;
}

JsonTree notice_text(const Notice& notice) {
    return {
        {"text", notice.text}, {"error", notice.is_error}, {"offer", notice.offer}, {"do", notice.command}};
}

} // namespace

namespace {

// The matrices of a page that draws its own, or of all heads: what can be read as tables there.
JsonTree values_text(const Session& session) {
    JsonTree values = JsonTree::list();
    const auto add = [&](const Node& node) {
        values.push_back({{"path", node.path}, {"title", value_title(session, node, -1)}});
    };
    const Room room = session.view().room;
    if (room == Room::heads && session.has_model())
        for (const Attention& attention : session.model().map().attentions)
            values.push_back(
                {{"path", attention.weights->path},
                 {"title", step_place(session, session.model().story[std::size_t(std::max<Index>(
                                                   0, session.model().step_of(attention.weights->path)))])}});
    for (const char* page : {"plain.", "cabinet.", "places.", "norms.", "descent.", "costs."})
        if (small_page_of(page) == room)
            if (const Graph* graph = session.graph_of(page))
                for (const Node& node : graph->nodes())
                    if (node.path.starts_with(page) && node.value.size() > 0) add(node);
    return values;
}

// The words of the first page from the ground, which a pointer drags: {word, x, y, do: "lesson vector N"}.
JsonTree points_text(const Session& session) {
    const PlainVectors& vectors = session.question().small_pages.vectors;
    JsonTree points = JsonTree::list();
    for (std::size_t i = 0; i < vectors.words.size(); ++i)
        if (vectors.numbers[i].size() == 2)
            points.push_back({{"word", vectors.words[i]},
                              {"x", vectors.numbers[i][0]},
                              {"y", vectors.numbers[i][1]},
                              {"do", "lesson vector " + std::to_string(i)}});
    return points;
}

JsonTree pages_text(const Session& session) {
    return list_of(navigation(), [&](const NavigationPage& page) -> JsonTree {
        std::vector<std::string> does;
        for (const std::string_view line : {page.room_command, page.then, page.and_then})
            if (!line.empty()) does.emplace_back(line);
        return {{"title", session.strings().text(std::string(page.title))},
                {"do", JsonTree(does)},
                {"here", &page == &present_page(session.view())}};
    });
}

JsonTree models_text(const Session& session) {
    return list_of(session.shipped_models(), [&](const std::filesystem::path& folder) -> JsonTree {
        const std::string name = folder.filename().string();
        return {{"name", name},
                {"title", model_label(session, folder)},
                {"here", session.opened().has_model() && session.opened().model().name == name}};
    });
}

} // namespace

std::string window_text(const Session& session, const LessonPlayer& lessons) {
    const View& view = session.view();
    JsonTree text{{"language", session.strings().language()},
                  {"theme", view.theme == ThemeName::dark ? "dark" : "light"},
                  {"page", session.strings().text(present_page(view).title)},
                  {"room", name_of(view.room)},
                  {"welcome", lessons.shows_welcome()}};
    text["about"] = session.strings().text(std::string(present_page(view).title) + ".tip");
    text["values"] = values_text(session);
    if (view.room == Room::ground_up) text["points"] = points_text(session);
    text["pages"] = pages_text(session);
    text["models"] = models_text(session);
    if (session.has_model()) {
        text["model"] = session.model().name;
        if (!is_small_page(view.room)) {
            text["sentence"] = sentence_text(session);
            text["step"] = step_words_text(session);
            if (view.room == Room::explore && !session.model().film.scenes().empty())
                text["film"] = film_text(session);
        }
    }
    if (lessons.is_open()) text["lesson"] = LessonWriter(session, lessons).lesson();
    if (const std::optional<NamedCell>& held = view.asking.held;
        held && session.find(held->path) && session.has(*held))
        text["held"] = held_text(session, *held);
    if (const Run* run = session.training().training.run(); run && view.room == Room::train)
        text["training"] = training_text(session, *run);
    if (view.notice) text["notice"] = notice_text(*view.notice);
    if (lessons.shows_welcome() || view.room == Room::library)
        text["lessons"] = list_of(lessons.lessons(), [&](const LessonEntry& entry) -> JsonTree {
            return {{"title", entry.title},
                    {"number", std::atoi(entry.name.c_str())},
                    {"finished", lessons.is_finished(entry)},
                    {"do", "lesson open " + entry.name}};
        });
    return text.text();
}

std::string matrix_text(const Session& session, std::string_view path, Index head, Index most) {
    const Node* node = session.find(path);
    if (!node || node->value.size() == 0) return "{}";
    const Tensor& value = node->value;
    head = std::clamp<Index>(head, 0, value.batch() - 1);
    const bool transposed = is_drawn_transposed(*node);
    const Index all_rows = transposed ? value.columns() : value.rows(),
                all_columns = transposed ? value.rows() : value.columns();
    const Index rows = std::min(all_rows, most), columns = std::min(all_columns, most);
    const auto labels = [](std::vector<std::string> known, Index count) { // numbered as cell_place numbers
        for (Index i = Index(known.size()); i < count; ++i) known.push_back(std::to_string(i));
        known.resize(std::size_t(count));
        return JsonTree(known);
    };
    const ValueLabels& known = value_labels(session, *node);
    const Cover& cover = session.view().teaching.cover;
    const bool is_whole = node->is(ValueKind::tokens); // ids
    JsonTree cells = JsonTree::list();
    for (Index i = 0; i < rows; ++i) {
        std::vector<std::string> row;
        for (Index j = 0; j < columns; ++j) {
            const Cell cell = drawn(*node, {head, i, j});
            const double number = CellRef{node, cell}.value();
            row.push_back(cover.hides(path, cell) ? std::string()
                          : is_whole              ? format_whole(Index(number))
                                                  : number_text(number, 3));
        }
        cells.push_back(JsonTree(row));
    }
    return JsonTree{{"title", value_title(session, *node, head)},
                    {"head", head},
                    {"heads", value.batch()},
                    {"rows", labels(known.rows, rows)},
                    {"columns", labels(known.columns, columns)},
                    {"cells", std::move(cells)},
                    {"cut", rows < all_rows || columns < all_columns}}
        .text();
}

} // namespace headlight
