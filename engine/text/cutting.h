// How a text was cut into tokens, step by step: what the tokenizer did, kept for showing.
#pragma once

#include "engine/text/tokenizer.h"

namespace headlight {

// How one word became tokens. WordLevel: it was looked up, and that is all.
struct LookUpFilm {
    bool lowercased = false; // found only in lower case
};
using WordFilm = std::variant<LookUpFilm, BpeFilm, WordPieceFilm, UnigramFilm>;

struct CutWord {
    std::string text; // as the model sees it: “Ġthe”, “▁the”, “the”
    TypedRange typed; // where it was typed
    std::vector<std::size_t>
        starts; // byte of each character of `text`, and of the end: films count characters
    WordFilm film;
    std::size_t first_piece = 0, pieces = 0; // which of Cutting::pieces it became
};

// A part of the text between added tokens, or one of these.
struct CutStretch {
    TypedRange typed;
    TokenId added = no_token;        // not no_token: it is this added token, and has no words
    std::string normalized;          // what the normalizer made of it
    std::vector<TypedRange> origins; // where each character of that was typed; empty: nowhere
    std::vector<CutWord> words;
    std::size_t first_piece = 0; // of an added token: its piece
};

struct Cutting {
    std::vector<CutStretch> stretches;
    std::vector<Piece> pieces; // the same that Tokenizer::encode gives
    ModelInput input;          // the same that Tokenizer::model_input gives
};

Cutting cut(const Tokenizer& tokenizer, std::string_view text);

// How many moments the film of a word has after its first. BPE: merges. WordPiece: beginnings tried. Unigram:
// a best way to each character's end, and then the way back. A look-up has none.
std::size_t steps_of(const CutWord& word);

} // namespace headlight
