#include "app/session/word_places.h"

#include "app/session/loaded_model.h"
#include "app/session/sentence.h"
#include "app/session/version.h"
#include "engine/base/stopwatch.h"
#include "engine/task/plain_text.h"
#include "engine/text/words.h"
#include "engine/train/training_state.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace headlight {

namespace {

constexpr std::size_t most_draws = 8000, most_with_word = 28, most_without = 56, least_without = 30,
                      most_kept = 400;
constexpr Index answers_up_to = 20'000'000; // parameters: a larger model takes too long to answer each
// A word of answers belongs to the word when so much of its sentences have it, and it is no accident.
constexpr double belongs = 0.98;
constexpr std::size_t least_sentences = 4, most_senses = 4;

std::vector<ReadWord> read_words(const Tokenizer& tokenizer, const std::string& text, Index before,
                                 Index most) {
    std::vector<ReadWord> words;
    Index row = before, last = -1;
    for (const Piece& piece : tokenizer.encode(text)) {
        if (row >= before + most) break;
        if (words.empty() || piece.word != last) words.push_back({});
        last = piece.word;
        ReadWord& word = words.back();
        word.text += piece.known ? piece.text : "";
        if (!piece.known) word.text += piece.text;
        word.ids.push_back(piece.id);
        word.row = row++;
    }
    return words;
}

bool is_letters(const std::string& word) {
    return std::any_of(word.begin(), word.end(),
                       [](unsigned char c) { return c >= 0x80 || std::isalnum(c) != 0; });
}

// Lower case of ASCII, cut at blanks, without marks: enough to compare answers that a task wrote.
std::set<std::string> answer_words(const std::string& answer) {
    std::set<std::string> words;
    std::string word;
    for (const char c : answer + " ") {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80 || std::isalnum(byte) || c == '\'') {
            word += byte < 0x80 ? char(std::tolower(byte)) : c;
        } else if (!word.empty()) {
            words.insert(std::move(word));
            word.clear();
        }
    }
    return words;
}

// FNV-1a of its tokens.
std::size_t number_of_word(const std::vector<TokenId>& ids) {
    std::uint64_t number = 14695981039346656037u;
    for (const TokenId id : ids) number = (number ^ std::uint64_t(id)) * 1099511628211u;
    return std::size_t(number);
}

// What stands in the word's place in another sentence of one length, and in how many places they differ
// elsewhere; nothing where that is in more than two.
struct Replacement {
    std::size_t word = 0, differ = 0;
};
std::optional<Replacement> replacement(const std::vector<std::size_t>& with,
                                       const std::vector<std::size_t>& other, std::size_t asked) {
    if (with.size() != other.size()) return {};
    Replacement found;
    for (std::size_t i = 0; i < with.size(); ++i) {
        if (with[i] == asked)
            found.word = other[i];
        else if (with[i] != other[i] && ++found.differ > 2)
            return {};
    }
    return found;
}

} // namespace

std::vector<std::string> words_read(const LoadedModel& model, const std::string& text) {
    const Stream* stream = typed_stream(model.map());
    std::vector<std::string> words;
    if (!stream) return words;
    const Tokenizer& tokenizer = tokenizer_of(model.files, stream);
    for (ReadWord& word : read_words(tokenizer, text, 0, stream->max_words())) {
        if (!is_letters(word.text)) continue;
        // The blank before it is left out where the tokenizer puts one there by itself.
        std::string bare(trimmed(word.text));
        words.push_back(tokenizer.encode_ids(bare) == word.ids ? std::move(bare) : std::move(word.text));
    }
    return words;
}

WordPlaces::WordPlaces(LoadedModel& model, const std::filesystem::path& assets)
    : model_(model), stream_(typed_stream(model.map())), version_(next_version()) {
    if (!stream_ || !stream_->embedded) {
        stream_ = nullptr;
        return;
    }
    stops_ = stops_of(model.map(), *stream_);
    const ModelMap& map = model.map();
    if (map.source() && map.target())
        telling_ = Telling::answers;
    else if (map.source() && map.output.meaning == Output::Meaning::words)
        telling_ = Telling::word_for_word;
    else if (map.source() && map.output.meaning == Output::Meaning::classes)
        telling_ = Telling::classes;
    if (model.folder.empty()) return;
    if (const Result<std::optional<TrainingState>> state = read_training_state(model.folder); state && *state)
        if (Result<std::unique_ptr<Task>> task = make_task_of(**state, assets.string()); task)
            task_ = *std::move(task);
}

std::vector<ReadWord> WordPlaces::words_in(const std::string& text) const {
    return read_words(tokenizer_of(model_.files, stream_), text, Index(stream_->before.size()),
                      stream_->max_words());
}

void WordPlaces::ask(const VocabularyRequest& request) {
    if (request == request_ || !stream_) return;
    request_ = request;
    asked_ = tokenizer_of(model_.files, stream_).encode_ids(request.word);
    if (kept_.size() > most_kept) kept_.clear();
    for (ReadSentence& sentence : sentences_)
        if (sentence.is_read) kept_[sentence.text] = std::move(sentence);
    sentences_.clear();
    is_chosen_ = false;
    list_places();
}

bool WordPlaces::is_over() const {
    return !stream_ || asked_.empty() || (is_chosen_ && read() == sentences_.size());
}

std::size_t WordPlaces::read() const {
    return std::size_t(std::count_if(sentences_.begin(), sentences_.end(),
                                     [](const ReadSentence& sentence) { return sentence.is_read; }));
}

bool WordPlaces::advance(double seconds) {
    if (is_over()) return false;
    const Stopwatch watch;
    if (task_ && draws_ < most_draws) {
        draw(seconds);
        version_ = next_version();
        return true;
    }
    if (!is_chosen_) choose();
    for (ReadSentence& sentence : sentences_) {
        if (watch.seconds() >= seconds) break;
        if (!sentence.is_read) read(sentence);
    }
    list_places();
    return true;
}

void WordPlaces::draw(double seconds) {
    const Stopwatch watch;
    while (draws_ < most_draws && watch.seconds() < seconds) {
        const std::vector<SentencePair>& held_out = task_->held_out(); // those first: nobody learnt them
        SentencePair pair = draws_ < held_out.size() ? held_out[draws_] : task_->sample(random_);
        ++draws_;
        if (!drawn_texts_.insert(pair.source).second) continue;
        Drawn drawn{std::move(pair), {}};
        for (const ReadWord& word : words_in(drawn.pair.source))
            drawn.words.push_back(number_of_word(word.ids));
        drawn_.push_back(std::move(drawn));
    }
}

// The person's sentences and the model's examples that have the word, then those of the task.
void WordPlaces::choose() {
    is_chosen_ = true;
    std::set<std::string> texts;
    const auto add = [&](ReadSentence::From from, const std::string& text) {
        if (!texts.insert(text).second) return false;
        const auto kept = kept_.find(text);
        if (kept == kept_.end()) {
            sentences_.push_back({from, text});
        } else {
            sentences_.push_back(std::move(kept->second));
            sentences_.back().from = from;
            kept_.erase(kept);
        }
        return true;
    };
    const auto has_word = [&](const std::string& text) {
        const std::vector<ReadWord> words = words_in(text);
        return std::any_of(words.begin(), words.end(), [&](const ReadWord& word) { return is_asked(word); });
    };
    for (const std::string& text : request_.own)
        if (has_word(text)) add(ReadSentence::From::person, text);
    for (const std::string& text : model_.examples)
        if (has_word(text)) add(ReadSentence::From::examples, text);
    for (const ComparedPair& pair : model_.compared_pairs)
        for (const std::string& text : {pair.first, pair.second})
            if (has_word(text)) add(ReadSentence::From::examples, text);
    if (chosen_for_ != request_.word) choose_of_task();
    for (const std::string& text : of_task_) add(ReadSentence::From::task, text);
}

// So many of each meaning; then what is like these, with another word in its place.
void WordPlaces::choose_of_task() {
    chosen_for_ = request_.word;
    of_task_.clear();
    const std::size_t asked = number_of_word(asked_);
    std::vector<std::size_t> with_word, without;
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
        const auto& words = drawn_[i].words;
        (std::find(words.begin(), words.end(), asked) != words.end() ? with_word : without).push_back(i);
    }
    find_senses(with_word);
    // One of each meaning after another; those of none of them last.
    std::map<std::string, std::vector<std::size_t>> by_sense;
    for (const std::size_t i : with_word) by_sense[told_by_task(drawn_[i])].push_back(i);
    std::vector<std::size_t> taken;
    for (std::size_t round = 0, before = 1; taken.size() < most_with_word && before != taken.size();
         ++round) {
        before = taken.size();
        for (const auto& [sense, members] : by_sense)
            if (round < members.size() && taken.size() < most_with_word) taken.push_back(members[round]);
    }
    for (const std::size_t i : taken) of_task_.push_back(drawn_[i].pair.source);

    // Sentences in which another word stands in its place, whatever else differs a little: two of each word.
    struct Like {
        std::size_t differ = 0, number = 0, word = 0;
    };
    std::vector<Like> like;
    for (const std::size_t i : without) {
        std::optional<Like> best;
        for (const std::size_t t : taken)
            if (const auto found = replacement(drawn_[t].words, drawn_[i].words, asked);
                found && (!best || found->differ < best->differ))
                best = Like{found->differ, i, found->word};
        if (best) like.push_back(*best);
    }
    std::stable_sort(like.begin(), like.end(),
                     [](const Like& a, const Like& b) { return a.differ < b.differ; });
    std::map<std::size_t, int> of_word;
    std::size_t added = 0;
    for (const Like& one : like)
        if (added < most_without && ++of_word[one.word] <= 2) {
            of_task_.push_back(drawn_[one.number].pair.source);
            ++added;
        }
    // Where there are few, any others: there are to be words that it could be near to.
    for (std::size_t i = 0; i < without.size() && added < least_without; ++i, ++added)
        of_task_.push_back(drawn_[without[i]].pair.source);
}

// What the right answer says that the word means there, as far as that is told; "" where it is not.
std::string WordPlaces::told_by_task(const Drawn& drawn) const {
    if (telling_ == Telling::classes) return drawn.pair.target;
    if (telling_ == Telling::word_for_word) {
        const std::vector<std::string> target = words_of(drawn.pair.target);
        const auto place = std::size_t(
            std::find(drawn.words.begin(), drawn.words.end(), number_of_word(asked_)) - drawn.words.begin());
        return target.size() == drawn.words.size() && place < target.size() ? target[place] : std::string();
    }
    const std::set<std::string> answer = answer_words(drawn.pair.target);
    for (const std::string& sense : of_answers_)
        if (answer.contains(sense)) return sense;
    return {};
}

void WordPlaces::find_senses(const std::vector<std::size_t>& with_word) {
    std::map<std::string, std::size_t> here, everywhere;
    for (const Drawn& drawn : drawn_)
        for (const std::string& word : answer_words(drawn.pair.target)) ++everywhere[word];
    for (const std::size_t i : with_word)
        for (const std::string& word : answer_words(drawn_[i].pair.target)) ++here[word];
    std::vector<std::pair<std::size_t, std::string>> found;
    for (const auto& [word, count] : here)
        if (count >= least_sentences && double(count) >= belongs * double(everywhere[word]))
            found.emplace_back(count, word);
    std::sort(found.rbegin(), found.rend());
    of_answers_.clear();
    if (telling_ != Telling::answers || found.size() < 2) return;
    if (found.size() > most_senses) found.resize(most_senses);
    // What few of its sentences have, or what comes together, is no meaning of the word, but of what stands
    // beside it.
    const auto is_told = [&](std::size_t i) {
        const std::set<std::string> answer = answer_words(drawn_[i].pair.target);
        return std::count_if(found.begin(), found.end(),
                             [&](const auto& sense) { return answer.contains(sense.second); })
               == 1;
    };
    const auto told = std::count_if(with_word.begin(), with_word.end(), is_told);
    if (4 * std::size_t(told) < 3 * with_word.size()) return;
    for (const auto& [count, sense] : found) of_answers_.push_back(sense);
}

// In the order of sentences, so that a meaning keeps its colour while more are read.
void WordPlaces::list_senses() {
    senses_ = of_answers_;
    if (telling_ == Telling::answers || telling_ == Telling::nothing) return;
    std::vector<std::pair<std::string, std::size_t>> said;
    for (const WordPlace& place : places_) {
        const std::string& what =
            telling_ == Telling::classes ? sentences_[place.sentence].answer : word(place).said;
        const auto known =
            std::find_if(said.begin(), said.end(), [&](const auto& one) { return one.first == what; });
        if (known == said.end())
            said.emplace_back(what, 1);
        else
            ++known->second;
    }
    for (const auto& [what, count] : said)
        if (senses_.size() < most_senses) senses_.push_back(what);
    if (senses_.size() < 2) senses_.clear();
}

std::optional<std::size_t> WordPlaces::sense_of(const WordPlace& place) const {
    const ReadSentence& sentence = sentences_[place.sentence];
    const auto is_said = [&](const std::string& sense) {
        return telling_ == Telling::classes ? sentence.answer == sense : word(place).said == sense;
    };
    if (telling_ != Telling::answers) {
        const auto found = std::find_if(senses_.begin(), senses_.end(), is_said);
        return found == senses_.end() ? std::nullopt : std::optional(std::size_t(found - senses_.begin()));
    }
    const std::set<std::string> answer = answer_words(sentence.answer);
    std::optional<std::size_t> sense;
    for (std::size_t s = 0; s < senses_.size(); ++s) {
        if (!answer.contains(senses_[s])) continue;
        if (sense) return {};
        sense = s;
    }
    return sense;
}

void WordPlaces::read(ReadSentence& sentence) {
    Model& pass = model_.pass(LoadedModel::Pass::tried);
    const bool answers = model_.files.parameters.count() <= answers_up_to;
    // Fed a target of no words, a large model does not write one.
    const std::optional<std::string> target = answers || !model_.map().source() || !model_.map().target()
                                                  ? std::nullopt
                                                  : std::optional<std::string>("");
    const Sentence run = run_sentence(model_.files, pass, sentence.text, target);
    if (model_.map().source() && (answers || !model_.map().target())) sentence.answer = run.output;
    sentence.words = words_in(sentence.text);
    if (telling_ == Telling::word_for_word)
        for (ReadWord& word : sentence.words)
            if (word.row < Index(run.chosen_labels.size()))
                word.said = run.chosen_labels[std::size_t(word.row)];
    const Stream& stream = *pass.map.stream(stream_->name);
    for (const StreamStop& stop : stops_of(pass.map, stream)) {
        const Tensor& value = pass.graph.find(stop.path)->value;
        std::vector<Real>& rows = sentence.vectors.emplace_back();
        for (const ReadWord& word : sentence.words)
            rows.insert(rows.end(), value.row(0, word.row), value.row(0, word.row) + value.columns());
    }
    sentence.is_read = true;
}

void WordPlaces::list_places() {
    places_.clear();
    others_.clear();
    for (std::size_t s = 0; s < sentences_.size(); ++s)
        for (std::size_t w = 0; sentences_[s].is_read && w < sentences_[s].words.size(); ++w) {
            const ReadWord& word = sentences_[s].words[w];
            if (is_asked(word))
                places_.push_back({s, w});
            else if (is_letters(word.text))
                others_.push_back({s, w});
        }
    list_senses();
    version_ = next_version();
}

const ReadWord& WordPlaces::word(const WordPlace& place) const {
    return sentences_[place.sentence].words[place.word];
}

std::span<const Real> WordPlaces::vector(std::size_t stop, const WordPlace& place) const {
    const ReadSentence& sentence = sentences_[place.sentence];
    const std::vector<Real>& all = sentence.vectors[stop];
    const std::size_t width = all.size() / sentence.words.size();
    return std::span(all).subspan(place.word * width, width);
}

std::vector<NearWord> WordPlaces::nearest(std::size_t stop, const WordPlace& place, std::size_t most) const {
    std::map<std::vector<TokenId>, NearWord> best;
    const std::span<const Real> from = vector(stop, place);
    for (const WordPlace& other : others_) {
        const double now = cosine(from, vector(stop, other));
        const auto [at, is_new] = best.try_emplace(word(other).ids, NearWord{other, now});
        if (!is_new && now > at->second.cosine) at->second = {other, now};
    }
    std::vector<NearWord> all;
    for (const auto& [ids, near] : best) all.push_back(near);
    std::stable_sort(all.begin(), all.end(),
                     [](const NearWord& a, const NearWord& b) { return a.cosine > b.cosine; });
    if (all.size() > most) all.resize(most);
    return all;
}

} // namespace headlight
