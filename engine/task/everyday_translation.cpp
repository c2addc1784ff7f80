#include "engine/base/giving_up.h"
#include "engine/task/everyday_task.h"
#include "engine/task/pairs.h"
#include "engine/task/plain_text.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace headlight {

namespace {

using language::Direction;

// Of the pairs that are trained on, those that the lexicon's grammar draws; the others are the phrasebook's.
constexpr double drawn_share = 0.35;
constexpr std::uint64_t one_line_of = 40; // is held out: 2.5 %
// And this share are sentences that classes use (phrasebook/classroom.tsv): known by heart, never held out.
constexpr double classroom_share = 0.02;

class EverydayTranslation final : public EverydayTask {
public:
    EverydayTranslation(std::string name, Index vocabulary, std::vector<SentencePair> phrasebook,
                        std::vector<SentencePair> classroom, FirstNames names,
                        std::unique_ptr<DrawnPairs> drawing, Direction direction)
        : EverydayTask(std::move(name), vocabulary),
          classroom_(std::move(classroom)),
          names_(std::move(names)),
          drawing_(std::move(drawing)),
          from_(direction == Direction::english_to_portuguese ? grammar::Language::english
                                                              : grammar::Language::portuguese) {
        // The English side decides, so that both directions hold out the same lines.
        std::set<std::string> by_heart; // essences, on either side
        for (const SentencePair& pair : classroom_)
            by_heart.insert({essence_of(pair.source), essence_of(pair.target)});
        for (SentencePair& pair : phrasebook) {
            give_up_if_told();
            const std::string& english = from_ == grammar::Language::english ? pair.source : pair.target;
            if (is_to_hold_out(english, one_line_of) && !by_heart.contains(essence_of(pair.source)))
                held_out_.push_back(std::move(pair));
            else
                training_.push_back(std::move(pair));
        }
        // What is asked is asked nowhere else, whatever the answer there.
        for (const SentencePair& pair : held_out_) asked_.insert(essence_of(pair.source));
        std::erase_if(training_, [&](const SentencePair& pair) { return is_asked(pair); });
        put_in_order(held_out_);
    }

    SentencePair sample(Random& random) const override {
        constexpr int tries = 10;
        for (int i = 0; i < tries; ++i) {
            SentencePair pair = chosen(random);
            if (fits(pair) && !is_asked(pair)) return pair;
        }
        return training_[std::size_t(random.below(Index(training_.size())))];
    }

private:
    SentencePair chosen(Random& random) const {
        if (!classroom_.empty() && random.uniform() < classroom_share) {
            SentencePair pair = classroom_[std::size_t(random.below(Index(classroom_.size())))];
            pair.source = as_typed(std::move(pair.source), from_, random);
            return pair;
        }
        const bool draws = drawing_ && random.uniform() < drawn_share;
        SentencePair pair =
            draws ? drawing_->draw(random) : training_[std::size_t(random.below(Index(training_.size())))];
        pair = renumbered(names_.renamed(std::move(pair), random), random);
        pair.source = as_typed(std::move(pair.source), from_, random);
        return pair;
    }

    static bool fits(const SentencePair& pair) {
        return std::max(pair.source.size(), pair.target.size()) < longest_everyday_bytes;
    }
    bool is_asked(const SentencePair& pair) const { return asked_.contains(essence_of(pair.source)); }

    // As many that are drawn as were written.
    std::vector<std::string> sentences() const override {
        std::vector<std::string> all = EverydayTask::sentences();
        if (!drawing_) return all;
        for (std::size_t i = 0; i < training_.size(); ++i) {
            give_up_if_told();
            Random random({0x5e47e4ce, i});
            SentencePair pair = drawing_->draw(random);
            all.push_back(std::move(pair.source));
            all.push_back(std::move(pair.target));
        }
        return all;
    }

    std::vector<SentencePair> classroom_;
    FirstNames names_;
    std::unique_ptr<DrawnPairs> drawing_; // null: the phrasebook alone
    grammar::Language from_;
    std::set<std::string> asked_; // essences of what is held out
};

} // namespace

Result<std::unique_ptr<Task>> make_everyday_translation(const std::string& name, const std::string& assets,
                                                        Index vocabulary) {
    const bool reversed = name == "everyday-pt-en";
    const auto direction = reversed ? Direction::portuguese_to_english : Direction::english_to_portuguese;
    Result<std::vector<SentencePair>> phrasebook = read_all_pairs(assets + "/phrasebook", reversed);
    if (!phrasebook) return phrasebook.error();
    std::vector<SentencePair> classroom;
    const std::string by_heart = assets + "/phrasebook/classroom.tsv";
    if (std::error_code ignored; std::filesystem::exists(by_heart, ignored)) {
        Result<std::vector<SentencePair>> read = read_all_pairs(by_heart, reversed);
        if (!read) return read.error();
        classroom = *std::move(read);
    }
    Result<FirstNames> names = FirstNames::read(assets + "/lexicon/names.txt");
    if (!names) return names.error();
    std::unique_ptr<DrawnPairs> drawing;
    if (std::error_code ignored; std::filesystem::exists(assets + "/grammars/everyday.txt", ignored)) {
        Result<std::unique_ptr<DrawnPairs>> opened = DrawnPairs::open(assets, direction);
        if (!opened) return opened.error();
        drawing = *std::move(opened);
    }
    auto task =
        std::make_unique<EverydayTranslation>(name, vocabulary, *std::move(phrasebook), std::move(classroom),
                                              *std::move(names), std::move(drawing), direction);
    if (task->all_training().empty()) return Error{"error.pairs_none", {assets + "/phrasebook"}};
    return std::unique_ptr<Task>(std::move(task));
}

} // namespace headlight
