#include "engine/task/everyday_task.h"
#include "engine/task/pairs.h"
#include "engine/task/plain_text.h"
#include "engine/task/tasks.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace headlight {

namespace {

using grammar::Language;

// Of the lines that are trained on, those of the small model's grammar, in whose few words "not" and "but"
// are met in every place.
constexpr double plain_share = 0.3;
constexpr std::uint64_t one_opinion_of = 15; // is held out

// An opinion and how it is meant, in its language.
struct Opinion {
    SentencePair line;
    Language language;
};

std::set<std::string> words_of_essence(const std::string& sentence) {
    const std::string essence = essence_of(sentence);
    std::set<std::string> words;
    for (const std::string_view word : split_at(essence, ' ')) words.emplace(word);
    return words;
}

// In nearly the same words: “too long but worth it”, “too long and not worth it”.
bool are_alike(const std::string& a, const std::string& b) {
    const std::set<std::string> one = words_of_essence(a), other = words_of_essence(b);
    const auto shared =
        std::count_if(one.begin(), one.end(), [&](const std::string& word) { return other.contains(word); });
    return std::size_t(shared) * 2 >= std::min(one.size(), other.size());
}

class EverydaySentiment final : public EverydayTask {
public:
    EverydaySentiment(std::string name, Index vocabulary, const std::vector<Opinion>& opinions,
                      std::unique_ptr<Task> plain)
        : EverydayTask(std::move(name), vocabulary), plain_(std::move(plain)) {
        bool is_out = false;
        std::set<std::string> labels;
        for (std::size_t i = 0; i < opinions.size(); ++i) {
            const SentencePair& line = opinions[i].line;
            labels.insert(line.target);
            // Side by side and alike: all of them, or none.
            if (i == 0 || !are_alike(opinions[i - 1].line.source, line.source))
                is_out = is_to_hold_out(line.source, one_opinion_of);
            if (is_out) {
                held_out_.push_back(line);
            } else {
                training_.push_back(line);
                languages_.push_back(opinions[i].language);
            }
        }
        put_in_order(held_out_);
        labels_ = {labels.begin(), labels.end()};
    }

    Learner learner() const override { return {Architecture::encoder_only, Head::classes, labels_}; }
    std::size_t longest_target() const override { return 1; }

    SentencePair sample(Random& random) const override {
        if (random.uniform() < plain_share) return plain_->sample(random);
        const std::size_t i = std::size_t(random.below(Index(training_.size())));
        SentencePair line = training_[i];
        line.source = as_typed(std::move(line.source), languages_[i], random);
        return line.source.size() < longest_everyday_bytes ? line : training_[i];
    }

private:
    std::unique_ptr<Task> plain_;
    std::vector<Language> languages_; // of training_
    std::vector<std::string> labels_;
};

} // namespace

Result<std::unique_ptr<Task>> make_everyday_sentiment(const std::string& name, const std::string& assets,
                                                      Index vocabulary) {
    namespace fs = std::filesystem;
    const std::string folder = assets + "/opinions";
    std::vector<std::string> files;
    std::error_code cause;
    for (fs::directory_iterator entry(folder, cause), end; !cause && entry != end; entry.increment(cause))
        if (entry->path().extension() == ".tsv") files.push_back(entry->path().string());
    if (files.empty()) return Error{"error.pairs_no_files", {folder}};
    std::sort(files.begin(), files.end());
    std::vector<Opinion> opinions;
    std::set<std::string> labels;
    for (const std::string& file : files) {
        Result<std::vector<SentencePair>> lines = read_all_pairs(file);
        if (!lines) return lines.error();
        const bool is_portuguese = fs::path(file).filename().string().starts_with("portuguese");
        for (SentencePair& line : *lines) {
            labels.insert(line.target);
            opinions.push_back({std::move(line), is_portuguese ? Language::portuguese : Language::english});
        }
    }
    Result<std::unique_ptr<Task>> plain = make_sentiment_task(assets + "/grammars");
    if (!plain) return plain.error();
    for (const std::string& label : (*plain)->learner().labels) labels.insert(label);
    return std::unique_ptr<Task>(
        std::make_unique<EverydaySentiment>(name, vocabulary, opinions, *std::move(plain)));
}

} // namespace headlight
