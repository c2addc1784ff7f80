#include "app/session/experiment.h"

#include "app/session/version.h"
#include "engine/inspect/statistics.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace headlight {

namespace {

constexpr double seconds_for_a_sweep = 0.01;           // one that is done anew goes on between frames
constexpr Index unpacked_for_inspection = 100'000'000; // numbers of a model that is kept in 16 bits: 400 MB
constexpr std::size_t unasked = 2;                     // examples in a batch that nobody has put together

// Every pass of an answer, and every branch of its tree, is part of the same saying.
Question but_for_pass(Question question) {
    question.generation.pass = 0;
    question.generation.opened = -1;
    question.small_pages = {};
    question.batch.reset();
    return question;
}

} // namespace

Experiment::Experiment() { compute_small_pages(small_pages_, {}); }

Result<Done> Experiment::ask(Question question) {
    std::shared_ptr<LoadedModel> model = model_;
    if (question.model != question_.model && !question.model.empty()) {
        Result<std::unique_ptr<LoadedModel>> loaded = load_model(question.model);
        if (!loaded) return loaded.error();
        model = *std::move(loaded);
    }
    ask(std::move(question), std::move(model));
    return Done{};
}

void Experiment::ask(Question question, std::shared_ptr<LoadedModel> model) {
    const bool is_other_model = model != model_;
    if (is_other_model) { // they are written on passes of the one before
        long_answers_.forget();
        forget_generation();
    }
    model_ = std::move(model);
    Question before = std::exchange(question_, std::move(question));
    if (before.small_pages != question_.small_pages) compute_small_pages(small_pages_, question_.small_pages);
    if (before.batch != question_.batch) {
        padded_batch_.reset();
        norms_.reset();
    }
    if (before.small_pages.norms.longer != question_.small_pages.norms.longer) norms_.reset();
    const bool are_other_changes = before.changes != question_.changes;
    // What needs no whole computation is made equal: where the two still differ, all is computed.
    before.small_pages = question_.small_pages;
    before.batch = question_.batch;
    before.changes = question_.changes;
    if (is_other_model) {
        sweep_.reset();
        trials_.reset();
        profile_.reset();
        weight_curve_.reset();
        word_places_.reset();
        earlier_.reset();
        compute();
        model_version_ = weights_version_ = version_;
    } else if (before != question_) {
        compute();
    } else if (are_other_changes) {
        compute_and_sweep_again();
    }
}

void Experiment::forget_computed() {
    sweep_.reset();
    trials_.reset();
    profile_.reset();
    weight_curve_.reset();
    word_places_.reset();
    forget_generation();
    padded_batch_.reset();
    norms_.reset();
    long_answers_.forget();
    if (has_model()) model_->weights_changed();
    question_.source += ' '; // whatever is asked is another question
}

void Experiment::compute() {
    long_answers_.forget();
    compute_answers();
}

// With the answers that are known.
void Experiment::compute_answers() {
    using Of = LongAnswers::Of;
    measured_.forget();
    profile_.reset();
    if (!has_model()) return;
    const bool forgot = model_->files.parameters.forget_unpacked(unpacked_for_inspection);
    sweep_.reset(); // of the values before
    padded_batch_.reset();
    norms_.reset();
    model_->smooth_labels(question_.label_smoothing);
    const bool other_weights = what_if_.prepare(*model_, question_.changes, question_.second,
                                                long_answers_.waiting(Of::second_sentence));
    const std::optional<OwnWords> own = known_own_words();
    if (of_generation_ && *of_generation_ != but_for_pass(question_)) forget_generation();
    Waiting waiting = long_answers_.waiting(Of::shown);
    waiting.own = own ? &*own : nullptr;
    sentence_ = run_sentence(*model_, question_.source, question_.target, question_.generation, waiting);
    what_if_.compare(*model_, question_, sentence_, long_answers_.waiting(Of::unchanged));
    compute_earlier();
    version_ = next_version();
    if (other_weights || forgot) weights_version_ = version_;
    write_what_is_cut();
}

// One after another.
void Experiment::write_what_is_cut() {
    using Of = LongAnswers::Of;
    const Comparison* comparison = what_if_.comparison();
    const auto is_plain = [&](Of answer) {
        return answer == Of::second_sentence || question_.generation.is_plain();
    };
    const std::pair<Of, const Sentence*> answers[] = {
        {Of::shown, &sentence_},
        {Of::unchanged, comparison ? &comparison->before : nullptr},
        {Of::second_sentence, what_if_.second()}};
    for (const auto& [answer, sentence] : answers)
        if (sentence && sentence->is_cut && is_plain(answer) && !long_answers_.is_known(answer))
            if (long_answers_.begin(answer, *model_, *sentence); long_answers_.is_under_way()) return;
}

bool Experiment::advance_writing(double seconds) {
    if (!long_answers_.is_under_way()) return false;
    if (!long_answers_.advance(seconds)) return true;
    write_what_is_cut();
    if (!long_answers_.is_under_way()) compute_answers();
    return true;
}

void Experiment::stop_writing() {
    for (; long_answers_.is_under_way(); write_what_is_cut()) long_answers_.stop();
    if (inspecting_ && is_generation_whole_) inspecting_.reset(); // it only measures anew
    if (inspecting_) {
        inspecting_->stop();
        (void)advance_inspection(0);
    }
    compute_answers();
}

void Experiment::write_on() {
    if (!has_model()) return;
    long_answers_.forget_and_want_all();
    forget_generation();
    compute_answers();
}

void Experiment::compute_and_sweep_again() {
    const std::unique_ptr<SessionSweep> before = std::move(sweep_);
    compute();
    if (!before || before->sweep.target().row >= model_->map().output.values->value.rows()
        || (before->kind == SweepKind::patch && what_if_.second() == nullptr))
        return;
    if (before->receiver && (!what_if_.second() || !same_lengths(model_->map(), *what_if_.second_graph())))
        return;
    sweep_over(before->kind, before->sweep.target(), before->chooses_word, before->receiver);
    advance_sweep(seconds_for_a_sweep);
}

void Experiment::differentiate() {
    Node* loss = has_model() ? model_->map().output.loss : nullptr;
    if (loss && !model_->graph().differentiated()) model_->graph().backward(loss);
}

// --- padded batch -----------------------------------------------------------------------------------------

void Experiment::compute_padded_batch() {
    if (!has_model() || padded_batch_ || !pads(model_->map())) return;
    std::vector<BatchSentence> sentences = {{question_.source, question_.target}};
    if (question_.second) sentences.push_back({*question_.second});
    for (const std::string& text : batch_others()) sentences.push_back({text});
    padded_batch_ = std::make_unique<PaddedBatch>(headlight::compute_padded_batch(*model_, sentences));
}

void Experiment::compute_norms() {
    if (!has_model() || norms_ || !first_padded_norm(model_->map())) return;
    std::vector<std::string> sentences = {question_.source};
    if (question_.second) sentences.push_back(*question_.second);
    if (question_.batch)
        sentences.insert(sentences.end(), question_.batch->begin(), question_.batch->end());
    else
        sentences = short_sentences_beside(*model_, std::move(sentences));
    norms_ = headlight::compute_norms(*model_, sentences, question_.small_pages.norms.longer);
    padded_batch_.reset(); // the same pass was fed other sentences
}

// As chosen; else examples of lengths that are not there yet, so that there is something to pad.
std::vector<std::string> Experiment::batch_others() const {
    if (question_.batch) return *question_.batch;
    const auto length = [&](const std::string& text) { return model_->files.source.encode(text).size(); };
    std::vector<std::size_t> lengths = {length(question_.source)};
    if (question_.second) lengths.push_back(length(*question_.second));
    std::vector<std::string> others;
    for (const std::string& example : model_->examples) {
        if (others.size() == unasked) break;
        if (std::find(lengths.begin(), lengths.end(), length(example)) != lengths.end()) continue;
        lengths.push_back(length(example));
        others.push_back(example);
    }
    return others;
}

// --- how it is said ---------------------------------------------------------------------------------------

void Experiment::compute_generation(bool measures) {
    if (!has_model() || !model_->map().target()) return;
    if (!inspecting_ && generation_ && (!measures || !generation_->anew.empty())) return;
    const double patience = long_answers_.patience();
    const bool is_new = !inspecting_ || (measures && !inspecting_->measures());
    if (is_new) look_for_words(measures);
    if (!is_new && patience != std::numeric_limits<double>::infinity()) return;
    if (inspecting_->advance(patience)) {
        (void)advance_inspection(0);
    } else if (!is_generation_whole_) { // what was found until now is shown; it is looked for anew between
                                        // frames
        inspecting_->stop();
        generation_ = std::make_unique<Generation>(inspecting_->take());
        look_for_words(measures);
    }
}

void Experiment::look_for_words(bool measures) {
    of_generation_ = std::make_unique<Question>(but_for_pass(question_));
    inspecting_ =
        std::make_unique<GenerationWork>(*model_, sentence_, question_, measures, long_answers_.most_words());
}

void Experiment::forget_generation() {
    inspecting_.reset();
    generation_.reset();
    of_generation_.reset();
    is_generation_whole_ = false;
}

bool Experiment::advance_inspection(double seconds) {
    if (!inspecting_) return false;
    if (!inspecting_->advance(seconds)) {
        if (!is_generation_whole_) inspecting_->show_in(*generation_);
        return true;
    }
    generation_ = std::make_unique<Generation>(inspecting_->take());
    inspecting_.reset();
    is_generation_whole_ = true;
    if (awaits_words()) compute_answers();
    return true;
}

void Experiment::finish_inspection() {
    if (inspecting_ && !is_generation_whole_)
        (void)advance_inspection(std::numeric_limits<double>::infinity());
}

std::optional<Index> Experiment::looked() const {
    return inspecting_ ? std::optional(inspecting_->words()) : std::nullopt;
}

bool Experiment::awaits_words() const {
    return sentence_.is_cut && !question_.generation.is_plain() && !sentence_.teacher_forced;
}

std::optional<OwnWords> Experiment::known_own_words() const {
    const bool is_of_question =
        generation_ && *of_generation_ == but_for_pass(question_) && !generation_->answers.empty();
    if (!is_of_question) return std::nullopt;
    return own_words(*generation_, question_.generation, *model_->map().target());
}

Result<Done> Experiment::begin_trials(TrialKind kind, const std::filesystem::path& assets) {
    auto sentences = held_out_sentences(*model_, assets);
    if (!sentences) return sentences.error();
    trials_ = std::make_unique<Trials>();
    trials_->kind = kind;
    trials_->length_penalty = question_.generation.length_penalty;
    trials_->is_hasty = question_.generation.is_hasty;
    trials_->sentences = *std::move(sentences);
    return Done{};
}

bool Experiment::advance_trials(double seconds) {
    if (!trials_ || trials_->is_over()) return false;
    advance_for(*trials_, seconds, *model_);
    return true;
}

// --- its times --------------------------------------------------------------------------------------------

// A large model is differentiated only where somebody looks at its gradients: they take as much memory as its
// weights do.
bool Experiment::advance_profile(double seconds) {
    if (!has_model()) return false;
    Graph& graph = model_->graph();
    Node* loss = model_->workers && !graph.differentiated() ? nullptr : model_->map().output.loss;
    if (!profile_) profile_ = std::make_unique<Profile>(graph, loss);
    return profile_->advance(seconds);
}

void Experiment::finish_profile() {
    constexpr double an_hour = 3600;
    (void)advance_profile(an_hour);
}

// --- one weight -------------------------------------------------------------------------------------------

void Experiment::follow_weight(const std::optional<NamedCell>& cell) {
    if (!cell || !has_model() || !exists(*cell, model_->graph())) return weight_curve_.reset();
    Question asked = but_for(*cell, question_);
    if (weight_curve_ && weight_curve_->cell == *cell && *of_curve_ == asked) return;
    weight_curve_ = std::make_unique<WeightCurve>(begin_weight_curve(*cell, *model_));
    of_curve_ = std::make_unique<Question>(std::move(asked));
}

bool Experiment::advance_weight_curve(double seconds) {
    if (!weight_curve_ || weight_curve_->is_over()) return false;
    advance_for(*weight_curve_, seconds, *model_, sentence_);
    return true;
}

void Experiment::look_for_word(const VocabularyRequest& request, const std::filesystem::path& assets) {
    if (!has_model()) return;
    if (!word_places_) word_places_ = std::make_unique<WordPlaces>(*model_, assets);
    word_places_->ask(request);
}

bool Experiment::advance_word_places(double seconds) {
    return word_places_ && word_places_->advance(seconds);
}

// --- sweep ------------------------------------------------------------------------------------------------

void Experiment::sweep_over(SweepKind kind, const SweepTarget& target, bool chooses_word,
                            const std::optional<PathReceiver>& receiver) {
    Model& pass = model_->pass(LoadedModel::Pass::swept);
    compute_with_words_of(sentence_, sentence_.source_ids, pass);
    const auto plan_words = [&] {
        const Stream& typed = *typed_stream(model_->map());
        return plan_silenced_words(typed, Index(typed.before.size()), words_to_silence(*model_, sentence_),
                                   tokenizer_of(model_->files, &typed).vocabulary().specials().pad);
    };
    SweepPlan plan = kind == SweepKind::heads   ? plan_silenced_heads(model_->map())
                     : kind == SweepKind::words ? plan_words()
                     : receiver ? plan_patched_paths(model_->map(), *what_if_.second_graph(), *receiver)
                                : plan_patched_positions(model_->map(), *what_if_.second_graph());
    std::vector<SweepTarget> targets = {target};
    if (chooses_word) // among what is said, but for </s>
        for (std::size_t i = 0; i < words_said(sentence_, model_->map()).size(); ++i)
            targets.push_back({Index(i), sentence_.chosen_ids[i]});
    sweep_ = std::make_unique<SessionSweep>(
        SessionSweep{kind, Sweep(pass, model_->graph().edits(), std::move(plan), std::move(targets)),
                     said_label(model_->files, model_->map(), target.word), receiver, chooses_word});
}

bool Experiment::advance_sweep(double seconds) {
    if (!sweep_ || sweep_->is_over()) return false;
    advance_for(*sweep_, seconds, *model_);
    return true;
}

// --- of a run ---------------------------------------------------------------------------------------------

void Experiment::put_weights(std::span<const Real> weights) {
    headlight::put_weights(*model_, weights);
    trials_.reset(); // of other weights
    forget_generation();
    weight_curve_.reset();
    word_places_.reset();
    compute();
    weights_version_ = version_;
}

void Experiment::set_earlier_weights(std::span<const Real> weights) {
    earlier_ = another_of(*model_);
    headlight::put_weights(*earlier_, weights);
    compute();
}

// What differs is the training alone.
void Experiment::compute_earlier() {
    if (!earlier_) return;
    earlier_->smooth_labels(question_.label_smoothing);
    earlier_->graph().set_edits(model_->graph().edits());
    compute_like(*model_, *earlier_);
}

std::vector<Real> Experiment::difference_of(std::string_view path) const {
    if (!earlier_) return {};
    const Node *now = model_->graph().find(path), *before = earlier_->graph().find(path);
    if (!now || !before || now->value.size() != before->value.size()) return {};
    return difference(now->value, before->value);
}

} // namespace headlight
