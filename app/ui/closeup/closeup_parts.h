#pragma once

#include "app/look/colour.h"
#include "app/session/cut_text.h"
#include "app/session/session.h"
#include "app/session/value_names.h"
#include "app/ui/base/theme.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/columns.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

// What the close-up of tokens is put together from.

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

// The two ways in which a followed token is shown.

struct WordView {
    const Session& session;
    CommandSink& commands;
    FollowedAttention attention;
    WordStage stage = WordStage::vectors;
    bool has_mask = false;
    Index head = 0, token = 0;
    const std::vector<std::string>&queries, &keys; // the tokens' names

    // Where this head lies in a value.
    Index place_in(const Node& node) const { return place_of_head(session.model().map(), node, head); }
    bool shows(WordStage what) const { return stage >= what; }
};

// A line for every key: what the token's query makes of it, and of its value.
void word_by_word(const ScreenRect& rect, const WordView& view);

// The attention's matrices, the token's row lit.
void word_as_matrices(const ScreenRect& rect, const WordView& view);

// What stands in the table of a worked-out row: a line for each strip of numbers that has appeared.

struct WorkingLine {
    std::string name;               // of the widget
    std::string label, place;       // "K", "cat"
    std::optional<Colour> colour{}; // query's, key's, value's
    std::vector<float> numbers;
    std::vector<CellRef> cells; // of the graph, one for each number, or none
    std::size_t known = 0;      // the first so many are known
    bool shared = false;        // not a number for each column
    std::string symbol;         // of a step or a constant
    bool is_result = false;
    Palette palette = Palette::diverging;
};

struct WorkingTable {
    std::vector<WorkingLine> lines;  // those to come have nothing known
    std::optional<Cell> arithmetic;  // the cell whose arithmetic is written out
    std::optional<int> focus;        // of the numbers side by side: the one to read first
    std::vector<std::string> places; // what these numbers stand for: "cat", "dog"; none: their numbers
    Index first_place = 0;
    std::string generation;    // key of the sentence about this moment
    std::string lit_part;      // of the formula: what has just been worked out
    std::vector<Index> edited; // columns whose numbers between are not shown
};

WorkingTable working_table(const Session& session, const RowWorking& working, const Workings& at);

} // namespace headlight
