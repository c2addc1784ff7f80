#include "app/session/generation_work.h"

#include "app/session/loaded_model.h"
#include "app/session/question.h"
#include "app/session/sentence.h"

#include <algorithm>
#include <utility>

namespace headlight {

namespace {

constexpr double little_to_multiply = 5e8; // by all passes computed anew: some hundredths of a second

std::vector<WordChance> chances_at(std::span<const Real> logits, TokenId said,
                                   const GenerationSettings& settings, const std::vector<TokenId>& never) {
    const std::vector<double> p = probabilities_of(logits, never),
                              drawn = settings.method == GenerationMethod::draw
                                          ? drawn_from(logits, settings.sampling, never)
                                          : drawn_from(logits, {.temperature = 0}, never);
    std::vector<TokenId> order;
    for (TokenId word = 0; word < TokenId(p.size()); ++word) order.push_back(word);
    const std::size_t count = std::min(chances_told, order.size());
    std::partial_sort(order.begin(), order.begin() + std::ptrdiff_t(count), order.end(),
                      [&](TokenId a, TokenId b) {
                          const double x = p[std::size_t(a)], y = p[std::size_t(b)];
                          return x != y ? x > y : a < b;
                      });
    order.resize(count);
    if (std::find(order.begin(), order.end(), said) == order.end()) order.back() = said;
    std::vector<WordChance> chances;
    for (const TokenId word : order)
        chances.push_back({word, p[std::size_t(word)], drawn[std::size_t(word)]});
    return chances;
}

void add_place(SaidAnswer& answer, SaidPlace place) {
    answer.log_probability += place.said.log_probability;
    answer.places.push_back(std::move(place));
}

double mean_loss(const std::vector<ForcedWord>& words) {
    double sum = 0;
    for (const ForcedWord& word : words) sum -= word.log_probability;
    return words.empty() ? 0 : sum / double(words.size());
}

Lanes lanes_of(Model& model, const std::vector<TokenId>& given, const std::vector<TokenId>& target,
               const SaidAnswer& own) {
    Lanes lanes;
    lanes.forced = judge_words(model, given, target);
    std::vector<TokenId> words;
    for (const SaidPlace& place : own.places) words.push_back(place.said.word);
    if (own.has_ended && !words.empty()) words.pop_back();
    lanes.free = judge_words(model, given, words);
    const std::size_t both = std::min(lanes.forced.size(), lanes.free.size());
    for (std::size_t t = 0; t < both && lanes.parted < 0; ++t)
        if (lanes.forced[t].wanted != lanes.free[t].wanted) lanes.parted = Index(t);
    lanes.forced_loss = mean_loss(lanes.forced), lanes.free_loss = mean_loss(lanes.free);
    return lanes;
}

// Of the passes as they are and as they would be if nothing were kept, once more and in turn, so that no
// memory is new to either.
constexpr std::size_t times_measured = 4;
bool is_anew(std::size_t measuring) { return measuring % 2 == 0; }

} // namespace

GenerationWork::GenerationWork(LoadedModel& model, const Sentence& sentence, const Question& question,
                               bool measures, Index most_words)
    : loaded_(model),
      model_(model.pass(LoadedModel::Pass::said)),
      settings_(question.generation),
      given_(sentence.given_ids),
      target_(question.target),
      measures_(measures),
      most_words_(most_words),
      answering_(answer_settings(question.generation, model_.map, most_words)) {}

bool GenerationWork::advance(double seconds) {
    const Stopwatch watch;
    while (!is_over()) {
        compute_portion();
        if (watch.seconds() >= seconds) break;
    }
    return is_over();
}

void GenerationWork::stop() {
    is_stopped_ = true;
    while (!is_over()) compute_portion();
}

void GenerationWork::compute_portion() {
    switch (stage_) {
    case Stage::begin:
        return begin();
    case Stage::branch:
        return begin_branch();
    case Stage::search:
        return search();
    case Stage::answer:
        return say_next();
    case Stage::measure:
        return measure();
    case Stage::rest:
        return compute_rest();
    case Stage::over:
        return;
    }
}

void GenerationWork::begin() {
    model_.graph.set_edits(loaded_.graph().edits());
    generation_.fed = prefix(model_.map, given_);
    stage_ = generation_.fed.empty() ? Stage::over : Stage::branch;
}

bool GenerationWork::searches() const {
    return settings_.method == GenerationMethod::beam && Index(branch_) == settings_.branch;
}

void GenerationWork::begin_branch() {
    words_ = 0;
    if (searches() && !generation_.tree) {
        Beam beam = settings_.beam();
        beam.most_words = most_words_;
        searched_ = std::make_unique<Searched>(model_, given_, beam);
        stage_ = Stage::search;
        return;
    }
    const auto begun = branch_ == 0
                           ? std::vector<TokenId>{}
                           : fed_of_branch(settings_.branches[branch_ - 1], answering_, *model_.map.target());
    written_ = std::make_unique<Written>(model_, given_, begun, answering_);
    generation_.is_cached = written_->writing.is_cached();
    answer_ = {};
    answer_.begun = written_->writing.words(0);
    const std::vector<SaidWord>& said = written_->writer.answer().said;
    for (std::size_t i = 0; i < said.size(); ++i)
        add_place(answer_, place_of(said[i], written_->writing.logits_before(Index(said.size() - i))));
    stage_ = Stage::answer;
}

void GenerationWork::search() {
    BeamSearch& search = searched_->search;
    if (!search.is_over()) {
        if (is_stopped_)
            search.stop();
        else
            search.look_further();
    }
    words_ = search.tree().begun + search.tree().steps;
    if (!search.is_over()) return;
    generation_.tree = search.tree();
    generation_.ranked = generation_.tree->answers(settings_.length_penalty);
    const bool is_full = words_ >= searched_->writing.most_words();
    const bool has_ended = std::any_of(generation_.ranked.begin(), generation_.ranked.end(), [&](Index b) {
        return searched_->writing.target().is_end(generation_.tree->branches[std::size_t(b)].word);
    });
    if (generation_.tree->is_cut || (!is_full && !has_ended)) generation_.cut_after = generation_.tree->steps;
    searched_.reset();
    stage_ = Stage::branch;
}

// A word that was said where the model gave these logits, and what else might have stood in its place.
SaidPlace GenerationWork::place_of(const SaidWord& said, std::span<const Real> logits) const {
    return {said, chances_at(logits, said.word, settings_, model_.map.target()->never), {}};
}

void GenerationWork::say_next() {
    AnswerWriter& writer = written_->writer;
    const bool is_enough = is_stopped_ && !answer_.places.empty();
    if (!writer.is_over() && !is_enough) {
        const std::span<const Real> logits = written_->writing.logits(0);
        const std::vector<Real> before(logits.begin(), logits.end()); // they are of the next word soon
        const PassCost cost = written_->writing.cost();
        writer.say_next();
        SaidPlace place = place_of(writer.answer().said.back(), before);
        place.cost = cost;
        add_place(answer_, std::move(place));
    }
    words_ = Index(answer_.places.size());
    if (!writer.is_over() && !is_stopped_) return;
    answer_.has_ended = writer.answer().has_ended;
    if (!answer_.has_ended && words_ < written_->writing.most_words())
        generation_.cut_after = std::max(generation_.cut_after, words_);
    written_.reset();
    if (searches() && !generation_.ranked.empty()) take_best_of_search();
    end_branch();
}

// Judged in a pass of its own: many beginnings were computed at once. The costs stay those of one alone.
void GenerationWork::take_best_of_search() {
    const SaidAnswer alone = std::exchange(answer_, {});
    answer_.begun = alone.begun;
    std::vector<SaidWord> said;
    for (std::size_t i = 0; i < std::size_t(generation_.tree->begun); ++i)
        said.push_back(alone.places[i].said);
    for (const SaidWord& word : said_by(*generation_.tree, generation_.ranked.front())) said.push_back(word);
    std::vector<TokenId> fed;
    for (const SaidWord& word : said) fed.push_back(word.word);
    fed.pop_back();
    const Writing writing(model_, given_, fed);
    for (std::size_t i = 0; i < said.size(); ++i) {
        SaidPlace place = place_of(said[i], writing.logits_before(Index(fed.size() - i)));
        if (i < alone.places.size()) place.cost = alone.places[i].cost;
        add_place(answer_, std::move(place));
    }
    answer_.has_ended = model_.map.target()->is_end(said.back().word);
}

void GenerationWork::end_branch() {
    generation_.answers.push_back(std::exchange(answer_, {}));
    if (++branch_ <= settings_.branches.size())
        stage_ = Stage::branch;
    else
        stage_ = wants_measuring() ? Stage::measure : Stage::rest;
}

void GenerationWork::show_in(Generation& shown) const {
    const auto show = [&](std::size_t branch, const SaidAnswer& answer) {
        if (branch < shown.answers.size() && shown.answers[branch].places.size() < answer.places.size())
            shown.answers[branch] = answer;
    };
    for (std::size_t b = 0; b < generation_.answers.size(); ++b) show(b, generation_.answers[b]);
    if (!searches()) show(branch_, answer_);
    const BeamTree* tree = searched_          ? &searched_->search.tree()
                           : generation_.tree ? &*generation_.tree
                                              : nullptr;
    if (!tree || (shown.tree && shown.tree->steps >= tree->steps)) return;
    shown.tree = *tree;
    shown.ranked = tree->answers(settings_.length_penalty);
}

// Where it is little work, or was asked for.
bool GenerationWork::wants_measuring() const {
    const std::vector<SaidPlace>& places = generation_.answers.front().places;
    if (settings_.method == GenerationMethod::beam || places.empty() || is_stopped_) return false;
    const double first = double(places.front().cost.multiplications),
                 each = double(places.back().cost.multiplications), n = double(places.size());
    return measures_ || first * n + each * n * n / 2 <= little_to_multiply;
}

void GenerationWork::measure() {
    if (is_stopped_) {
        generation_.anew.clear(); // of some of its passes they tell nothing
        written_.reset();
        stage_ = Stage::rest;
        return;
    }
    if (!written_) {
        written_ = std::make_unique<Written>(model_, given_, std::vector<TokenId>{}, answering_,
                                             is_anew(measurings_) ? Caching::none : Caching::as_possible);
        return;
    }
    AnswerWriter& writer = written_->writer;
    if (!writer.is_over()) writer.say_next();
    words_ = Index(writer.answer().said.size());
    if (!writer.is_over()) return;
    const std::vector<PassCost>& costs = writer.answer().costs;
    std::vector<SaidPlace>& places = generation_.answers.front().places;
    if (is_anew(measurings_))
        generation_.anew = costs;
    else
        for (std::size_t i = 0; i < std::min(places.size(), costs.size()); ++i) places[i].cost = costs[i];
    written_.reset();
    if (++measurings_ == times_measured) stage_ = Stage::rest;
}

void GenerationWork::compute_rest() {
    if (target_ && model_.map.source()) {
        std::vector<TokenId> target = loaded_.files.target.encode_ids(*target_);
        target.resize(std::min(target.size(), std::size_t(model_.map.target()->max_words())));
        generation_.lanes = lanes_of(model_, given_, target, generation_.followed(settings_));
    }
    if (model_.map.source()) { // once more, by itself, for its time
        const Stopwatch watch;
        model_.graph.forward(0, model_.map.target()->tokens->index);
        generation_.encoder_seconds = watch.seconds();
    }
    stage_ = Stage::over;
}

} // namespace headlight
