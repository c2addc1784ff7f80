// What the page of two sentences is put together from.
#pragma once

#include "app/ui/rooms/heads/heads_parts.h"

namespace headlight {

// One colour for each sentence: that of the cells in which it has the larger number.
inline Colour sentence_colour(const Theme& theme, bool second) {
    return second ? theme.colours.positive : theme.colours.negative;
}

std::string word_of(const Session& session, const FollowedWords& words, bool second);
// "it", or "tired | wide" where the two are not the same.
std::string both_words(const Session& session, const FollowedWords& words);

// Where the second sentence is typed, and pairs that the model is made for.
void pair_field(PanelColumn& column, const Session& session, CommandSink& commands);
// While there is no second sentence: what the page shows, and the same pairs to begin with.
void pair_start(PanelColumn& column, const Session& session, CommandSink& commands);

// Both sentences as the model reads them and what it makes of them, a line or more each. Words of one alone
// are in its colour; a click follows a word.
void pair_words(PanelColumn& column, const Session& session, const FollowedWords* followed,
                CommandSink& commands);

// Maps or way; which attention, which head.
void pair_choices(PanelColumn& column, const Session& session, const PairedMap& map,
                  const PartingHead& parting, CommandSink& commands);

// The three maps, and the three numbers under the pointer; a click holds the number of the first sentence.
void pair_maps(const ScreenRect& rect, const Session& session, const PairedMap& map,
               const FollowedWords& words, std::optional<MatrixCell>& pointed, CommandSink& commands);

// The way of a word: in the plane, and how far apart the two are at each stop. As high as is said where it
// fits in that, else higher.
void pair_way(PanelColumn& column, float height, const Session& session, const WordWay& way);
// The plane alone; `lit` is a stop to be brought out. Returns the stop under the pointer.
std::optional<std::size_t> pair_plane(const ScreenRect& rect, const Session& session, const WordWay& way,
                                      std::optional<std::size_t> lit);
std::string stop_name(const Session& session, const StreamStop& stop);

} // namespace headlight
