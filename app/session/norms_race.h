// Two Transformers alike but for their norm, trained beside one another; and what batch norm does to a
// sentence afterwards, by the batch that it comes in and by what training kept.
#pragma once

#include "app/live/live_race.h"
#include "app/session/page_views.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

// Of the plan by which a setting races: the same weights, seed, rate and batches for both.
RacePlan norms_plan(const NormsSetting& setting);

// A model judged on held-out sentences, some of them at once.
struct NormsJudged {
    bool batch_norm = false;
    Index at_once = 0; // by the statistics of batches of so many; 0: by what training kept
    Evaluation held_out;
};

// The same sentence in one batch with others: what is said after its own beginning, and the mean loss of its
// words, in nats.
struct NormsBeside {
    std::string first_other; // of the others
    std::string by_batch, by_kept;
    double loss_by_batch = 0, loss_by_kept = 0;
};

struct NormsTrained {
    std::vector<NormsJudged> judged; // layer norm, batch norm by what was kept, by batches of 1, 2, 8, 32
    SentencePair pair;               // the sentence
    Index sentence = 0, others = 0;  // which of those held out; how many stand beside it
    std::vector<NormsBeside> beside; // in six batches
    double layer_loss = 0;           // of the same sentence under layer norm, in every batch
    std::string by_layer;
};

class NormsRace {
public:
    explicit NormsRace(std::filesystem::path assets) : assets_(std::move(assets)) {}

    // Begins, or goes on with the race that is there where it is of the same plan. Errors: check_race.
    Result<Done> start(const NormsSetting& setting);
    void stop();
    void forget();
    bool is_going() const { return live_ && live_->is_going(); }
    bool wait(double seconds); // until it is over; false when it is not
    // To be called again and again. True when there is something new.
    bool advance();
    std::optional<Error> take_trouble() { return std::exchange(trouble_, {}); }

    const RaceNews* news() const { return news_.get(); } // null: there is none
    // Of both models once they are trained, computed when it was not; null before.
    const NormsTrained* trained(Index sentence);
    const NormsTrained* trained() const { return trained_ ? &*trained_ : nullptr; } // the last

private:
    const ModelFiles* model(std::string_view racer) const; // as it is when its training is over

    const std::filesystem::path assets_;
    std::unique_ptr<LiveRace> live_;
    std::shared_ptr<const RaceNews> news_;
    std::optional<NormsTrained> trained_;
    std::optional<Error> trouble_;
};

} // namespace headlight
