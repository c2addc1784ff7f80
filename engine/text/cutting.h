#pragma once

#include "engine/text/tokenizer.h"

#include <span>
#include <string>

namespace headlight {

// How a text was cut into tokens, step by step: what the tokenizer did, kept for showing.

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

// From a typed text to its tokens: added tokens are cut out, the rest is normalised, cut into words, and each
// word taken apart by the model.

// `film`, when given, receives the stretches and words; its pieces and input are left alone.
EncodedText encoded(const TokenizerParts& parts, const AddedTokens& added, std::string_view text,
                    Cutting* film = nullptr);

// Byte-pair encoding learnt from a text (Sennrich et al. 2016, arXiv 1508.07909, algorithm 1), byte by byte
// as GPT-2 does: pairs of neighbours are counted inside words, the most frequent one becomes a new symbol,
// again and again.

constexpr Index usual_bpe_vocabulary = 1000; // tokens in all
constexpr Index bpe_alphabet = 4 + 256; // <pad> <s> </s> <unk>, and the bytes: learnt is what comes after

// Words by GPT-2's expression (a space belongs to the word after it), written in the alphabet of
// bpe.h, which the vocabulary holds whole: any text can be cut, and is decoded as it was. Of pairs
// that occur equally often the one whose left symbol, then whose right symbol, has the lower id goes first,
// as in the `tokenizers` library. Ends at `vocabulary_size` tokens, or where no pair occurs twice. Words are
// counted in stretches of 256 bytes at most, so that no token is longer. Linear in the text but for the words
// that each merge touches: pairs are counted once, then kept right.
Tokenizer train_byte_level_bpe(std::string_view text, Index vocabulary_size = usual_bpe_vocabulary);

// The same of sentences that are read one by one, all of them by one vocabulary. A space is put before each
// and taken off again when it is decoded, so that a word is the same token wherever it stands; letters and
// accents are composed (NFC), a typographic apostrophe is a plain one, and every digit is a word, so that a
// number is copied digit by digit.
Tokenizer train_sentence_bpe(std::span<const std::string> sentences,
                             Index vocabulary_size = usual_bpe_vocabulary);

} // namespace headlight
