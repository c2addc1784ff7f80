// The commands of sweeps.
#include "app/session/session.h"
#include "app/session/session_sweep.h"

#include "engine/ops/leaves.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace headlight {

namespace {

constexpr double first_seconds = 0.15; // a small sweep is done when its command is

// When all is measured, and nobody has asked for a word, the most telling one is watched.
void choose_word(SessionSweep& sweep, const Vocabulary& vocabulary) {
    if (!sweep.chooses_word || sweep.sweep.done() < sweep.sweep.total()) return;
    sweep.chooses_word = false;
    sweep.sweep.watch(sweep.sweep.most_harmed());
    sweep.word = vocabulary.token(sweep.sweep.target().word);
}

Result<TokenId> word_of(const std::string& text, const Vocabulary& vocabulary) {
    if (const std::optional<TokenId> id = vocabulary.find(text)) return *id;
    const Result<long> number = whole_number_of(text);
    if (number && *number >= 0 && *number < vocabulary.size()) return TokenId(*number);
    return Error{"error.no_such_word", {text, std::to_string(vocabulary.size() - 1)}};
}

bool is_of_output(const std::optional<Selection>& held, const Output& output) {
    const auto is = [&](const Node* node) { return node && held->path == node->path; };
    return held && (is(output.probabilities) || is(output.values));
}

} // namespace

void advance_for(SessionSweep& sweep, double seconds, const Vocabulary& vocabulary) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    while (sweep.sweep.advance() && std::chrono::duration<double>(Clock::now() - begin).count() < seconds) {
    }
    choose_word(sweep, vocabulary);
}

SweepTarget default_target(SweepKind kind, const Sentence& sentence, const Sentence* second,
                           const std::optional<Selection>& held, const Output& output) {
    if (is_of_output(held, output)) return {held->cell.row, TokenId(held->cell.column)};
    if (sentence.chosen_ids.empty()) return {}; // no words are said
    const std::size_t last = sentence.chosen_ids.size() - 1;
    if (second != nullptr)
        for (std::size_t i = 0; i <= last && i < second->chosen_ids.size(); ++i)
            if (sentence.chosen_ids[i] != second->chosen_ids[i])
                return {Index(i), kind == SweepKind::patch ? second->chosen_ids[i] : sentence.chosen_ids[i]};
    const std::size_t row = last > 0 ? last - 1 : last; // before </s>
    return {Index(row), sentence.chosen_ids[row]};
}

std::string sweep_command(SweepKind kind, const SweepTarget& target, const Vocabulary& vocabulary) {
    const std::string& token = vocabulary.token(target.word);
    const bool is_one_word =
        !token.empty() && token.find_first_of(" \t\"") == token.npos && vocabulary.find(token) == target.word;
    return std::string(kind == SweepKind::heads ? "sweep heads " : "sweep patch ")
           + std::to_string(target.row) + " " + (is_one_word ? token : std::to_string(target.word));
}

SweepMeasure measure_of(const SessionSweep& sweep, const std::optional<SweepMeasure>& chosen) {
    return chosen.value_or(telling_measure(sweep.sweep.baseline()));
}

namespace {

Result<Done> begin_sweep(Experiment& experiment, const std::optional<Selection>& held, const Arguments& in) {
    const SweepKind kind = in.said("heads") ? SweepKind::heads : SweepKind::patch;
    const Sentence& sentence = experiment.sentence();
    const Sentence* second = experiment.what_if().second();
    if (kind == SweepKind::patch && !second) return Error{"error.no_second_sentence", {}};
    const Output& output = experiment.model().map().output;
    SweepTarget target = default_target(kind, sentence, second, held, output);
    if (in.has("ROW")) {
        const Index row = in.whole("ROW"), last = Index(sentence.chosen_ids.size()) - 1;
        if (row < 0 || row > last) return Error{"error.out_of_range", {"sweep", "0", std::to_string(last)}};
        const Result<TokenId> word = word_of(in.text("WORD"), experiment.model().files.target.vocabulary());
        if (!word) return word.error();
        target = {row, *word};
    }
    const bool chooses_word =
        !in.has("ROW") && kind == SweepKind::heads && !second && !is_of_output(held, output);
    experiment.sweep_over(kind, target, chooses_word);
    experiment.advance_sweep(first_seconds);
    return Done{};
}

} // namespace

void add_sweep_commands(CommandRegistry& commands, Inquiries& inquiries, View& view) {
    using namespace argument;
    const auto start = [&](const Arguments& in) {
        return begin_sweep(inquiries.experiment(), view.selection, in);
    };
    commands.add_with_model("sweep", {"heads|patch"}, start);
    commands.add_with_model("sweep", {"heads|patch", whole("ROW"), word("WORD")}, start);
    commands.add_with_model("sweep", {"finish"}, [&](const Arguments&) {
        inquiries.experiment().advance_sweep(std::numeric_limits<double>::infinity());
    });
    commands.add_with_model("sweep", {"off"}, [&](const Arguments&) { inquiries.experiment().end_sweep(); });
    commands.add_with_model("sweep", {"show", "telling|probability|log_probability|log_odds"},
                            [&](const Arguments& in) {
                                view.heads.measure.reset();
                                for (std::size_t m = 0; m < std::size_t(SweepMeasure::count); ++m)
                                    if (in.choice() == name_of(SweepMeasure(m)))
                                        view.heads.measure = SweepMeasure(m);
                            });
}

} // namespace headlight
