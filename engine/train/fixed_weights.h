// Fixed weights do not attend: a network that has learned a weight for each place of a sentence, beside one
// whose weights depend on the words (Bishop & Bishop 2023, §12.1). Both mix the vectors of a sentence's words
// into one, y = Σ a_t x_t, and say which *manga* it is about: the fruit or the sleeve.
#pragma once

#include "engine/graph/graph.h"
#include "engine/model/parameters.h"
#include "engine/train/adam.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace headlight {

enum class Mixing {
    fixed,     // a_t is a weight of the network, one for each place
    attention, // a = softmax(q Kᵀ / √d), q being the query of "manga"
};

struct SenseSentence {
    std::vector<std::string> words;
    Index sense = 0; // 0: the fruit, 1: the sleeve
};
const std::vector<SenseSentence>& manga_sentences(); // that both learn
const std::vector<std::string>& sense_vocabulary();  // their words; the first is for all that are unknown
const std::vector<std::string>& words_in_front(Index count); // "hoje", "hoje cedo", …: they decide nothing
constexpr Index most_in_front = 4, longest_sense_sentence = 16;

// What one sentence becomes in one of the networks; values under the present scope: "tokens" [T × 1], "x"
// [T × d], "weights" [1 × T] ("places" where they are fixed), "mixed" [1 × d], "logits" and "probabilities"
// [1 × 2]; of attention "query" [1 × d], "keys" [T × d], "scores", "scaled" [1 × T] too.
struct SensePass {
    Node *tokens = nullptr, *weights = nullptr, *logits = nullptr, *probabilities = nullptr;
};

class SenseNet {
public:
    SenseNet(Mixing mixing, std::uint64_t seed);

    // Adds the values of a sentence of that many words to a graph, and feeds it. `gradients`: laid out like
    // the parameters; null: nothing is learned.
    SensePass add(Graph& graph, std::span<const std::string> words, Real* gradients = nullptr);
    // As it is after so many epochs, each once over all sentences and a step of Adam: trained as far as it is
    // not yet, else as it was then. What reads its weights has to be computed again.
    void show(Index epoch);
    const std::vector<float>& losses() const { return losses_; } // by epoch, as far as it was trained

private:
    void learn();
    float loss() const; // as it was computed last, the mean over the sentences
    void keep();

    Mixing mixing_;
    Parameters parameters_;
    AlignedReals gradients_;
    std::unique_ptr<Adam> adam_;
    struct Lesson {
        Graph graph;
        Node* loss = nullptr;
        AlignedReals gradients;
    };
    std::vector<std::unique_ptr<Lesson>> lessons_; // a graph for each sentence
    std::vector<float> losses_;
    std::vector<std::vector<Real>> kept_; // the weights, by epoch
};

// --- as they are looked at --------------------------------------------------------------------------------

struct FixedWeightsSetting {
    Index in_front = 0, epochs = 150;
    std::uint64_t seed = 1;
    std::string own = "Ela vai comer a manga da feira"; // the third sentence
    bool operator==(const FixedWeightsSetting&) const = default;
};
constexpr Index most_sense_epochs = 400;

// Three sentences through both, as they are after so many epochs: "places.fixed.0.places",
// "places.attention.2.probabilities".
class FixedWeights {
public:
    // `before`: whose networks go on to be used where they are of the same seed.
    explicit FixedWeights(const FixedWeightsSetting& setting, const FixedWeights* before = nullptr);
    FixedWeights(const FixedWeights&) = delete;

    static constexpr Index sentences = 3;
    const Graph& graph() const { return graph_; }
    const std::vector<std::string>& words(Index sentence) const { return words_[std::size_t(sentence)]; }
    // As they were typed: what is not in the vocabulary stands here in its own letters.
    bool is_known(Index sentence, Index word) const;
    const SensePass& pass(Mixing mixing, Index sentence) const {
        return passes_[std::size_t(mixing)][std::size_t(sentence)];
    }
    // Of which sentence these tokens are.
    const std::vector<std::string>* words_of(const Node& tokens) const;
    // By epoch, as far as it was trained.
    const std::vector<float>& losses(Mixing mixing) const { return nets_[std::size_t(mixing)]->losses(); }
    const FixedWeightsSetting& setting() const { return setting_; }

private:
    FixedWeightsSetting setting_;
    std::shared_ptr<SenseNet> nets_[2];
    Graph graph_;
    std::vector<std::string> words_[sentences];
    SensePass passes_[2][sentences];
};

std::vector<std::string> cut_into_words(const std::string& text); // in small letters, at most the longest

} // namespace headlight
