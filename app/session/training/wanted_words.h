// The sentence as training has it: fed what its task or its file wants of it, and asked for the next wanted
// word, whatever the canvas shows. What a model should say never comes from the model.
#pragma once

#include "app/session/loaded_model.h"
#include "app/session/sentence.h"

#include <memory>
#include <optional>
#include <string>

namespace headlight {

class LiveTraining;
class Session;

// What the task of the run that is looked at, or the file of its pairs, wants of this sentence; nothing where
// they do not have it.
std::optional<std::string> wanted_of(const LiveTraining& training, const std::string& source);

class WantedWords {
public:
    // Computes anew what is other than it was. False where nobody knows what the sentence should become: no
    // run is shown, or its task does not have the sentence.
    bool bring_up_to_date(const Session& session);

    const std::string& target() const { return *target_; }
    const Sentence& sentence() const { return sentence_; }
    const LoadedModel& model() const { return *scratch_; }

private:
    unsigned long version_ = 0; // of the session, for which it holds
    std::optional<std::string> target_;
    std::shared_ptr<const LoadedModel> shown_;
    std::unique_ptr<LoadedModel> scratch_; // its weights, changed as it is
    Sentence sentence_;
};

} // namespace headlight
