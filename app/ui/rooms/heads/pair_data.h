// Two sentences beside each other: one head's map of both and what differs, and a word's way through the
// layers of both. Found from the two computed graphs, and kept until the numbers change.
#pragma once

#include "app/session/stream_stops.h"
#include "app/session/translation.h"
#include "app/ui/rooms/heads/heads_data.h"
#include "engine/inspect/statistics.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

// --- the maps ----------------------------------------------------------------------------------------------

// A map [queries × keys] with the words at its edges.
struct WordMap {
    std::vector<std::string> queries{}, keys{};
    std::vector<Real> numbers{};
};

struct PairedMap {
    std::string path; // of the attention
    HeadMap map = HeadMap::one;
    Index head = 0;
    bool transposed = false;                 // rows are keys
    std::string stream{};                    // that the queries are words of
    std::vector<WordPair> queries{}, keys{}; // how the words of both are paired
    // Second minus first over the pairs, a row and a column each; −∞ where a word has no partner.
    WordMap first{}, second{}, difference{};
    Real largest = 0; // of first and second: where the colours of both end
    // How much of its attention the followed word gives to other places in the second sentence: half of the
    // sum of |second − first| over its row, 0 … 1. None where it is no query, and for
    // maps that are no attention: maximum, roll-out.
    std::optional<double> elsewhere{};
};

// The head that looks most differently from the followed word.
struct PartingHead {
    std::string path;
    Index head = 0;
    double elsewhere = 0;
};

// --- the way -----------------------------------------------------------------------------------------------

// One place of the residual stream, and the vectors of both words there.
struct WayStop : StreamStop {
    std::span<const Real> first{}, second{}; // [d_model]
    double distance = 0, cosine = 0;         // between the two vectors, all of their numbers
};

struct WordWay {
    FollowedWords words;
    std::vector<WayStop> stops; // in the order of computation
    // Principal components of exactly these vectors: first's stops, then second's.
    Projection projection;
};

// The streams whose words can tell two sentences apart: of those that are fed the same words the first.
std::vector<const Stream*> followed_streams(const ModelMap& map);
// Pairs of the tokens that it is fed in two sentences.
std::vector<WordPair> align(const Sentence& first, const Sentence& second, const Stream& stream);

// The word that both sentences share and that ends up in the most different directions: among those that are
// read first, unless none of them turns away from its partner and one of a later stream does.
FollowedWords parting_words(const Session& session);
WordWay follow(const Session& session, const FollowedWords& words);

// What the page shows; ask only while there is a second sentence.
class PairData {
public:
    const WordWay& way(const Session& session);
    const PairedMap& map(const Session& session, HeadsData& first);
    const PartingHead& parting_head(const Session& session, HeadsData& first);

private:
    void refresh(const Session& session);

    unsigned long version_ = 0;
    std::vector<MeasuredAttention> second_; // of the second sentence
    std::optional<FollowedWords> parting_words_;
    std::optional<WordWay> way_; // the rest is of its words
    std::optional<PartingHead> parting_head_;
    std::optional<PairedMap> map_;
};

} // namespace headlight
