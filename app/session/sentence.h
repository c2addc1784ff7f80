// One sentence run through the model: what was fed, what came out.
#pragma once

#include "app/session/generation.h"
#include "app/session/loaded_model.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

struct Sentence {
    std::vector<Piece> source;              // as typed, cut into tokens; without </s>
    std::vector<TokenId> given_ids;         // the typed words as what writes is given them (as_given)
    std::vector<TokenId> source_ids;        // as fed: `tokens </s>`
    std::vector<TokenId> target_ids;        // as fed: `<s> tokens`
    std::vector<TokenId> goal_ids;          // what it should say after each: `tokens </s>`
    std::vector<TokenId> chosen_ids;        // what the model says at each position: words, or classes
    std::vector<std::string> source_labels; // the vocabulary's strings for source_ids; unknown words as typed
    std::vector<std::string> target_labels; // for target_ids
    std::vector<std::string> goal_labels;   // for goal_ids
    std::vector<std::string> chosen_labels; // for chosen_ids; of a model that says numbers the first of these
    std::vector<bool> known;                // of the typed stream's tokens, as fed
    std::string output;                     // what it says as text
    std::size_t before_own = 0;             // tokens of the target before the first word that it said
    bool teacher_forced = false;            // the target was given, and is what should be said
    bool is_prefix = false;                 // fed some of its own words, as one pass of saying them was
    bool is_cut = false;                    // likewise, because nobody waited until all were said (Waiting)
    Index tokens_left_out = 0;              // the sentence was longer than the model reads
};

// An answer that was said elsewhere, word by word.
struct KnownAnswer {
    std::vector<TokenId> words; // without an end
    bool is_cut = false;        // it was stopped, and has at least one word
};

// How long somebody waits until the model has said its own words. Those that take longer are said between
// frames (Experiment::advance_writing).
struct Waiting {
    double seconds = std::numeric_limits<double>::infinity();
    Index most_words = 0;               // that are waited for at all; 0: all
    const KnownAnswer* known = nullptr; // nobody has to wait
    // Of words that are chosen in other ways: with how many multiplications they are looked for, 0: all; and
    // what they are, where that is known.
    Index most_multiplications = 0;
    const OwnWords* own = nullptr;
};

// Which words a stream has, or what the model says is of; null: the latter.
const Tokenizer& tokenizer_of(const ModelFiles& files, const Stream* stream);
// How a word or a class that the model may say is called: a class without a label, by its number.
std::string said_label(const ModelFiles& files, const ModelMap& map, Index id);

// The labels of what it says but for a mark of the end, which is a word said as any.
std::vector<std::string> words_said(const Sentence& sentence, const ModelMap& map);

// What the words of a stream are called, as they were fed to these tokens.
const std::vector<std::string>& labels_of(const Sentence& sentence, const ModelMap& map, const Node& tokens);

// Whether these are the words that are written.
bool is_target(const ModelMap& map, const Node& tokens);

// The sentence that is typed is read, or, where nothing is only read, written on.
const Stream* typed_stream(const ModelMap& map);

// Feeds a pass the words of a sentence: every stream that is read its source, the one that is written its
// target.
void feed_sentence(const Sentence& sentence, Model& model);

// What was typed as it is fed, and nothing computed of it.
Sentence read_sentence(const ModelFiles& files, const ModelMap& map, const std::string& source);

// Computes every value of a pass of the model, the loss too. Without `target` what writes is fed its own
// words, chosen as `saying` has it, which are then also what it should have said.
Sentence run_sentence(const ModelFiles& files, Model& model, const std::string& source,
                      const std::optional<std::string>& target, const GenerationSettings& generation = {},
                      const Waiting& waiting = {});
// The same, of the pass that is shown.
Sentence run_sentence(LoadedModel& model, const std::string& source, const std::optional<std::string>& target,
                      const GenerationSettings& generation = {}, const Waiting& waiting = {});

} // namespace headlight
