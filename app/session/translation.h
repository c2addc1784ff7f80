#pragma once

#include "engine/base/result.h"
#include "engine/decode/confidence.h"
#include "engine/io/model_folder.h"
#include "engine/model/config.h"
#include "engine/tensor/real.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

// Which word of one sentence stands for which of another.

// A place in both sentences, or a word of one that has no partner in the other (−1).
struct WordPair {
    Index first = -1, second = -1;
    bool same = false; // the same token

    bool both() const { return first >= 0 && second >= 0; }
    bool operator==(const WordPair&) const = default;
};

// Both sentences as one row of pairs, each in its own order. Partners are the tokens of a longest common
// subsequence; and between two of these, where both sentences have as many words, those words one by one
// ("tired" and "wide"): they stand in the same place, though they are not the same. The others stay alone.
std::vector<WordPair> align(std::span<const TokenId> first, std::span<const TokenId> second);
// The same of words; the same text, the same word.
std::vector<WordPair> align_words(const std::vector<std::string>& first,
                                  const std::vector<std::string>& second);

// As patching takes numbers from one sentence into another: between sentences of one length each word stands
// for that in its place; others are aligned as above.
std::vector<WordPair> align_places(std::span<const TokenId> first, std::span<const TokenId> second);

// How far the answer on the screen can be trusted, by what the model's folder knows of answers like it:
// confidence.json,
//
//   {"right": "chrF >= 0.75", "bias": …, "of_mean": …, "of_least": …,
//    "reliability": [{"predicted": 0.94, "right": 61, "answers": 64}, …]}
//
// as `headlight evaluate --confidence` has written it. `reliability` is of other held-out sentences than
// those that it was learnt from.

class Experiment;

constexpr const char* confidence_name = "confidence.json";
constexpr double right_from = 0.75; // chrF (of words) from which an answer counts as right

// None: there is no such file, or it is none.
std::optional<Confidence> read_confidence(const std::filesystem::path& model);
Result<Done> write_confidence(const std::filesystem::path& model, const Confidence& confidence,
                              std::span<const ReliabilityBin> reliability);

// How probably the answer is right. None: nothing is known of this model's answers, or what is fed is not its
// own answer.
std::optional<double> answer_trust(const Experiment& experiment);
constexpr double guess_below = 0.5; // more of such answers are wrong than right

// An answer read back by the model of the other direction, for who does not read the language that it is in.

class Experiment;

// The folder beside this one whose name has the last two parts the other way round: "translate-pt-en" of
// "translate-en-pt".
std::optional<std::filesystem::path> opposite_model(const std::filesystem::path& model);

class BackTranslation {
public:
    // What is shown follows the answer, once all of it is said. True when it is another than before.
    // `wanted`: else there is none, and nothing is computed.
    bool follow(const Experiment& experiment, bool wanted);
    const std::string& text() const { return text_; } // empty: none
    // Why there is none although it is wanted: the model of the other direction does not open.
    std::optional<Error> take_trouble() { return std::exchange(trouble_, std::nullopt); }

private:
    Result<Done> open(const std::filesystem::path& folder);

    std::filesystem::path folder_; // of the model that reads back, whether it opens or not
    std::unique_ptr<ModelFiles> files_;
    std::unique_ptr<Model> model_;
    std::string answer_, text_;
    std::optional<Error> trouble_;
};

} // namespace headlight
