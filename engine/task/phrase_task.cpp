#include "engine/task/tasks.h"

#include "engine/task/plain_text.h"

#include <algorithm>

namespace headlight {

namespace {

using grammar::SpokenBlock;
using grammar::SpokenPhrase;

bool takes_period(const SentencePair& pair, Periods periods) {
    constexpr std::string_view final_marks = ".!?";
    return periods != Periods::none && final_marks.find(pair.source.back()) == std::string_view::npos;
}

SentencePair with_period(const SentencePair& pair, Periods periods) {
    return {pair.source + ".", periods == Periods::both_sides ? pair.target + "." : pair.target};
}

// `quota` of the pairs, evenly spread over them, every second with its period.
void take_evenly(const std::vector<SentencePair>& pairs, std::size_t quota, Periods periods,
                 std::vector<SentencePair>& taken) {
    quota = std::min(quota, pairs.size());
    for (std::size_t i = 0; i < quota; ++i) {
        const SentencePair& pair = pairs[i * pairs.size() / quota];
        taken.push_back(i % 2 == 0 || !takes_period(pair, periods) ? pair : with_period(pair, periods));
    }
}

std::vector<SentencePair> held_out_of(const SpokenBlock& block) {
    std::vector<SentencePair> held_out;
    for (const SpokenPhrase& phrase : block.phrases)
        held_out.insert(held_out.end(), phrase.held_out.begin(), phrase.held_out.end());
    return held_out;
}

// From each block as much as its share of the training, so that the score weighs what training weighs.
std::vector<SentencePair> choose_held_out(const std::vector<SpokenBlock>& blocks, Periods periods) {
    std::size_t shares = 0;
    for (const SpokenBlock& block : blocks)
        if (!held_out_of(block).empty()) shares += block.share;
    std::vector<SentencePair> chosen;
    for (const SpokenBlock& block : blocks) {
        const std::vector<SentencePair> pairs = held_out_of(block);
        if (!pairs.empty())
            take_evenly(pairs, std::max<std::size_t>(1, held_out_limit * block.share / shares), periods,
                        chosen);
    }
    std::sort(chosen.begin(), chosen.end(), [](const SentencePair& a, const SentencePair& b) {
        return stable_hash(a.source) < stable_hash(b.source);
    });
    chosen.resize(std::min(chosen.size(), held_out_limit));
    return chosen;
}

class PhraseTask final : public Task {
public:
    PhraseTask(std::string name, const std::vector<SpokenBlock>& blocks, Learner learner, Periods periods)
        : name_(std::move(name)),
          learner_(std::move(learner)),
          periods_(periods),
          held_out_(choose_held_out(blocks, periods)) {
        for (const SpokenBlock& block : blocks) add(block);
        for (const SentencePair& pair : held_out_) measure(pair);
    }

    std::string_view name() const override { return name_; }
    TokenizerKind tokenizer_kind() const override { return TokenizerKind::words; }
    Learner learner() const override { return learner_; }

    SentencePair sample(Random& random) const override { return training_[sample_index(random)]; }
    std::size_t sample_index(Random& random) const override {
        std::size_t ticket = std::size_t(random.below(Index(total_share_)));
        auto block = blocks_.begin();
        for (; ticket >= block->share; ++block) ticket -= block->share;
        const Range& range = block->phrases[std::size_t(random.below(Index(block->phrases.size())))];
        return range.begin + std::size_t(random.below(Index(range.size)));
    }

    const std::vector<SentencePair>& held_out() const override { return held_out_; }
    const std::vector<SentencePair>& all_training() const override { return training_; }
    const std::vector<std::string>& alphabet() const override { return alphabet_; }
    std::size_t longest_source() const override { return longest_source_; }
    std::size_t longest_target() const override { return longest_target_; }

private:
    struct Range {
        std::size_t begin, size; // in training_
    };

    struct Block {
        std::size_t share;
        std::vector<Range> phrases;
    };

    void measure(const SentencePair& pair) {
        longest_source_ = std::max(longest_source_, count_words(pair.source));
        longest_target_ = std::max(longest_target_, count_words(pair.target));
    }

    void add(const SpokenBlock& spoken) {
        Block block{spoken.share, {}};
        for (const SpokenPhrase& phrase : spoken.phrases) {
            const std::size_t begin = training_.size();
            for (const SentencePair& pair : phrase.training) {
                training_.push_back(pair);
                if (takes_period(pair, periods_)) training_.push_back(with_period(pair, periods_));
                measure(training_.back());
            }
            if (training_.size() > begin) block.phrases.push_back({begin, training_.size() - begin});
        }
        if (block.phrases.empty()) return;
        total_share_ += block.share;
        blocks_.push_back(std::move(block));
    }

    std::string name_;
    Learner learner_;
    Periods periods_;
    std::vector<SentencePair> held_out_;
    std::vector<SentencePair> training_;
    std::vector<Block> blocks_;
    std::size_t total_share_ = 0;
    std::size_t longest_source_ = 0, longest_target_ = 0;
    std::vector<std::string> alphabet_;
};

} // namespace

std::unique_ptr<Task> make_phrase_task(std::string name, const std::vector<grammar::SpokenBlock>& blocks,
                                       Learner learner, Periods periods) {
    return std::make_unique<PhraseTask>(std::move(name), blocks, std::move(learner), periods);
}

} // namespace headlight
