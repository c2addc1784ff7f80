#include "engine/base/giving_up.h"
#include "engine/language/conjugation.h"
#include "engine/task/everyday_task.h"
#include "engine/task/pairs.h"
#include "engine/task/plain_text.h"
#include "engine/task/tasks.h"
#include "engine/text/unicode.h"
#include "engine/text/words.h"

#include <algorithm>
#include <map>
#include <set>

namespace headlight {

namespace {

// Of what is trained on: drawn from the lexicon's grammar; from the small gloss task's, in which “it” and
// “bank” hang on what stands around them alone. The others are the phrasebook's.
constexpr double drawn_glosses = 0.35, small_glosses = 0.15;
constexpr std::uint64_t one_gloss_of = 40; // is held out
// Glosses to learn for each token that is read: a Portuguese verb has many forms.
constexpr Index glosses_for_token = 2;
constexpr Index fewest_occurrences = 2;

std::vector<std::string> words_in(const std::string& sentence) {
    std::vector<std::string> words;
    for (const TypedRange& range : gloss_words(sentence))
        words.push_back(sentence.substr(range.begin, range.end - range.begin));
    return words;
}

bool ends_sentence(const std::string& word) { return word == "." || word == "!" || word == "?"; }

// What has been typed is read word for word as it was written, but for a slip in one of them and a final
// mark; the glosses that are left. Nothing where words were joined or taken apart.
std::optional<std::vector<std::string>> glosses_of_typed(const std::string& typed, const std::string& written,
                                                         std::vector<std::string> glosses) {
    const std::vector<std::string> before = words_in(written), after = words_in(typed);
    if (after.size() + 1 == before.size() && ends_sentence(before.back()))
        glosses.pop_back();
    else if (after.size() != before.size())
        return std::nullopt;
    int slips = 0;
    for (std::size_t i = 0; i < after.size(); ++i) slips += lowercase(after[i]) != lowercase(before[i]);
    if (slips > 1) return std::nullopt;
    return glosses;
}

class EverydayGloss final : public EverydayTask {
public:
    EverydayGloss(std::string name, Index vocabulary, std::vector<SentencePair> phrasebook, FirstNames names,
                  std::unique_ptr<DrawnPairs> drawing, WordGlosser glosser, std::unique_ptr<Task> plain)
        : EverydayTask(std::move(name), vocabulary),
          names_(std::move(names)),
          drawing_(std::move(drawing)),
          glosser_(std::move(glosser)),
          plain_(std::move(plain)) {
        for (SentencePair& pair : phrasebook) {
            give_up_if_told();
            std::optional<std::vector<std::string>> glosses = glosser_.gloss(pair.source, pair.target);
            if (!glosses) continue;
            SentencePair line{pair.source, written_gloss(*glosses)};
            if (is_to_hold_out(pair.source, one_gloss_of)) {
                held_out_.push_back(std::move(line));
                continue;
            }
            training_.push_back(std::move(line));
            pairs_.push_back(std::move(pair));
        }
        for (const SentencePair& pair : held_out_) asked_.insert(essence_of(pair.source));
        std::erase_if(pairs_, [&](const SentencePair& pair) { return is_asked(pair.source); });
        std::erase_if(training_, [&](const SentencePair& pair) { return is_asked(pair.source); });
        put_in_order(held_out_);
    }

    Learner learner() const override { return {Architecture::encoder_only, Head::tokens, {}}; }

    SentencePair sample(Random& random) const override {
        constexpr int tries = 20;
        for (int i = 0; i < tries; ++i) {
            const double source = random.uniform();
            std::optional<SentencePair> pair = source < small_glosses ? plain(random)
                                               : source < small_glosses + drawn_glosses
                                                   ? glossed(drawing_->draw(random), random)
                                                   : glossed(written(random), random);
            if (pair && pair->source.size() < longest_everyday_bytes && !is_asked(pair->source))
                return *std::move(pair);
        }
        return training_[std::size_t(random.below(Index(training_.size())))];
    }

    const Tokenizer* learnt_target_tokenizer() const override {
        std::call_once(learns_glosses_, [&] { glosses_ = learn_glosses(); });
        return &*glosses_;
    }

private:
    SentencePair written(Random& random) const {
        const SentencePair& pair = pairs_[std::size_t(random.below(Index(pairs_.size())))];
        return renumbered(names_.renamed(pair, random), random);
    }

    std::optional<SentencePair> glossed(SentencePair pair, Random& random) const {
        if (const std::uint64_t way = std::uint64_t(random.below(8)); way < 2)
            pair.source =
                way == 0 ? with_contractions_opened(pair.source) : with_contractions_closed(pair.source);
        std::optional<std::vector<std::string>> glosses = glosser_.gloss(pair.source, pair.target);
        if (!glosses) return std::nullopt;
        std::string typed = as_typed(pair.source, grammar::Language::english, random);
        if (const auto of_typed = glosses_of_typed(typed, pair.source, *glosses))
            return SentencePair{std::move(typed), written_gloss(*of_typed)};
        return SentencePair{std::move(pair.source), written_gloss(*glosses)};
    }

    // In small letters, as the others are; what stays as it is, is “=” here.
    std::optional<SentencePair> plain(Random& random) const {
        const SentencePair pair = plain_->sample(random);
        const std::vector<std::string> words = words_in(pair.source);
        std::vector<std::string> glosses;
        for (const std::string& word : language::words_of(pair.target)) {
            const bool ends = ends_sentence(word.substr(word.size() - 1)) || word.back() == ',';
            glosses.push_back(word.substr(0, word.size() - ends));
            if (ends) glosses.push_back(word.substr(word.size() - 1));
        }
        if (glosses.size() != words.size()) return std::nullopt;
        glosses.front() = lowercase(glosses.front());
        for (std::size_t i = 0; i < words.size(); ++i)
            if (glosses[i] == words[i] && lowercase(words[i]) != words[i]) glosses[i] = WordGlosser::same;
        return SentencePair{pair.source, written_gloss(glosses)};
    }

    bool is_asked(const std::string& source) const { return asked_.contains(essence_of(source)); }

    // As many that are drawn as were written, and some of the small task's.
    std::vector<SentencePair> many() const {
        std::vector<SentencePair> all = training_;
        for (std::size_t i = 0; i < training_.size(); ++i) {
            give_up_if_told();
            Random random({0x5e47e4ce, i});
            for (const auto& more : {glossed(drawing_->draw(random), random), plain(random)})
                if (more) all.push_back(*more);
        }
        return all;
    }

    std::vector<std::string> sentences() const override {
        std::vector<std::string> all;
        for (SentencePair& pair : many()) all.push_back(std::move(pair.source));
        return all;
    }

    Tokenizer learn_glosses() const {
        std::map<std::string, Index> counts;
        const Tokenizer cutter = gloss_tokenizer({});
        for (const SentencePair& pair : many())
            for (std::string& word : cutter.normalized_words(pair.target)) ++counts[std::move(word)];
        std::vector<std::pair<std::string, Index>> by_frequency(counts.begin(), counts.end());
        std::erase_if(by_frequency, [](const auto& word) { return word.second < fewest_occurrences; });
        std::stable_sort(by_frequency.begin(), by_frequency.end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
        by_frequency.resize(std::min(by_frequency.size(), std::size_t(glosses_for_token * vocabulary())));
        std::vector<std::string> words;
        for (auto& [word, count] : by_frequency) words.push_back(std::move(word));
        return gloss_tokenizer(words);
    }

    std::vector<SentencePair> pairs_; // whose glosses are training_
    FirstNames names_;
    std::unique_ptr<DrawnPairs> drawing_;
    WordGlosser glosser_;
    std::unique_ptr<Task> plain_;
    std::set<std::string> asked_; // essences of what is held out
    mutable std::once_flag learns_glosses_;
    mutable std::optional<Tokenizer> glosses_;
};

} // namespace

Result<std::unique_ptr<Task>> make_everyday_gloss(const std::string& name, const std::string& assets,
                                                  Index vocabulary) {
    Result<std::vector<SentencePair>> phrasebook = read_all_pairs(assets + "/phrasebook");
    if (!phrasebook) return phrasebook.error();
    Result<FirstNames> names = FirstNames::read(assets + "/lexicon/names.txt");
    if (!names) return names.error();
    Result<std::unique_ptr<DrawnPairs>> drawing =
        DrawnPairs::open(assets, DrawnPairs::Direction::english_to_portuguese);
    if (!drawing) return drawing.error();
    Result<WordGlosser> glosser = WordGlosser::open(assets);
    if (!glosser) return glosser.error();
    Result<std::unique_ptr<Task>> plain = make_gloss_task(assets + "/grammars");
    if (!plain) return plain.error();
    auto task = std::make_unique<EverydayGloss>(name, vocabulary, *std::move(phrasebook), *std::move(names),
                                                *std::move(drawing), *std::move(glosser), *std::move(plain));
    if (task->all_training().empty()) return Error{"error.pairs_none", {assets + "/phrasebook"}};
    return std::unique_ptr<Task>(std::move(task));
}

} // namespace headlight
