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
constexpr double frame_seconds = 0.01; // a large one goes on between frames

// When all is measured, and nobody has asked for a word, the most telling one is watched.
void choose_word(SessionSweep& sweep, const Vocabulary& vocabulary) {
    if (!sweep.chooses_word || sweep.sweep.done() < sweep.sweep.total()) return;
    sweep.chooses_word = false;
    sweep.sweep.watch(sweep.sweep.most_harmed());
    sweep.word = vocabulary.token(sweep.sweep.target().word);
}

void advance_for(SessionSweep& sweep, double seconds, const Vocabulary& vocabulary) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    while (sweep.sweep.advance() && std::chrono::duration<double>(Clock::now() - begin).count() < seconds) {
    }
    choose_word(sweep, vocabulary);
}

constexpr const char* sweep_usage = "sweep heads|patch [ROW WORD] | sweep finish|off | sweep show "
                                    "telling|probability|log_probability|log_odds";

Error usage() { return Error{"error.command_usage", {sweep_usage}}; }

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

SweepTarget default_target(SweepKind kind, const Sentence& sentence, const Sentence* second,
                           const std::optional<Selection>& held, const Output& output) {
    if (is_of_output(held, output)) return {held->cell.row, TokenId(held->cell.column)};
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

void Session::add_sweep_commands() {
    commands_.add({"sweep",
                   "heads|patch [ROW WORD]|finish|off|show telling|probability|log_probability|log_odds",
                   [this](std::string_view how) { return begin_sweep(how); }});
}

Result<Done> Session::begin_sweep(std::string_view how) {
    if (!has_model()) return Error{"error.no_model", {}};
    const std::vector<std::string> words = words_of(how);
    if (words.size() == 1 && words[0] == "off") {
        sweep_.reset();
        return Done{};
    }
    if (words.size() == 1 && words[0] == "finish") {
        constexpr double forever = std::numeric_limits<double>::infinity();
        if (sweep_) advance_for(*sweep_, forever, model_->files.target.vocabulary());
        return Done{};
    }
    if (words.size() == 2 && words[0] == "show") return show_measure(words[1]);
    if ((words.size() != 1 && words.size() != 3) || (words[0] != "heads" && words[0] != "patch"))
        return usage();
    const SweepKind kind = words[0] == "heads" ? SweepKind::heads : SweepKind::patch;
    if (kind == SweepKind::patch && what_if_.second() == nullptr)
        return Error{"error.no_second_sentence", {}};
    const Vocabulary& vocabulary = model_->files.target.vocabulary();
    SweepTarget target =
        default_target(kind, sentence_, what_if_.second(), state_.selection, model_->map().output);
    if (words.size() == 3) {
        const Result<long> row = whole_number_of(words[1]);
        if (!row) return row.error();
        const Index last = Index(sentence_.chosen_ids.size()) - 1;
        if (*row < 0 || *row > last) return Error{"error.out_of_range", {"sweep", "0", std::to_string(last)}};
        const Result<TokenId> word = word_of(words[2], vocabulary);
        if (!word) return word.error();
        target = {*row, *word};
    }
    const bool chooses_word = words.size() == 1 && kind == SweepKind::heads && what_if_.second() == nullptr
                              && !is_of_output(state_.selection, model_->map().output);
    sweep_over(kind, target, chooses_word);
    advance_for(*sweep_, first_seconds, vocabulary);
    return Done{};
}

Result<Done> Session::show_measure(std::string_view name) {
    HeadsView view = state_.heads;
    view.measure.reset();
    for (std::size_t m = 0; m < std::size_t(SweepMeasure::count); ++m)
        if (name == name_of(SweepMeasure(m))) view.measure = SweepMeasure(m);
    if (!view.measure && name != "telling") return usage();
    const Fed before = fed();
    state_.heads = std::move(view);
    remember(before);
    return Done{};
}

void Session::sweep_over(SweepKind kind, const SweepTarget& target, bool chooses_word) {
    Transformer& pass = model_->pass(LoadedModel::Pass::swept);
    compute_with_words_of(sentence_, sentence_.source_ids, pass);
    SweepPlan plan = kind == SweepKind::heads
                         ? plan_silenced_heads(model_->map())
                         : plan_patched_positions(model_->map(), *what_if_.second_graph());
    std::vector<SweepTarget> targets = {target};
    if (chooses_word) // among the words said, but for </s>
        for (std::size_t i = 0; i + 1 < sentence_.chosen_ids.size(); ++i)
            targets.push_back({Index(i), sentence_.chosen_ids[i]});
    sweep_ = std::make_unique<SessionSweep>(
        SessionSweep{kind, Sweep(pass, model_->graph().edits(), std::move(plan), std::move(targets)),
                     model_->files.target.vocabulary().token(target.word), chooses_word});
}

void Session::compute_changes() {
    const std::unique_ptr<SessionSweep> earlier = std::move(sweep_);
    compute();
    if (!earlier || earlier->sweep.target().row >= Index(sentence_.chosen_ids.size())
        || (earlier->kind == SweepKind::patch && what_if_.second() == nullptr))
        return;
    sweep_over(earlier->kind, earlier->sweep.target(), earlier->chooses_word);
    advance_for(*sweep_, frame_seconds, model_->files.target.vocabulary());
}

bool Session::follow_sweep() {
    if (!sweep_ || sweep_->sweep.done() == sweep_->sweep.total()) return false;
    advance_for(*sweep_, frame_seconds, model_->files.target.vocabulary());
    return true;
}

} // namespace headlight
