#include "engine/decode/writing.h"
#include "engine/base/check.h"
#include "engine/base/stopwatch.h"
#include "engine/ops/leaves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headlight {

namespace {

bool is_among(std::span<const TokenId> words, TokenId word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// softmax(logits / temperature) over what may be said.
std::vector<double> tempered(std::span<const Real> logits, double temperature,
                             std::span<const TokenId> never) {
    std::vector<double> p(logits.size(), 0.0);
    const TokenId best = most_probable(logits, never);
    const double greatest = logits[std::size_t(best)];
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        if (is_among(never, TokenId(i))) continue;
        const double behind = double(logits[i]) - greatest;
        p[i] = temperature > 0 ? std::exp(behind / temperature) : double(TokenId(i) == best);
        sum += p[i];
    }
    for (double& x : p) x /= sum;
    return p;
}

} // namespace

std::vector<double> probabilities_of(std::span<const Real> logits, std::span<const TokenId> never) {
    return tempered(logits, 1, never);
}

std::vector<double> drawn_from(std::span<const Real> logits, const Sampling& sampling,
                               std::span<const TokenId> never) {
    std::vector<double> p = tempered(logits, sampling.temperature, never);
    std::size_t left = p.size();
    if (sampling.top_k > 0) left = std::min(left, std::size_t(sampling.top_k));
    if (left == p.size() && sampling.top_p >= 1) return p;
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
    const double of_left = std::accumulate(order.begin(), order.begin() + std::ptrdiff_t(left), 0.0,
                                           [&](double sum, std::size_t i) { return sum + p[i]; });
    double sum = 0;
    std::size_t kept = 0;
    while (kept < left && (kept == 0 || (sampling.top_p >= 1 || sum < sampling.top_p * of_left)))
        sum += p[order[kept++]];
    for (std::size_t i = 0; i < order.size(); ++i) p[order[i]] = i < kept ? p[order[i]] / sum : 0.0;
    return p;
}

double log_sum_exp(std::span<const Real> logits) {
    const double greatest = *std::max_element(logits.begin(), logits.end());
    double sum = 0;
    for (const Real z : logits) sum += std::exp(double(z) - greatest);
    return greatest + std::log(sum);
}

double log_probability_of(std::span<const Real> logits, TokenId word) {
    return double(logits[std::size_t(word)]) - log_sum_exp(logits);
}

double chance(std::uint64_t seed, Index place) {
    // SplitMix64 (Steele et al. 2014), begun anew for each place.
    std::uint64_t x = seed * 0x9E3779B97F4A7C15u + (std::uint64_t(place) + 1) * 0xD1B54A32D192ED03u;
    for (int twice = 0; twice < 2; ++twice) {
        x += 0x9E3779B97F4A7C15u;
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
        x ^= x >> 31;
    }
    return double(x >> 11) * 0x1p-53;
}

TokenId draw(std::span<const double> probabilities, double u) {
    double sum = 0;
    TokenId last = 0;
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
        if (probabilities[i] <= 0) continue;
        last = TokenId(i);
        sum += probabilities[i];
        if (sum > u) return last;
    }
    return last; // the sum fell short of 1 by rounding
}

TokenId most_probable(std::span<const Real> logits, std::span<const TokenId> never) {
    const auto best = std::max_element(logits.begin(), logits.end()) - logits.begin();
    if (!is_among(never, TokenId(best))) return TokenId(best);
    TokenId word = -1;
    for (TokenId id = 0; id < TokenId(logits.size()); ++id)
        if (!is_among(never, id) && (word < 0 || logits[std::size_t(id)] > logits[std::size_t(word)]))
            word = id;
    return word;
}

std::vector<TokenId> prefix(const ModelMap& map, std::span<const TokenId> source) {
    const Stream& target = *map.target();
    std::vector<TokenId> fed = target.before;
    if (!map.source()) fed.insert(fed.end(), source.begin(), source.end());
    if (fed.empty() && !target.ends.empty()) fed.push_back(target.ends.front()); // GPT-2 begins behind an end
    return fed;
}

Writing::Writing(Model& model, std::span<const TokenId> source, std::span<const TokenId> begun,
                 Caching caching)
    : model_(model),
      source_(source.begin(), source.end()),
      fed_{prefix(model.map, source)},
      computes_all_(caching == Caching::none) {
    HEADLIGHT_CHECK(!fed_.front().empty(), "nothing to begin with");
    before_ = fed_.front().size();
    const Index room = std::max<Index>(target().max_length - Index(before_), 0);
    begun = begun.first(std::min(begun.size(), std::size_t(room)));
    fed_.front().insert(fed_.front().end(), begun.begin(), begun.end());
    if (caching == Caching::as_possible && target().is_causal) {
        growing_ = std::make_unique<GrowingPass>(model.graph, *target().tokens, model.end_of_output());
        if (!growing_->can_grow()) growing_.reset();
    }
    compute();
}

Writing::~Writing() = default;

std::vector<TokenId> Writing::words(Index prefix) const {
    const std::vector<TokenId>& all = fed(prefix);
    return {all.begin() + std::ptrdiff_t(before_), all.end()};
}

std::span<const Real> Writing::logits(Index prefix) const {
    const Tensor& logits = model_.map.output.values->value;
    const auto words = std::size_t(logits.columns());
    if (!logits_.empty()) return std::span(logits_).subspan(std::size_t(prefix) * words, words);
    return {logits.row(prefix, logits.rows() - 1), std::size_t(logits.columns())};
}

std::span<const Real> Writing::logits_before(Index back) const {
    const Tensor& logits = model_.map.output.values->value;
    return {logits.row(0, logits.rows() - 1 - back), std::size_t(logits.columns())};
}

Index Writing::most_words(Index asked) const {
    const Index room = model_.map.source() ? target().max_words() : target().max_length - Index(before_) + 1;
    const Index wanted = asked > 0 ? asked : target().usual_words;
    return wanted > 0 ? std::min(room, wanted) : room;
}

void Writing::go_on(std::span<const Continuation> nexts) {
    HEADLIGHT_CHECK(!nexts.empty(), "nothing goes on");
    std::vector<std::vector<TokenId>> fed;
    std::vector<Index> from;
    for (const Continuation& next : nexts) {
        fed.push_back(fed_[std::size_t(next.prefix)]);
        fed.back().push_back(next.word);
        from.push_back(next.prefix);
    }
    fed_ = std::move(fed);
    if (growing_) growing_->choose(from);
    compute();
}

void Writing::feed_source(Index prefixes) {
    std::vector<TokenId> ids;
    for (Index i = 0; i < prefixes; ++i) ids.insert(ids.end(), source_.begin(), source_.end());
    for (const Stream& stream : model_.map.streams)
        if (!stream.is_written) feed(stream.tokens, ids, prefixes, Index(source_.size()));
}

void Writing::compute() {
    const Stopwatch stopwatch;
    const Index length = Index(fed_.front().size());
    if (passes_ == 0) feed_source(1);
    cost_ = {.rows = growing_ ? length - growing_->rows() : length};
    if (growing_) {
        std::vector<TokenId> ids;
        for (const std::vector<TokenId>& all : fed_) ids.insert(ids.end(), all.begin(), all.end());
        feed(target().tokens, ids, prefixes(), length);
        growing_->forward();
        cost_.multiplications = growing_->multiplications();
    } else {
        compute_each();
    }
    ++passes_;
    cost_.scores = cost_.rows * (length - cost_.rows) + cost_.rows * (cost_.rows + 1) / 2;
    cost_.seconds = stopwatch.seconds();
}

// One after another, as an edit means them: it names a cell of one sentence. The encoder's values serve all.
void Writing::compute_each() {
    const Index end = model_.end_of_output();
    logits_.clear();
    for (Index b = 0; b < prefixes(); ++b) {
        feed_with_goal(fed(b));
        const Index unchanged = std::min(model_.graph.unchanged_until(), target().tokens->index);
        const Index first = computes_all_ ? 0 : passes_ == 0 && b == 0 ? unchanged : target().tokens->index;
        model_.graph.forward(first, end);
        cost_.multiplications += model_.graph.multiplications(first, end);
        if (prefixes() == 1) return;
        const Tensor& logits = model_.map.output.values->value;
        logits_.insert(logits_.end(), logits.row(0, logits.rows() - 1),
                       logits.row(0, logits.rows() - 1) + logits.columns());
    }
}

void Writing::leave(std::span<const TokenId> words) {
    std::vector<TokenId> fed(fed_.front().begin(), fed_.front().begin() + std::ptrdiff_t(before_));
    fed.insert(fed.end(), words.begin(), words.end());
    fed.resize(std::min(fed.size(), std::size_t(target().max_length)));
    const bool serves = !growing_ && prefixes() == 1 && fed_.front() == fed;
    growing_.reset();
    if (!serves) {
        feed_with_goal(fed);
        model_.graph.forward(target().tokens->index);
    } else if (const Node* loss = model_.map.output.loss) {
        model_.graph.forward(loss->index);
    }
}

// Its goal is as if the sentence ended there, which is right when it does.
void Writing::feed_with_goal(const std::vector<TokenId>& fed) {
    feed(target().tokens, fed, 1, Index(fed.size()));
    if (!model_.map.output.goal) return;
    std::vector<TokenId> goal(fed.begin() + 1, fed.end());
    goal.push_back(target().ends.empty() ? fed.back() : target().ends.front());
    feed(model_.map.output.goal, goal, 1, Index(goal.size()));
}

namespace {

// Behind an end, and back.
TokenId begin_another(TokenId word, const Stream& target) {
    return target.is_end(word) && !target.before.empty() ? target.before.front() : word;
}

TokenId end_before(TokenId fed, const Stream& target) {
    const bool begins = !target.before.empty() && fed == target.before.front();
    return begins && !target.ends.empty() ? target.ends.front() : fed;
}

} // namespace

std::vector<TokenId> fed_of_texts(std::span<const TokenId> words, const Stream& target) {
    std::vector<TokenId> fed;
    for (const TokenId word : words) fed.push_back(begin_another(word, target));
    return fed;
}

std::vector<TokenId> Answer::words() const {
    std::vector<TokenId> words;
    for (const SaidWord& word : said) words.push_back(word.word);
    if (has_ended) words.pop_back();
    return words;
}

double Answer::log_probability() const {
    double sum = 0;
    for (const SaidWord& word : said) sum += word.log_probability;
    return sum;
}

AnswerWriter::AnswerWriter(Writing& writing, const AnswerSettings& settings)
    : writing_(writing), settings_(settings), most_(writing.most_words(settings.most_words)) {
    answer_.costs.push_back(writing.cost());
    // What it begins with was fed at once: each of its words is judged where it was to be said.
    std::vector<TokenId> begun = writing.words(0);
    if (settings.goes_on)
        for (TokenId& word : begun) word = end_before(word, writing.target());
    for (std::size_t i = 0; i < begun.size(); ++i)
        answer_.said.push_back(
            {begun[i], log_probability_of(writing.logits_before(Index(begun.size() - i)), begun[i])});
    is_over_ = Index(answer_.said.size()) >= most_;
}

void AnswerWriter::say_next() {
    const Stream& target = writing_.target();
    const std::span<const Real> logits = writing_.logits(0);
    const TokenId next = settings_.sampling ? draw(drawn_from(logits, *settings_.sampling, target.never),
                                                   chance(settings_.seed, Index(answer_.said.size())))
                                            : most_probable(logits, target.never);
    answer_.said.push_back({next, log_probability_of(logits, next)});
    const bool is_full = Index(answer_.said.size()) == most_;
    answer_.has_ended = target.is_end(next) && (is_full || !settings_.goes_on);
    is_over_ = answer_.has_ended || is_full;
    if (is_over_) return;
    const Continuation on[] = {{0, settings_.goes_on ? begin_another(next, target) : next}};
    writing_.go_on(on);
    answer_.costs.push_back(writing_.cost());
}

Answer write_answer(Writing& writing, const AnswerSettings& settings) {
    AnswerWriter writer(writing, settings);
    Index multiplications = 0; // of what it says: whatever it is given has been read
    const auto is_stopped = [&] {
        return (settings.stop && *settings.stop)
               || (settings.most_multiplications > 0 && multiplications >= settings.most_multiplications);
    };
    while (!writer.is_over() && !is_stopped()) {
        writer.say_next();
        if (!writer.is_over()) multiplications += writing.cost().multiplications;
    }
    Answer answer = writer.answer();
    answer.is_cut = !writer.is_over();
    return answer;
}

std::vector<TokenId> as_given(const ModelMap& map, std::vector<TokenId> words) {
    return map.source() ? map.source()->around(std::move(words)) : words;
}

std::vector<TokenId> greedy_decode(Model& model, std::span<const TokenId> source, Index most_words) {
    if (model.map.target() && !prefix(model.map, source).empty()) {
        Writing writing(model, source);
        std::vector<TokenId> words = write_answer(writing, {.most_words = most_words}).words();
        writing.leave(words);
        return words;
    }
    for (const Stream& stream : model.map.streams)
        if (!stream.is_written) feed(stream.tokens, source, 1, Index(source.size()));
    model.graph.forward(0, model.end_of_output());
    return {};
}

std::vector<TokenId> most_probable_answer(Model& model, std::span<const TokenId> source) {
    const Output& output = model.map.output;
    if (model.map.target()) return greedy_decode(model, source);
    for (const Stream& stream : model.map.streams) feed(stream.tokens, source, 1, Index(source.size()));
    model.graph.forward(0, model.end_of_output());
    const Tensor& logits = output.values->value;
    const bool ends = output.meaning == Output::Meaning::words;
    std::vector<TokenId> said;
    for (Index t = 0; t < logits.rows() - (ends ? 1 : 0); ++t) {
        const Real* row = logits.row(0, t);
        said.push_back(TokenId(std::max_element(row, row + logits.columns()) - row));
    }
    return said;
}

namespace {

constexpr std::size_t first_wrong = 1; // place: the first word is right

// What the model would say at each place of an answer if it had to say something else.
std::vector<TokenId> most_probable_mistakes(const Writing& writing, std::span<const TokenId> right) {
    std::vector<TokenId> mistakes;
    std::vector<TokenId> never = writing.target().never;
    never.insert(never.end(), writing.target().ends.begin(), writing.target().ends.end());
    never.push_back(0);
    for (std::size_t t = 0; t < right.size(); ++t) {
        never.back() = right[t];
        mistakes.push_back(most_probable(writing.logits_before(Index(right.size() - t)), never));
    }
    return mistakes;
}

std::vector<TokenId> with_end(std::span<const TokenId> words, const Stream& target) {
    std::vector<TokenId> wanted(words.begin(), words.end());
    if (!target.ends.empty()) wanted.push_back(target.ends.front());
    return wanted;
}

std::vector<ForcedWord> judge(const Writing& writing, std::span<const TokenId> wanted) {
    std::vector<ForcedWord> judged;
    for (std::size_t t = 0; t < wanted.size(); ++t) {
        const auto logits = writing.logits_before(Index(writing.words(0).size() - t));
        const TokenId said = most_probable(logits, writing.target().never);
        judged.push_back(
            {wanted[t], log_probability_of(logits, wanted[t]), said, log_probability_of(logits, said)});
    }
    return judged;
}

} // namespace

std::vector<ForcedWord> judge_words(Model& model, std::span<const TokenId> source,
                                    std::span<const TokenId> fed, std::span<const TokenId> wanted) {
    return judge(Writing(model, source, fed), wanted);
}

std::vector<ForcedWord> judge_words(Model& model, std::span<const TokenId> source,
                                    std::span<const TokenId> words) {
    const Writing writing(model, source, words);
    return judge(writing, with_end(words, writing.target()));
}

void SpreadOfErrors::add(Model& model, std::span<const TokenId> source, std::span<const TokenId> right) {
    if (right.size() < first_wrong + most_wrong + 1) return;
    std::vector<TokenId> fed(right.begin(), right.end());
    Writing writing(model, source, fed);
    const std::vector<TokenId> mistakes = most_probable_mistakes(writing, right);
    const std::vector<TokenId> wanted = with_end(right, writing.target());
    ++sentences_;
    for (Index wrong = 0; wrong <= most_wrong; ++wrong) {
        const std::size_t last = first_wrong + std::size_t(wrong); // behind the wrong ones
        if (wrong > 0) fed[last - 1] = mistakes[last - 1];
        const std::vector<ForcedWord> judged =
            wrong == 0 ? judge(writing, wanted) : judge_words(model, source, fed, wanted);
        for (std::size_t after = 0; after < most_after && last + after < judged.size(); ++after) {
            Mean& mean = means_[std::size_t(wrong)][after];
            mean.sum += std::exp(judged[last + after].log_probability);
            ++mean.count;
        }
    }
}

std::optional<double> SpreadOfErrors::probability(Index wrong, Index after) const {
    const Mean& mean = means_[std::size_t(wrong)][std::size_t(after - 1)];
    if (mean.count == 0) return {};
    return mean.sum / double(mean.count);
}

} // namespace headlight
