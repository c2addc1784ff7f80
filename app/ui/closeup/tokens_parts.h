// What the close-up of tokens is put together from.
#pragma once

#include "app/session/cut_text.h"
#include "app/ui/values/panel.h"
#include "app/ui/widgets/panel_column.h"
#include "app/ui/widgets/scrolled_column.h"

namespace headlight {

struct CutPlace {
    const Session& session;
    const TextCut& text;
    CutFilm film;
    CommandSink& commands;

    const Strings& strings() const { return session.strings(); }
    const CutWord& word() const { return text.word(film.word); }
    std::string part(std::size_t begin, std::size_t end) const; // characters of the word, as they are shown
};

// One word's way through the model of the tokenizer, at the present moment.
void draw_bpe_film(PanelColumn& column, const CutPlace& place, const BpeFilm& film);
void draw_word_piece_film(PanelColumn& column, const CutPlace& place, const WordPieceFilm& film);
void draw_unigram_film(PanelColumn& column, const CutPlace& place, const UnigramFilm& film);
void draw_look_up(PanelColumn& column, const CutPlace& place, const LookUpFilm& film);

// What the model is fed: each token with its id and its bytes, those of a word together.
void draw_fed_tokens(PanelColumn& column, const CutPlace& place);

} // namespace headlight
