// How the words of an answer come out, one by one: what a person asks of it, and all that there is to see.
#pragma once

#include "engine/decode/beam.h"
#include "engine/decode/writing.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

enum class GenerationMethod { greedy, draw, beam };
constexpr std::string_view generation_method_names[] = {"greedy", "draw", "beam"};

// Part of a question: which words the model is taken to have said.
struct GenerationSettings {
    GenerationMethod method = GenerationMethod::greedy;
    Sampling sampling;
    std::uint64_t seed = 1;
    Index width = 4; // of the beam, 1 … widest_beam
    double length_penalty = 1;
    // Of a model that only writes, not by beams: text after text, until there is no more room.
    bool is_endless = false;
    bool is_hasty = false;                      // the search is over as soon as `width` answers have ended
    std::vector<std::vector<TokenId>> branches; // words that a person made an answer begin with
    Index branch = 0;                           // which is followed, from 1; 0: the model's own way
    // What the decoder is fed of the answer: for the pass that chooses its word of this number (from 1), the
    // words before it; 0: all of it.
    Index pass = 0;
    Index opened = -1; // a branch of the beams' tree whose words are fed instead; −1: none

    bool operator==(const GenerationSettings&) const = default;
    // Words are chosen as they are where nobody has asked for anything.
    bool is_plain() const { return *this == GenerationSettings{}; }
    std::vector<TokenId> begun() const;
    void forget_words(); // what belongs to the answer to one sentence, in the words of one model
    Beam beam() const {
        return {.width = width, .length_penalty = length_penalty, .is_hasty = is_hasty, .begun = begun()};
    }
};
constexpr Index widest_beam = 16;

// The words that are said, whatever chooses them. `given`: as greedy_decode takes its source. Leaves nothing
// in particular in the graph.
struct OwnWords {
    std::vector<TokenId> words;  // fed
    bool is_prefix = false;      // not all that is said: up to a pass, or a branch that is opened
    bool is_cut = false;         // likewise, because it was not said to its end
    std::optional<TokenId> next; // said after them, where it is known: an end, or the word of a pass
};
// Nothing is looked for with more multiplications or words than that; 0: all it takes.
OwnWords own_words(Model& model, const std::vector<TokenId>& given, const GenerationSettings& settings,
                   Index most_multiplications = 0, Index most_words = 0);

// --- what there is to see ---------------------------------------------------------------------------------

// One of the words that might have been chosen.
struct WordChance {
    TokenId word = 0;
    double probability = 0; // by the model
    double drawn = 0;       // in what it was drawn from: 0 where it was cut off
};

struct SaidPlace {
    SaidWord said;
    std::vector<WordChance> chances; // the most probable ones, and the one that was said
    PassCost cost;                   // of the pass that chose it
};

struct SaidAnswer {
    std::vector<TokenId> begun; // by a person
    std::vector<SaidPlace> places;
    bool has_ended = false;
    double log_probability = 0;
};

// The decoder fed a target, and fed its own words.
struct Lanes {
    std::vector<ForcedWord> forced; // the target, then the end
    std::vector<ForcedWord> free;   // its own words, as it chose them, judged alike
    Index parted = -1;              // the first place where the two are fed different words; −1: nowhere
    double forced_loss = 0;         // mean −ln p of a wanted word, nats
    double free_loss = 0;
};

struct Generation {
    std::vector<TokenId> fed;        // before the first word of any answer
    std::vector<SaidAnswer> answers; // the model's own way, then the branches
    bool is_cached = false;
    Index cut_after = 0;        // words, where an answer was stopped because it takes long; 0: none was
    double encoder_seconds = 0; // 0: nothing is only read
    std::vector<PassCost> anew; // the passes of the answer that is followed, all computed anew; as measured
    std::optional<BeamTree> tree;
    std::vector<Index> ranked;  // its answers, the best first
    std::optional<Lanes> lanes; // where there is a target

    const SaidAnswer& followed(const GenerationSettings& settings) const;
};

// The same words, of what has been computed already.
OwnWords own_words(const Generation& generation, const GenerationSettings& settings, const Stream& target);

constexpr std::size_t chances_told = 12;

// How the words of an answer are chosen one after the other: the most probable ones, or drawn. At most so
// many, 0: as are usual for the model, or, where it is endless, as many as have room.
AnswerSettings answer_settings(const GenerationSettings& settings, const ModelMap& map, Index most_words = 0);
// The branch that is followed, as it is fed.
std::vector<TokenId> fed_of_branch(const std::vector<TokenId>& begun, const AnswerSettings& settings,
                                   const Stream& target);
// The words of a branch, what the tree began with left out.
std::vector<SaidWord> said_by(const BeamTree& tree, Index branch);

} // namespace headlight
