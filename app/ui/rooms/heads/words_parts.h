// What the page of a word over many sentences is put together from.
#pragma once

#include "app/ui/rooms/heads/words_data.h"

namespace headlight {

struct WordsContext {
    const Session& session;
    CommandSink& commands;
    const WordPlaces& places;
    const WordsPicture& picture;
    std::size_t stop = 0;
    WordsData& data;

    const std::string& text(std::string_view key) const { return session.strings().text(key); }
    std::string text(std::string_view key, const std::vector<std::string>& values) const {
        return session.strings().text(std::string(key), values);
    }
    const ReadSentence& sentence_of(std::size_t point) const {
        return places.sentences()[picture.shown[point].sentence];
    }
};

Colour colour_of_sense(std::optional<std::size_t> sense);
// "… cortar a manga": the word with what stands before it.
std::string short_context(const WordPlaces& places, const WordPlace& place);

// The points; returns the one of the word under the pointer.
std::optional<std::size_t> words_plane(const ScreenRect& rect, WordsContext& words);
void words_side(PanelColumn& column, WordsContext& words, std::optional<std::size_t> lit);

} // namespace headlight
