#include "app/lessons/expectation.h"

#include "app/session/memory.h"
#include "app/session/session.h"
#include "app/session/training/training_view.h"
#include "engine/text/words.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace headlight {

namespace {

std::optional<double> finite_number(const std::string& word) {
    double number = 0;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (fault != std::errc() || end != word.data() + word.size() || !std::isfinite(number)) return {};
    return number;
}

std::optional<Cell> cell_of(const std::vector<std::string>& words, std::size_t first) {
    Index place[3] = {};
    for (std::size_t i = 0; i < 3; ++i) {
        const std::optional<double> number = finite_number(words[first + i]);
        if (!number || *number < 0 || *number != std::floor(*number) || *number > 1e9) return {};
        place[i] = Index(*number);
    }
    return Cell{place[0], place[1], place[2]};
}

// The text between the quotation marks, "…" or “…”; as it is where there are none.
std::string unquoted(std::string_view text) {
    text = trim(text);
    for (const auto& [open, close] : {std::pair<std::string_view, std::string_view>{"\"", "\""}, {"“", "”"}})
        if (text.size() > open.size() + close.size() && text.starts_with(open) && text.ends_with(close))
            return std::string(text.substr(open.size(), text.size() - open.size() - close.size()));
    return std::string(text);
}

// Everything but letters beyond ASCII, ASCII letters, figures, hyphens and apostrophes parts words.
bool is_part_of_word(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || std::isalnum(byte) || c == '-' || c == '\'';
}

Result<double> number_at(const std::string& path, Cell cell, const Session& session) {
    const Node* node = session.find(path);
    if (!node) return no_such_value(path, session.at_hand());
    const Shape& shape = node->shape();
    if (cell.batch >= shape.batch || cell.row >= shape.rows || cell.column >= shape.columns)
        return Error{"error.no_such_cell", {path, to_string(shape)}};
    return double(node->value(cell.batch, cell.row, cell.column));
}

constexpr double learnt_from = 0.9, failed_below = 0.5; // of held-out sentences

Result<bool> holds_of_race(const Expectation& e, const Session& session) {
    const Race* race = session.memory().race(session.view().memory.asked);
    const RaceScore score = race ? score_of(*race, e.word, Index(e.value)) : RaceScore{};
    if (score.seeds == 0) return Error{"error.race_not_run", {e.word}};
    return e.kind == Expectation::Kind::learnt ? score.accuracy >= learnt_from
                                               : score.accuracy < failed_below;
}

Result<bool> holds_of_racer(const Expectation& e, const Session& session) {
    const RacerAnswers* answers = session.memory().answers();
    const RacerAnswer* racer = answers ? answers->of(e.word) : nullptr;
    if (!racer || !racer->has_room) return Error{"error.race_not_run", {e.word}};
    const Forgetting& found = racer->forgetting;
    if (e.kind != Expectation::Kind::fades) return found.is_right == (e.kind == Expectation::Kind::recalls);
    const std::vector<double>& norms = found.gradients.front().norms;
    return norms[std::size_t(racer->fact)] * e.value <= norms.back();
}

Result<bool> holds_of_run(const Expectation& e, const Session& session) {
    const Run* run = session.training().training.run();
    const auto share = [&](const Judgement& one) {
        return e.word == "exact" ? one.exact_match : one.token_accuracy;
    };
    if (run)
        for (const Judgement& one : run->judged)
            if (share(one) >= e.value) return double(one.step) >= e.from && double(one.step) < e.to;
    return Error{"error.lesson_not_yet", {}};
}

} // namespace

std::span<const std::string_view> expectation_forms() {
    static constexpr std::string_view forms[] = {
        "expect PATH HEAD ROW COLUMN VALUE TOLERANCE",
        "larger PATH HEAD ROW COLUMN PATH HEAD ROW COLUMN",
        "said \"WORD\"",
        "changed PATH",
        "asked PATH",
        "diverged",
        "learnt MODEL DISTANCE",
        "failed MODEL DISTANCE",
        "recalls MODEL",
        "forgets MODEL",
        "fades MODEL TIMES",
        "strayed",
        "reached exact|tokens SHARE FROM TO",
    };
    return forms;
}

namespace {

// What is said of words that are none.
Error no_expectation(std::string_view text, const std::vector<std::string>& words) {
    for (std::size_t i = 1; i < words.size(); ++i)
        if (const Error error = not_a_number(words[i]); error.key == "error.decimal_comma") return error;
    std::vector<std::string> names;
    std::string forms;
    for (const std::string_view form : expectation_forms()) {
        names.emplace_back(form.substr(0, form.find(' ')));
        forms += (forms.empty() ? "" : ", ") + std::string(form);
    }
    const std::string written(trim(text));
    const bool is_named = !words.empty() && std::find(names.begin(), names.end(), words[0]) != names.end();
    if (!words.empty() && !is_named)
        if (const std::optional<std::string> near = meant(words[0], names))
            return {"error.lesson_expectation_near", {written, *near}};
    return {"error.lesson_expectation", {written, forms}};
}

} // namespace

Result<Expectation> read_expectation(std::string_view text) {
    const std::vector<std::string> words = words_of(text);
    Expectation e;
    e.text = trim(text);
    if (words.empty()) return no_expectation(text, words);
    const std::string& name = words[0];
    if (name == "expect" && words.size() == 7) {
        const std::optional<Cell> cell = cell_of(words, 2);
        const std::optional<double> value = finite_number(words[5]), tolerance = finite_number(words[6]);
        if (!cell || !value || !tolerance || *tolerance < 0) return no_expectation(text, words);
        e.path = words[1], e.cell = *cell, e.value = *value, e.tolerance = *tolerance;
        return e;
    }
    if (name == "larger" && words.size() == 9) {
        const std::optional<Cell> cell = cell_of(words, 2), other = cell_of(words, 6);
        if (!cell || !other) return no_expectation(text, words);
        e.kind = Expectation::Kind::larger;
        e.path = words[1], e.cell = *cell, e.other_path = words[5], e.other_cell = *other;
        return e;
    }
    if (name == "said" && words.size() >= 2) {
        e.kind = Expectation::Kind::said;
        e.word = unquoted(trim(text).substr(4));
        if (e.word.empty()) return no_expectation(text, words);
        return e;
    }
    if ((name == "changed" || name == "asked") && words.size() == 2) {
        e.kind = name == "asked" ? Expectation::Kind::asked : Expectation::Kind::changed;
        e.path = words[1];
        return e;
    }
    if (name == "reached" && words.size() == 5 && (words[1] == "tokens" || words[1] == "exact")) {
        const std::optional<double> share = finite_number(words[2]), from = finite_number(words[3]),
                                    to = finite_number(words[4]);
        if (!share || !from || !to || !(*share > 0 && *share <= 1) || !(*from < *to))
            return no_expectation(text, words);
        e.kind = Expectation::Kind::reached;
        e.word = words[1], e.value = *share, e.from = *from, e.to = *to;
        return e;
    }
    if ((name == "strayed" || name == "diverged") && words.size() == 1) {
        e.kind = name == "strayed" ? Expectation::Kind::strayed : Expectation::Kind::diverged;
        return e;
    }
    constexpr std::pair<std::string_view, Expectation::Kind> of_racers[] = {
        {"learnt", Expectation::Kind::learnt},   {"failed", Expectation::Kind::failed},
        {"recalls", Expectation::Kind::recalls}, {"forgets", Expectation::Kind::forgets},
        {"fades", Expectation::Kind::fades},
    };
    for (const auto& [called, kind] : of_racers) {
        if (name != called) continue;
        const bool has_number = kind != Expectation::Kind::recalls && kind != Expectation::Kind::forgets;
        if (words.size() != (has_number ? 3u : 2u)) return no_expectation(text, words);
        const std::vector<std::string>& racers = racer_names();
        if (std::find(racers.begin(), racers.end(), words[1]) == racers.end())
            return no_expectation(text, words);
        const std::optional<double> number = has_number ? finite_number(words[2]) : std::optional(0.0);
        const bool is_distance = kind == Expectation::Kind::learnt || kind == Expectation::Kind::failed;
        if (!number || *number < 0 || (is_distance && *number > double(longest_distance)))
            return no_expectation(text, words);
        e.kind = kind, e.word = words[1], e.value = *number;
        return e;
    }
    return no_expectation(text, words);
}

bool says(const Session& session, std::string_view word) {
    if (!session.has_model()) return false;
    const std::string& said = session.sentence().output;
    const auto lowered_first = [](std::string_view text) {
        std::string lowered(text);
        if (!lowered.empty())
            lowered.front() = char(std::tolower(static_cast<unsigned char>(lowered.front())));
        return lowered;
    };
    const std::string wanted = lowered_first(word);
    for (std::size_t at = 0; at + word.size() <= said.size(); ++at) {
        if (at > 0 && is_part_of_word(said[at - 1])) continue;
        const std::size_t end = at + word.size();
        if (end < said.size() && is_part_of_word(said[end])) continue;
        if (lowered_first(std::string_view(said).substr(at, word.size())) == wanted) return true;
    }
    return false;
}

Result<bool> holds(const Expectation& e, const Session& session) {
    switch (e.kind) {
    case Expectation::Kind::expect: {
        const Result<double> present = number_at(e.path, e.cell, session);
        if (!present) return present.error();
        return std::abs(*present - e.value) <= e.tolerance;
    }
    case Expectation::Kind::larger: {
        const Result<double> one = number_at(e.path, e.cell, session),
                             other = number_at(e.other_path, e.other_cell, session);
        if (!one) return one.error();
        if (!other) return other.error();
        return *one > *other;
    }
    case Expectation::Kind::said:
        return says(session, e.word);
    case Expectation::Kind::changed: {
        const Node* node = session.find(e.path);
        if (!node) return no_such_value(e.path, session.at_hand());
        const std::vector<Edit>& edits = node->graph->edits();
        return std::any_of(edits.begin(), edits.end(),
                           [&](const Edit& edit) { return node->graph->find(edit.path) == node; });
    }
    case Expectation::Kind::asked: {
        if (!session.find(e.path)) return no_such_value(e.path, session.at_hand());
        const View& view = session.view();
        const auto is_it = [&](const NamedCell& cell) { return cell.path == e.path; };
        return (view.asking.held && is_it(*view.asking.held))
               || std::any_of(view.asking.trail.begin(), view.asking.trail.end(), is_it);
    }
    case Expectation::Kind::diverged:
        return session.small_pages().descended->diverged();
    case Expectation::Kind::learnt:
    case Expectation::Kind::failed:
        return holds_of_race(e, session);
    case Expectation::Kind::recalls:
    case Expectation::Kind::forgets:
    case Expectation::Kind::fades:
        return holds_of_racer(e, session);
    case Expectation::Kind::reached:
        return holds_of_run(e, session);
    case Expectation::Kind::strayed: {
        if (!session.has_model()) return Error{"error.no_model", {}};
        const Sentence& sentence = session.sentence();
        return !sentence.teacher_forced && sentence.chosen_ids != sentence.goal_ids;
    }
    }
    return false;
}

} // namespace headlight
