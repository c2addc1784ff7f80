// Several sentences in one batch, padded to one length and computed twice: with the padding masks, and with
// <pad> to be looked at like any word. Beside each sentence stands what the model makes of it alone.
#pragma once

#include "app/session/sentence.h"
#include "engine/tensor/tensor.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

struct BatchSentence {
    std::string source;
    std::optional<std::string> target = {}; // none: the model's own words
};

// What became of a sentence's own numbers in the batch: batch − alone, <pad> left out.
struct Deviation {
    double read = 0;          // ‖difference‖ of the first stream's output, the root of the sum of squares
    double largest = 0;       // |difference| of any number of that output and of the probabilities
    Index first_wrong = -1;   // word of the output that is no longer the most probable one; −1: none
    std::string instead = {}; // what is more probable then
};

struct PaddedSample {
    Sentence alone;
    std::vector<std::string> source_labels, target_labels; // padded
    Index source_length = 0, target_length = 0;            // without <pad>
    // Of each word or class of the goal.
    std::vector<double> probability_alone, probability_masked, probability_unmasked;
    Deviation masked, unmasked;
};

struct PaddedBatch {
    std::vector<PaddedSample> samples;
    Index source_length = 0, target_length = 0; // of all
    unsigned long version = 0;                  // another with every computation
    // The batch computed with the padding masks and without: values are [samples × …], those of heads
    // [samples · heads × …]. Valid until another batch of this model is computed.
    const Graph *masked = nullptr, *unmasked = nullptr;
    const ModelMap* map = nullptr;

    Index heads_of(const std::string& attention) const;
    // The words of an attention's queries or keys, padded, and how many of them are the sample's own.
    const std::vector<std::string>& labels(const std::string& attention, Index sample, bool queries) const;
    Index length(const std::string& attention, Index sample, bool queries) const;
    // The matrix of an attention's weights for one sample and head.
    const Real* weights(const Graph& graph, const std::string& attention, Index sample, Index head) const;
    // How much of the attention of one query, or on average of all of the sample's own, lies on <pad>.
    double on_padding(const Graph& graph, const std::string& attention, Index sample, Index head,
                      std::optional<Index> query = {}) const;
};

// The model as it was trained, without what-ifs. There is at least one sentence.
PaddedBatch compute_padded_batch(LoadedModel& model, const std::vector<BatchSentence>& sentences);

// Whether a model pads: then there is a batch of it to be seen.
bool pads(const ModelMap& map);

// Paths of the attentions, "encoder.0.self_attn", whose keys may be <pad> for a sentence's own words: not
// where look-ahead forbids it already, because <pad> comes after every word.
std::vector<std::string> attentions_with_padding(const ModelMap& map);

} // namespace headlight
