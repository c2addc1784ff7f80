// The commands of sweeps.
#include "app/session/session_sweep.h"
#include "app/session/setting.h"

#include "engine/ops/leaves.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace headlight {

namespace {

constexpr double first_seconds = 0.15; // a small sweep is done when its command is

// When all is measured, and nobody has asked for a word, the most telling one is watched.
void choose_word(SessionSweep& sweep, const LoadedModel& model) {
    if (!sweep.chooses_word || sweep.sweep.done() < sweep.sweep.total()) return;
    sweep.chooses_word = false;
    sweep.sweep.watch(sweep.sweep.most_harmed());
    sweep.word = said_label(model.files, model.map(), sweep.sweep.target().word);
}

// Of the words that the model says; null where it says none.
const Vocabulary* said_words(const LoadedModel& model) {
    const Output& output = model.map().output;
    if (output.meaning != Output::Meaning::words) return nullptr;
    return &tokenizer_of(model.files, model.map().stream_of(output.tokens)).vocabulary();
}

bool is_of_output(const std::optional<NamedCell>& held, const Output& output) {
    const auto is = [&](const Node* node) { return node && held->path == node->path; };
    return held && (is(output.probabilities) || is(output.values));
}

} // namespace

Result<TokenId> word_of(const std::string& text, const LoadedModel& model) {
    const Vocabulary* words = said_words(model);
    if (const std::optional<TokenId> id = words ? words->find(text) : std::nullopt) return *id;
    const std::vector<std::string>& labels = model.config().labels;
    const bool sorts = model.map().output.meaning == Output::Meaning::classes;
    if (const auto label = std::find(labels.begin(), labels.end(), text); sorts && label != labels.end())
        return TokenId(label - labels.begin());
    const Index last = model.map().output.values->value.columns() - 1;
    const Result<long> number = whole_number_of(text);
    if (number && *number >= 0 && *number <= last) return TokenId(*number);
    return Error{words ? "error.no_such_word" : "error.no_such_class", {text, std::to_string(last)}};
}

Result<SweepTarget> target_of(const Arguments& in, const LoadedModel& model) {
    const Result<TokenId> word = word_of(in.text("WORD"), model);
    if (!word) return word.error();
    SweepTarget target{in.whole("ROW"), *word};
    if (!in.has("AGAINST")) return target;
    const Result<TokenId> against = word_of(in.text("AGAINST"), model);
    if (!against) return against.error();
    target.against = *against;
    return target;
}

void advance_for(SessionSweep& sweep, double seconds, const LoadedModel& model) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    while (sweep.sweep.advance() && std::chrono::duration<double>(Clock::now() - begin).count() < seconds) {
    }
    choose_word(sweep, model);
}

SweepTarget default_target(SweepKind kind, const Sentence& sentence, const Sentence* second,
                           const std::optional<NamedCell>& held, const Output& output) {
    if (is_of_output(held, output)) return {held->cell.row, TokenId(held->cell.column)};
    if (sentence.chosen_ids.empty()) return {}; // numbers alone are said
    const std::size_t last = sentence.chosen_ids.size() - 1;
    if (second != nullptr)
        for (std::size_t i = 0; i <= last && i < second->chosen_ids.size(); ++i)
            if (sentence.chosen_ids[i] != second->chosen_ids[i])
                return {Index(i), kind == SweepKind::patch || kind == SweepKind::paths
                                      ? second->chosen_ids[i]
                                      : sentence.chosen_ids[i]};
    const std::size_t row = last > 0 ? last - 1 : last; // before </s>
    return {Index(row), sentence.chosen_ids[row]};
}

std::string receiver_words(const PathReceiver& receiver) {
    constexpr const char* inputs[] = {"q", "k", "v"};
    return receiver.attention + " " + std::to_string(receiver.head) + " "
           + inputs[std::size_t(receiver.input)];
}

std::string sweep_command(const SessionSweep& done, const SweepTarget& target, const LoadedModel& model) {
    return sweep_command(done.kind, target, model, done.receiver);
}

std::string sweep_command(SweepKind kind, const SweepTarget& target, const LoadedModel& model,
                          const std::optional<PathReceiver>& receiver) {
    const Vocabulary* words = said_words(model);
    const auto called = [&](TokenId word) {
        const std::string token = words ? words->token(word) : std::string();
        const bool is_one_word =
            !token.empty() && token.find_first_of(" \t\"") == token.npos && words->find(token) == word;
        return " " + (is_one_word ? token : std::to_string(word));
    };
    const std::string hears = receiver ? " " + receiver_words(*receiver) : std::string();
    return "sweep " + std::string(name_of(kind)) + hears + " " + std::to_string(target.row)
           + called(target.word) + (target.against ? called(*target.against) : std::string());
}

std::optional<std::string> silenced_word_change(const LoadedModel& model, Index word) {
    const Stream* typed = typed_stream(model.map());
    const TokenId pad = typed ? tokenizer_of(model.files, typed).vocabulary().specials().pad : no_token;
    if (pad == no_token) return {};
    return "cell " + typed->tokens->path + " " + std::to_string(Index(typed->before.size()) + word) + " 0 "
           + std::to_string(pad);
}

Index words_to_silence(const LoadedModel& model, const Sentence& sentence) {
    const Stream* typed = typed_stream(model.map());
    return typed ? std::min(Index(sentence.source.size()), typed->max_words()) : 0;
}

void begin_sweep_of_heads(Experiment& experiment, const std::optional<NamedCell>& held) {
    const Output& output = experiment.model().map().output;
    const Sentence* second = experiment.what_if().second();
    experiment.sweep_over(SweepKind::heads,
                          default_target(SweepKind::heads, experiment.sentence(), second, held, output),
                          !second && !is_of_output(held, output), {});
}

SweepMeasure measure_of(const SessionSweep& sweep, const std::optional<SweepMeasure>& chosen) {
    return chosen.value_or(telling_measure(sweep.sweep.baseline()));
}

namespace {

// Errors: no such head; the second sentence is longer or shorter; nothing is computed before.
Result<PathReceiver> receiver_of(const Experiment& experiment, const Arguments& in) {
    const ModelMap& map = experiment.model().map();
    const Attention& hears = *map.attention(in.text("ATTENTION"));
    const PathInput input = in.said("q") ? PathInput::q : in.said("k") ? PathInput::k : PathInput::v;
    const PathReceiver receiver{hears.path, in.whole("HEAD"), input};
    if (receiver.head < 0 || receiver.head >= hears.heads)
        return Error{"error.out_of_range", {"sweep", "0", std::to_string(hears.heads - 1)}};
    const Graph& other = *experiment.what_if().second_graph();
    if (!same_lengths(map, other)) return Error{"error.other_lengths", {}};
    if (plan_patched_paths(map, other, receiver).trials.empty())
        return Error{"error.no_senders", {hears.path}};
    return receiver;
}

Result<Done> begin_sweep(Experiment& experiment, const std::optional<NamedCell>& held, const Arguments& in) {
    const SweepKind kind = in.said("heads")   ? SweepKind::heads
                           : in.said("words") ? SweepKind::words
                           : in.said("paths") ? SweepKind::paths
                                              : SweepKind::patch;
    const Sentence& sentence = experiment.sentence();
    const Sentence* second = experiment.what_if().second();
    const LoadedModel& model = experiment.model();
    if (kind == SweepKind::heads && model.map().attentions.empty())
        return Error{"error.no_attention", {model.name}};
    if (kind != SweepKind::heads && model.map().streams.empty())
        return Error{"error.reads_no_words", {model.name}};
    const bool from_second = kind == SweepKind::patch || kind == SweepKind::paths;
    if (from_second && !second) return Error{"error.no_second_sentence", {}};
    std::optional<PathReceiver> receiver;
    if (kind == SweepKind::paths) {
        const Result<PathReceiver> hears = receiver_of(experiment, in);
        if (!hears) return hears.error();
        receiver = *hears;
    }
    const Output& output = model.map().output;
    if (kind == SweepKind::words && !silenced_word_change(model, 0))
        return Error{"error.no_pad", {model.name}};
    SweepTarget target = default_target(kind, sentence, second, held, output);
    // What is said right after the typed words, by a model that goes on with them.
    const Stream* typed = typed_stream(model.map());
    if (kind == SweepKind::words && typed->is_written && !is_of_output(held, output)) {
        const auto row = std::size_t(
            std::max<Index>(0, Index(typed->before.size()) + words_to_silence(model, sentence) - 1));
        if (row < sentence.chosen_ids.size()) target = {Index(row), sentence.chosen_ids[row]};
    }
    if (in.has("ROW")) {
        const Index row = in.whole("ROW"), last = output.values->value.rows() - 1;
        if (row < 0 || row > last) return Error{"error.out_of_range", {"sweep", "0", std::to_string(last)}};
        const Result<SweepTarget> wanted = target_of(in, model);
        if (!wanted) return wanted.error();
        target = *wanted;
    }
    // What would be restored, against what is said: m = logit(right) − logit(wrong).
    if (from_second && !target.against && std::size_t(target.row) < sentence.chosen_ids.size()
        && sentence.chosen_ids[std::size_t(target.row)] != target.word)
        target.against = sentence.chosen_ids[std::size_t(target.row)];
    const bool chooses_word =
        !in.has("ROW") && kind == SweepKind::heads && !second && !is_of_output(held, output);
    experiment.sweep_over(kind, target, chooses_word, receiver);
    experiment.advance_sweep(first_seconds);
    return Done{};
}

} // namespace

void add_sweep_commands(CommandRegistry& commands, Inquiries& inquiries, View& view) {
    using namespace argument;
    const auto add = [&](std::vector<Argument> arguments, auto run) -> CommandForm& {
        CommandForm& form = commands.add_with_model("sweep", std::move(arguments), std::move(run));
        form.replayable = true;
        return form;
    };
    const auto start = [&](const Arguments& in) {
        return begin_sweep(inquiries.experiment(), view.asking.held, in);
    };
    // What is swept, and for which word; a saved session tells of the sweep that there is.
    const std::vector<Argument> of_word = {whole("ROW"), word("WORD"), optional(word("AGAINST"))};
    const auto add_start = [&](std::vector<Argument> kind) -> CommandForm& {
        add(kind, start);
        kind.insert(kind.end(), of_word.begin(), of_word.end());
        return add(kind, start);
    };
    add_start({"heads|patch|words"}).lines = [&](const SessionState&, const SessionState&) {
        const Experiment& opened = inquiries.opened->experiment;
        std::vector<std::string> lines;
        if (const SessionSweep* sweep = opened.sweep())
            lines.push_back(sweep_command(*sweep, sweep->sweep.target(), opened.model()));
        return lines;
    };
    add_start({"paths", attention(), whole("HEAD"), "q|k|v"});
    add({"off"}, [&](const Arguments&) { inquiries.experiment().end_sweep(); });
    const auto finish = [&](const Arguments&) {
        inquiries.experiment().advance_sweep(std::numeric_limits<double>::infinity());
    };
    commands.add_of_person("sweep finish", {}, finish).needs_model = true;
}

} // namespace headlight
