#include "app/ui/rooms/heads/words_data.h"

#include <algorithm>
#include <limits>

namespace headlight {

namespace {

constexpr std::size_t neighbours_each = 2, most_neighbours = 14, most_near = 6;

// The nearest words of all places together, those first that are near to the most.
std::vector<WordPlace> word_neighbours(const WordPlaces& places, const WordsPicture& picture) {
    struct Found {
        std::size_t count = 0;
        NearWord best;
    };
    std::map<std::vector<TokenId>, Found> found;
    for (const std::vector<NearWord>& near : picture.near)
        for (std::size_t i = 0; i < std::min(neighbours_each, near.size()); ++i) {
            Found& word = found[places.word(near[i].place).ids];
            if (++word.count == 1 || near[i].cosine > word.best.cosine) word.best = near[i];
        }
    std::vector<Found> all;
    for (const auto& [ids, word] : found) all.push_back(word);
    std::stable_sort(all.begin(), all.end(),
                     [](const Found& a, const Found& b) { return a.count > b.count; });
    if (all.size() > most_neighbours) all.resize(most_neighbours);
    std::vector<WordPlace> chosen;
    for (const Found& word : all) chosen.push_back(word.best.place);
    return chosen;
}

void tell_near_words(WordGroup& group, const WordPlaces& places, const WordsPicture& picture) {
    std::map<std::vector<TokenId>, std::pair<std::string, double>> sums;
    for (const std::size_t member : group.members)
        for (const NearWord& near : picture.near[member]) {
            const ReadWord& word = places.word(near.place);
            auto& [text, sum] = sums[word.ids];
            text = word.text;
            sum += near.cosine;
        }
    for (auto& [ids, word] : sums)
        group.near.emplace_back(word.first, word.second / double(group.members.size()));
    std::stable_sort(group.near.begin(), group.near.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    if (group.near.size() > most_near) group.near.resize(most_near);
}

std::vector<WordGroup> word_groups(const WordPlaces& places, const WordsPicture& picture) {
    std::vector<WordGroup> all(places.senses().size() + 1);
    for (std::size_t s = 0; s < places.senses().size(); ++s) all[s].sense = s;
    for (std::size_t i = 0; i < picture.asked; ++i) {
        const auto sense = places.sense_of(picture.shown[i]);
        all[sense.value_or(all.size() - 1)].members.push_back(i);
    }
    std::erase_if(all, [](const WordGroup& group) { return group.members.empty(); });
    for (WordGroup& group : all) tell_near_words(group, places, picture);
    return all;
}

PaperPoint in_plane_of(std::span<const Real> vector, const Projection& onto) {
    double along[2] = {0, 0};
    for (Index axis = 0; axis < 2; ++axis)
        for (Index i = 0; i < Index(vector.size()); ++i)
            along[axis] +=
                (double(vector[std::size_t(i)]) - double(onto.mean(0, 0, i))) * double(onto.axes(0, axis, i));
    return {float(along[0]), float(along[1])};
}

std::vector<Real> word_middle(const WordPlaces& places, const WordsPicture& picture, const WordGroup& group,
                              std::size_t stop) {
    std::vector<Real> sum;
    for (const std::size_t member : group.members) {
        const std::span<const Real> vector = places.vector(stop, picture.shown[member]);
        sum.resize(vector.size());
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += vector[i];
    }
    return sum; // its length does not matter
}

} // namespace

WordsPicture picture_of(const WordPlaces& places, std::size_t stop) {
    WordsPicture picture;
    picture.shown = places.places();
    picture.asked = picture.shown.size();
    for (const WordPlace& place : picture.shown)
        picture.near.push_back(places.nearest(stop, place, std::numeric_limits<std::size_t>::max()));
    for (const WordPlace& place : word_neighbours(places, picture)) picture.shown.push_back(place);
    std::vector<std::span<const Real>> vectors;
    for (const WordPlace& place : picture.shown) vectors.push_back(places.vector(stop, place));
    picture.is_one_point = true;
    for (std::size_t i = 1; i < picture.asked; ++i)
        picture.is_one_point = picture.is_one_point && std::ranges::equal(vectors[0], vectors[i]);
    // The plane is the word's own; where it has but one vector, that of the words near to it.
    const std::span<const std::span<const Real>> all(vectors);
    picture.projection = principal_components(picture.is_one_point ? all : all.first(picture.asked));
    for (const std::span<const Real> vector : vectors)
        picture.points.push_back(in_plane_of(vector, picture.projection));
    picture.groups = word_groups(places, picture);
    if (picture.groups.size() > 1 && picture.groups[1].sense)
        picture.apart = cosine(word_middle(places, picture, picture.groups[0], stop),
                               word_middle(places, picture, picture.groups[1], stop));
    return picture;
}

const WordsPicture& WordsData::at(const WordPlaces& places, std::size_t stop) {
    if (version_ == places.version() && stop_ == stop) return picture_;
    WordsPicture before = std::exchange(picture_, picture_of(places, stop));
    const bool is_same_word = version_ == places.version();
    version_ = places.version();
    stop_ = stop;
    if (!is_same_word) {
        moving_since = -1;
        return picture_;
    }
    // A component is the same with the other sign: turned over where the word's points fit better then.
    for (float PaperPoint::*axis : {&PaperPoint::x, &PaperPoint::y}) {
        float agreement = 0;
        for (std::size_t i = 0; i < picture_.asked; ++i)
            agreement += before.points[i].*axis * picture_.points[i].*axis;
        if (agreement < 0)
            for (PaperPoint& point : picture_.points) point.*axis = -(point.*axis);
    }
    from = drawn;
    moving_since = -2; // from the next frame on
    return picture_;
}

} // namespace headlight
