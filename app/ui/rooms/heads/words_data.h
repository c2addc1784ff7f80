// Where a word lives, at one stop: what is drawn in the plane, and which words are near. Kept until the stop,
// or what is read, is another.
#pragma once

#include "app/session/session.h"
#include "app/ui/rooms/heads/measure_parts.h"
#include "engine/inspect/statistics.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

// Places of the word whose sentences the model gives one meaning, or of all where it knows of none.
struct WordGroup {
    std::optional<std::size_t> sense; // of WordPlaces::senses(); none: what has none of them
    std::vector<std::size_t> members; // numbers of points
    // The mean over its members of the cosine to each other word where that is nearest: the nearest first.
    std::vector<std::pair<std::string, double>> near;
};

struct WordsPicture {
    std::vector<WordPlace> shown; // the word's places, then those of words near to them
    std::size_t asked = 0;        // how many of these are the word's
    std::vector<PaperPoint> points;
    Projection projection;                   // of the word's vectors: the others are seen in their plane
    std::vector<std::vector<NearWord>> near; // of each of the word's places
    std::vector<WordGroup> groups;           // by sense, those without one last
    std::optional<double> apart;             // cosine of the middles of the first two meanings
    bool is_one_point = false;               // all vectors of the word are alike
};

WordsPicture picture_of(const WordPlaces& places, std::size_t stop);

class WordsData {
public:
    const WordsPicture& at(const WordPlaces& places, std::size_t stop);
    // Where a point that was drawn at another stop stood, by sentence and word, in pixels.
    std::map<std::pair<std::string, std::size_t>, ImVec2> drawn, from;
    double moving_since = -1; // seconds of Dear ImGui's clock; −1: nothing moves
    std::string typed, word;  // into the fields
    std::string word_was;     // the session's, when it last was another

private:
    unsigned long version_ = 0;
    std::size_t stop_ = 0;
    WordsPicture picture_;
};

} // namespace headlight
