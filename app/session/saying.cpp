#include "app/session/saying.h"

#include "app/session/loaded_model.h"
#include "app/session/question.h"
#include "app/session/sentence.h"
#include "engine/base/stopwatch.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr double little_to_multiply = 5e8; // by all passes computed anew: some hundredths of a second

AnswerSettings answer_settings(const SayingSettings& settings) {
    AnswerSettings answer;
    if (settings.method == SayingMethod::draw) answer.sampling = settings.sampling;
    answer.seed = settings.seed;
    return answer;
}

std::vector<WordChance> chances_at(std::span<const Real> logits, TokenId said, const SayingSettings& settings,
                                   const std::vector<TokenId>& never) {
    const std::vector<double> p = probabilities_of(logits, never),
                              drawn = settings.method == SayingMethod::draw
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

// The words of an answer, and what else might have stood in the place of each.
SaidAnswer judged(Model& model, const std::vector<TokenId>& given, const SayingSettings& settings,
                  std::vector<TokenId> begun, const std::vector<SaidWord>& said, bool has_ended,
                  const std::vector<PassCost>& costs) {
    SaidAnswer answer;
    answer.begun = std::move(begun);
    answer.has_ended = has_ended;
    if (said.empty()) return answer;
    std::vector<TokenId> fed;
    for (const SaidWord& word : said) fed.push_back(word.word);
    fed.pop_back();
    const Writing writing(model, given, fed);
    const std::size_t first_pass = answer.begun.size(); // chose the first word after what it began with
    for (std::size_t t = 0; t < said.size(); ++t) {
        const auto logits = writing.logits_before(Index(fed.size() - t));
        SaidPlace place{said[t], chances_at(logits, said[t].word, settings, writing.target().never), {}};
        if (t >= first_pass && t - first_pass < costs.size()) place.cost = costs[t - first_pass];
        answer.log_probability += said[t].log_probability;
        answer.places.push_back(std::move(place));
    }
    return answer;
}

std::vector<SaidWord> said_by(const BeamTree& tree, Index best) {
    std::vector<SaidWord> said;
    for (const Index b : tree.path(best))
        said.push_back({tree.branches[std::size_t(b)].word, tree.branches[std::size_t(b)].log_probability});
    return said;
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

// The passes as they are and as they would be if nothing were kept, once more and in turn, so that no memory
// is new to either; the latter where that is little work, or was asked for.
void measure_both(Saying& saying, Model& model, const std::vector<TokenId>& given,
                  const AnswerSettings& settings, bool whatever_it_takes) {
    std::vector<SaidPlace>& places = saying.answers.front().places;
    if (places.empty()) return;
    const double first = double(places.front().cost.multiplications),
                 each = double(places.back().cost.multiplications), n = double(places.size());
    if (!whatever_it_takes && first * n + each * n * n / 2 > little_to_multiply) return;
    for (int twice = 0; twice < 2; ++twice) {
        Writing anew(model, given, {}, Caching::none);
        saying.anew = write_answer(anew, settings).costs;
        Writing kept(model, given);
        const Answer answer = write_answer(kept, settings);
        for (std::size_t i = 0; i < std::min(places.size(), answer.costs.size()); ++i)
            places[i].cost = answer.costs[i];
    }
}

} // namespace

std::vector<TokenId> SayingSettings::begun() const {
    if (branch < 1 || branch > Index(branches.size())) return {};
    return branches[std::size_t(branch - 1)];
}

void SayingSettings::forget_words() {
    branches.clear();
    branch = pass = 0;
    opened = -1;
}

std::vector<std::string> commands_of(const SayingSettings& settings) {
    const SayingSettings plain;
    std::vector<std::string> lines;
    const auto say = [&](const std::string& what) { lines.push_back("say " + what); };
    if (settings.sampling.temperature != plain.sampling.temperature)
        say("temperature " + exactly(settings.sampling.temperature));
    if (settings.sampling.top_k != plain.sampling.top_k)
        say("top-k " + std::to_string(settings.sampling.top_k));
    if (settings.sampling.top_p != plain.sampling.top_p) say("top-p " + exactly(settings.sampling.top_p));
    if (settings.seed != plain.seed) say("seed " + std::to_string(settings.seed));
    if (settings.width != plain.width) say("width " + std::to_string(settings.width));
    if (settings.length_penalty != plain.length_penalty) say("penalty " + exactly(settings.length_penalty));
    if (settings.is_hasty) say("hasty on");
    if (settings.method != plain.method) say(std::string(saying_method_names[std::size_t(settings.method)]));
    for (const std::vector<TokenId>& branch : settings.branches) {
        std::string ids;
        for (const TokenId id : branch) ids += " " + std::to_string(id);
        say("begin" + ids);
    }
    if (!settings.branches.empty()) say("branch " + std::to_string(settings.branch));
    if (settings.pass != plain.pass) say("pass " + std::to_string(settings.pass));
    if (settings.opened != plain.opened) say("open " + std::to_string(settings.opened));
    return lines;
}

OwnWords own_words(Model& model, const std::vector<TokenId>& given, const SayingSettings& settings,
                   Index most_multiplications) {
    const Stream& target = *model.map.target();
    const std::vector<TokenId> begun = settings.begun();
    std::vector<TokenId> said; // an end included
    bool is_open = false;
    if (settings.method == SayingMethod::beam) {
        Beam searching = settings.beam();
        searching.most_multiplications = most_multiplications;
        const BeamTree tree = grow_beams(model, given, searching);
        const std::vector<Index> ranked = tree.answers(settings.length_penalty);
        is_open = settings.opened >= 0 && settings.opened < Index(tree.branches.size());
        said.assign(begun.begin(), begun.begin() + tree.begun);
        if (is_open || !ranked.empty())
            for (const SaidWord& word : said_by(tree, is_open ? settings.opened : ranked.front()))
                said.push_back(word.word);
    } else {
        Writing writing(model, given, begun);
        AnswerSettings answer = answer_settings(settings);
        answer.most_multiplications = most_multiplications;
        answer.most_words = std::min(settings.pass, writing.most_words()); // no more than are looked at
        for (const SaidWord& word : write_answer(writing, answer).said) said.push_back(word.word);
    }
    OwnWords own;
    own.is_a_beginning = is_open || settings.pass > 0;
    const bool has_ended = !said.empty() && target.is_end(said.back());
    const std::size_t words = said.size() - (has_ended ? 1 : 0);
    // The pass that chooses word n was fed those before it.
    std::size_t fed = words;
    if (settings.pass > 0) fed = std::min(words, std::size_t(settings.pass - 1));
    if (fed < said.size()) own.next = said[fed];
    own.words.assign(said.begin(), said.begin() + std::ptrdiff_t(fed));
    return own;
}

const SaidAnswer& Saying::followed(const SayingSettings& settings) const {
    const auto branch = std::size_t(std::max<Index>(settings.branch, 0));
    return answers[branch < answers.size() ? branch : 0];
}

Saying compute_saying(LoadedModel& loaded, const Sentence& sentence, const Question& question, bool measures,
                      Index most_words, Index most_multiplications) {
    Model& model = loaded.pass(LoadedModel::Pass::said);
    model.graph.set_edits(loaded.graph().edits());
    const SayingSettings& settings = question.saying;
    AnswerSettings answering = answer_settings(settings);
    Beam searching = settings.beam();
    answering.most_words = searching.most_words = most_words;
    answering.most_multiplications = searching.most_multiplications = most_multiplications;
    const std::vector<TokenId>& given = sentence.given_ids;
    Saying saying;
    saying.fed = beginning(model.map, given);
    if (saying.fed.empty()) return saying;
    for (std::size_t b = 0; b <= settings.branches.size(); ++b) {
        const std::vector<TokenId> begun = b == 0 ? std::vector<TokenId>{} : settings.branches[b - 1];
        const bool searches = settings.method == SayingMethod::beam && Index(b) == settings.branch;
        if (searches) {
            saying.tree = grow_beams(model, given, searching);
            saying.ranked = saying.tree->answers(settings.length_penalty);
            if (saying.tree->is_cut) saying.cut_after = saying.tree->steps;
        }
        Writing writing(model, given, begun);
        const std::vector<TokenId> fitting = writing.words(0);
        Answer answer = write_answer(writing, answering);
        saying.is_cached = writing.is_cached();
        if (answer.is_cut) saying.cut_after = std::max(saying.cut_after, Index(answer.said.size()));
        if (searches && !saying.ranked.empty()) {
            std::vector<SaidWord> said(answer.said.begin(),
                                       answer.said.begin() + std::ptrdiff_t(fitting.size()));
            for (const SaidWord& word : said_by(*saying.tree, saying.ranked.front())) said.push_back(word);
            answer.has_ended = writing.target().is_end(said.back().word);
            answer.said = std::move(said);
        }
        saying.answers.push_back(
            judged(model, given, settings, fitting, answer.said, answer.has_ended, answer.costs));
    }
    if (settings.method != SayingMethod::beam) measure_both(saying, model, given, answering, measures);
    if (question.target && model.map.source()) {
        std::vector<TokenId> target = loaded.files.target.encode_ids(*question.target);
        target.resize(std::min(target.size(), std::size_t(model.map.target()->max_words())));
        saying.lanes = lanes_of(model, given, target, saying.followed(settings));
    }
    if (model.map.source()) { // once more, by itself, for its time
        const Stopwatch watch;
        model.graph.forward(0, model.map.target()->tokens->index);
        saying.encoder_seconds = watch.seconds();
    }
    return saying;
}

} // namespace headlight
