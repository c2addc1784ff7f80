// A task that keeps its pairs and draws each with the same probability.
#pragma once

#include "engine/task/task.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

class KeptPairs : public Task {
public:
    std::string_view name() const override { return name_; }
    SentencePair sample(Random& random) const override { return training_[sample_index(random)]; }
    std::size_t sample_index(Random& random) const override {
        return std::size_t(random.below(Index(training_.size())));
    }
    const std::vector<SentencePair>& held_out() const override { return held_out_; }
    bool held_out_is_training() const override { return held_out_is_training_; }
    const std::vector<SentencePair>& all_training() const override { return training_; }
    const std::vector<std::string>& alphabet() const override { return alphabet_; }

protected:
    explicit KeptPairs(std::string name) : name_(std::move(name)) {}
    // Where nothing is held out, the first of those that are trained on stand in for it.
    KeptPairs(std::string name, std::vector<SentencePair> training, std::vector<SentencePair> held_out,
              std::vector<std::string> alphabet = {})
        : name_(std::move(name)),
          training_(std::move(training)),
          held_out_(std::move(held_out)),
          held_out_is_training_(held_out_.empty()),
          alphabet_(std::move(alphabet)) {
        if (held_out_is_training_)
            held_out_.assign(training_.begin(),
                             training_.begin() + std::ptrdiff_t(std::min(training_.size(), held_out_limit)));
    }

    std::string name_;
    std::vector<SentencePair> training_, held_out_;
    bool held_out_is_training_ = false;
    std::vector<std::string> alphabet_; // of a task cut into characters
};

} // namespace headlight
