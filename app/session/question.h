// Everything that the numbers in the window depend on. Undo, a saved session and its replay work on it alone.
#pragma once

#include "app/session/changes.h"
#include "app/session/generation.h"
#include "app/session/small_pages.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

struct Question {
    std::filesystem::path model; // its folder; empty: none, or one that was never saved
    std::string source;
    std::optional<std::string> target; // given: teacher forcing; none: the model's own words
    std::optional<std::string> second; // another sentence, to compare with
    std::vector<Change> changes;       // what-ifs, in the order in which they are made
    GenerationSettings generation;     // which of its words the model is taken to have said
    double label_smoothing = 0; // ε of the loss: of the wanted distribution, so much is spread over all words
    // In the padded batch beside the sentence and the second one; none: a few examples of other lengths.
    std::optional<std::vector<std::string>> batch;
    SmallPagesSetting small_pages;

    bool operator==(const Question&) const = default;
};

// model, source, target, second, smoothing, change, changes, drag. `replaying`: a saved session is being
// read.
void add_question_commands(CommandRegistry& commands, Inquiries& inquiries,
                           const std::filesystem::path& assets, const bool& replaying,
                           std::function<Result<Done>(const std::string&)> open_model);

} // namespace headlight
