#include "app/session/sentence.h"

#include "engine/base/stopwatch.h"
#include "engine/decode/writing.h"
#include "engine/inspect/numbers.h"
#include "engine/ops/leaves.h"
#include "engine/train/evaluate.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// As many words as the model reads.
template <class Tokens>
Index cut(Tokens& words, const Stream& stream) {
    const Index too_many = Index(words.size()) - stream.max_words();
    if (too_many <= 0) return 0;
    words.resize(std::size_t(stream.max_words()));
    return too_many;
}

// A token that was changed in the graph is called what it is there.
void relabel(std::vector<std::string>& labels, const std::vector<TokenId>& fed, const Node& in_use,
             const Tokenizer& tokenizer) {
    for (std::size_t i = 0; i < fed.size(); ++i)
        if (const TokenId id = TokenId(in_use.value(0, Index(i), 0)); id != fed[i])
            labels[i] = token_label(tokenizer, id);
}

} // namespace

const Tokenizer& tokenizer_of(const ModelFiles& files, const Stream* stream) {
    return stream && stream->vocabulary == 0 ? files.source : files.target;
}

std::string said_label(const ModelFiles& files, const ModelMap& map, Index id) {
    const std::vector<std::string>& labels = map.output.labels;
    if (map.output.meaning == Output::Meaning::classes && id >= 0 && id < Index(labels.size()))
        return labels[std::size_t(id)];
    if (map.output.meaning != Output::Meaning::words) return std::to_string(id);
    return token_label(tokenizer_of(files, map.stream_of(map.output.tokens)), TokenId(id));
}

std::vector<std::string> words_said(const Sentence& sentence, const ModelMap& map) {
    std::vector<std::string> labels = sentence.chosen_labels;
    if (map.output.meaning == Output::Meaning::words && !labels.empty()) labels.pop_back();
    return labels;
}

const Stream* typed_stream(const ModelMap& map) { return map.source() ? map.source() : map.target(); }

const std::vector<std::string>& labels_of(const Sentence& sentence, const ModelMap& map, const Node& tokens) {
    if (&tokens == map.output.goal) return sentence.goal_labels;
    return is_target(map, tokens) ? sentence.target_labels : sentence.source_labels;
}

bool is_target(const ModelMap& map, const Node& tokens) {
    const Stream* stream = map.stream_of(&tokens);
    return stream && stream->is_written;
}

Sentence run_sentence(LoadedModel& model, const std::string& source, const std::optional<std::string>& target,
                      const GenerationSettings& generation, const Waiting& waiting) {
    return run_sentence(model.files, *model.main_pass, source, target, generation, waiting);
}

namespace {

void read_source(Sentence& sentence, const Tokenizer& from, const Stream& stream) {
    const auto add = [&](TokenId id, std::string label) {
        sentence.source_ids.push_back(id);
        sentence.source_labels.push_back(std::move(label));
    };
    for (const TokenId id : stream.before) add(id, token_label(from, id));
    for (const Piece& piece : sentence.source)
        add(piece.id, piece.known ? token_label(from, piece.id) : piece.text);
    for (const TokenId id : stream.after) add(id, token_label(from, id));
    // A folder without its tokenizer puts nothing round a text: of no row there is no first one to look at.
    if (sentence.source_ids.empty()) add(0, token_label(from, 0));
}

// `words` are those of the target, without <s> and </s>; `next`: what follows them, if not the end.
void set_target(Sentence& sentence, const std::vector<TokenId>& words, std::optional<TokenId> next,
                const Tokenizer& to, const Stream& stream) {
    sentence.output = to.decode(words);
    sentence.target_ids = stream.before;
    sentence.target_ids.insert(sentence.target_ids.end(), words.begin(), words.end());
    if (sentence.target_ids.empty()) // as after another text
        sentence.target_ids = {stream.ends.empty() ? TokenId(0) : stream.ends.front()};
    sentence.goal_ids.assign(sentence.target_ids.begin() + 1, sentence.target_ids.end());
    const TokenId end = stream.ends.empty() ? sentence.target_ids.back() : stream.ends.front();
    sentence.goal_ids.push_back(next.value_or(end));
    for (TokenId id : sentence.target_ids) sentence.target_labels.push_back(token_label(to, id));
    for (TokenId id : sentence.goal_ids) sentence.goal_labels.push_back(token_label(to, id));
}

// What the model finds most probable at each position.
std::vector<TokenId> choices(const Output& output) {
    std::vector<TokenId> ids;
    if (output.meaning == Output::Meaning::number) return ids;
    const Tensor& values = output.values->value;
    for (Index r = 0; r < values.rows(); ++r) {
        const Real* row = values.row(0, r);
        ids.push_back(output.chosen ? TokenId(output.chosen->value(0, r, 0))
                                    : TokenId(std::max_element(row, row + values.columns()) - row));
    }
    return ids;
}

std::vector<std::string> said_labels(const ModelFiles& files, const ModelMap& map,
                                     const std::vector<TokenId>& ids) {
    std::vector<std::string> labels;
    for (const TokenId id : ids) labels.push_back(said_label(files, map, id));
    return labels;
}

// A class, or a word for each that is read; nothing of a target that is neither.
std::optional<std::vector<TokenId>> goal_of(const SentencePair& pair, const ModelFiles& files) {
    if (files.family) return {};
    Result<EncodedPair> encoded = encode_pair(pair, {files.source, files.target}, files.config);
    return encoded ? std::optional(std::move(encoded->target)) : std::nullopt;
}

constexpr Index most_numbers = 12;

std::vector<std::string> first_numbers(const Tensor& values) {
    std::vector<std::string> numbers;
    for (Index i = 0; i < std::min(values.size(), most_numbers); ++i)
        numbers.push_back(number_text(double(values.data()[i])));
    return numbers;
}

// Of what reads and writes the answer is what was written; else the last word, as one behind those that were
// typed, or a word or a class for each of them.
std::string answer(const Sentence& sentence, const ModelFiles& files, const ModelMap& map) {
    if (sentence.is_prefix && !sentence.goal_ids.empty()) { // what that pass says too
        const Tokenizer& to = tokenizer_of(files, map.target());
        std::vector<TokenId> words(sentence.target_ids.begin() + std::ptrdiff_t(sentence.before_own),
                                   sentence.target_ids.end());
        if (!map.target()->is_end(sentence.goal_ids.back())) words.push_back(sentence.goal_ids.back());
        return to.decode(words);
    }
    if (map.source() && map.target()) return sentence.output;
    if (map.source() && map.output.meaning == Output::Meaning::words && !sentence.chosen_ids.empty())
        return tokenizer_of(files, nullptr)
            .decode(std::span(sentence.chosen_ids).first(sentence.chosen_ids.size() - 1));
    std::string text;
    for (const std::string& label : sentence.chosen_labels)
        text = (text.empty() || map.target() ? "" : text + " ") + label;
    return text;
}

} // namespace

namespace {

// greedy_decode, as far as it comes; when it ends, the graph holds the whole pass.
KnownAnswer say_for(const Waiting& waiting, Model& model, const std::vector<TokenId>& source) {
    const bool waits = std::isinf(waiting.seconds) && waiting.most_words == 0;
    if (waits || prefix(model.map, source).empty()) return {greedy_decode(model, source)};
    const Stopwatch watch;
    Writing writing(model, source);
    AnswerWriter writer(writing, {});
    const auto is_enough = [&] {
        return watch.seconds() >= waiting.seconds
               || (waiting.most_words > 0 && Index(writer.answer().said.size()) >= waiting.most_words);
    };
    do writer.say_next();
    while (!writer.is_over() && !is_enough());
    KnownAnswer own{writer.answer().words(), !writer.is_over()};
    if (!own.is_cut) writing.leave(own.words);
    return own;
}

} // namespace

void feed_sentence(const Sentence& sentence, Model& model) {
    const auto feed_ids = [](Node* tokens, const std::vector<TokenId>& ids) {
        feed(tokens, ids, 1, Index(ids.size()));
    };
    for (const Stream& stream : model.map.streams)
        feed_ids(stream.tokens, stream.is_written ? sentence.target_ids : sentence.source_ids);
    if (model.map.output.goal) feed_ids(model.map.output.goal, sentence.goal_ids);
}

Sentence read_sentence(const ModelFiles& files, const ModelMap& map, const std::string& source) {
    const Stream* typed = typed_stream(map);
    const Tokenizer& from = tokenizer_of(files, typed);
    Sentence sentence;
    if (!map.streams.empty()) {
        sentence.source = from.encode(source);
        sentence.tokens_left_out = cut(sentence.source, *typed);
        sentence.known.assign(typed->before.size(), true);
        for (const Piece& piece : sentence.source) sentence.known.push_back(piece.known);
        sentence.known.insert(sentence.known.end(), typed->after.size(), true);
    }
    if (map.source()) read_source(sentence, from, *map.source());
    return sentence;
}

Sentence run_sentence(const ModelFiles& files, Model& model, const std::string& source,
                      const std::optional<std::string>& target, const GenerationSettings& generation,
                      const Waiting& waiting) {
    const ModelMap& map = model.map;
    const Stream *written = map.target(), *typed = typed_stream(map);
    const Tokenizer &from = tokenizer_of(files, typed), &to = tokenizer_of(files, written);
    Sentence sentence = read_sentence(files, map, source);
    bool computed = false;
    if (written) {
        std::vector<TokenId> words;
        std::optional<TokenId> next;
        for (const Piece& piece : sentence.source) words.push_back(piece.id);
        sentence.given_ids = as_given(map, words);
        sentence.before_own = written->before.size() + (map.source() ? 0 : words.size());
        const bool says_more = generation.pass > 0 || generation.opened >= 0;
        if (map.source() && target) {
            sentence.teacher_forced = true;
            words = to.encode_ids(*target);
            sentence.tokens_left_out += cut(words, *written);
        } else if (map.source() && generation.is_plain()) {
            KnownAnswer own = waiting.known ? *waiting.known : say_for(waiting, model, sentence.source_ids);
            computed = !waiting.known && !own.is_cut; // and the graph holds all of it
            words = std::move(own.words);
            if (own.is_cut) {
                sentence.is_cut = sentence.is_prefix = true;
                next = words.back();
                words.pop_back();
            }
        } else if (map.source() || (says_more && !words.empty())) {
            OwnWords own = waiting.own ? *waiting.own
                                       : own_words(model, sentence.given_ids, generation,
                                                   waiting.most_multiplications, waiting.most_words);
            if (map.source()) words.clear(); // else what is only written goes on with what was typed
            words.insert(words.end(), own.words.begin(), own.words.end());
            if (Index(words.size()) > written->max_words()) words.resize(std::size_t(written->max_words()));
            next = own.next;
            sentence.is_prefix = own.is_prefix;
            sentence.is_cut = own.is_cut;
        } else if (target) { // how what was typed goes on
            if (const auto rest = to.encode_ids(*target); !rest.empty()) next = rest.front();
            sentence.teacher_forced = next.has_value();
        }
        set_target(sentence, words, next, to, *written);
    }
    if (!computed) {
        if (map.output.goal && !map.output.is_next_word()) {
            Sentence without_goal = sentence;
            const bool is_one = map.output.values->axes.rows.kind == Axis::Kind::single; // for all words
            without_goal.goal_ids.assign(is_one    ? 1
                                         : written ? sentence.target_ids.size()
                                                   : sentence.source_ids.size(),
                                         0);
            const auto goal = target ? goal_of({source, *target}, files) : std::nullopt;
            sentence.teacher_forced = goal.has_value();
            if (goal) {
                sentence.goal_ids = *goal;
            } else { // no word to come: what it finds most probable itself
                feed_sentence(without_goal, model);
                model.graph.forward(0, model.end_of_output());
                sentence.goal_ids = choices(map.output);
            }
            sentence.goal_labels = said_labels(files, map, sentence.goal_ids);
        }
        feed_sentence(sentence, model);
        model.graph.forward_changes();
    }
    if (map.source()) relabel(sentence.source_labels, sentence.source_ids, *map.source()->tokens, from);
    if (written) relabel(sentence.target_labels, sentence.target_ids, *written->tokens, to);
    if (map.output.goal && written) relabel(sentence.goal_labels, sentence.goal_ids, *map.output.goal, to);
    sentence.chosen_ids = choices(map.output);
    sentence.chosen_labels = map.output.meaning == Output::Meaning::number
                                 ? first_numbers(map.output.values->value)
                                 : said_labels(files, map, sentence.chosen_ids);
    sentence.output = answer(sentence, files, map);
    return sentence;
}

} // namespace headlight
