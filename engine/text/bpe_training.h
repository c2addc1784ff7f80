// Byte-pair encoding learnt from a text (Sennrich et al. 2016, arXiv 1508.07909, algorithm 1), byte by byte
// as GPT-2 does: pairs of neighbours are counted inside words, the most frequent one becomes a new symbol,
// again and again.
#pragma once

#include "engine/text/tokenizer.h"

#include <span>
#include <string>

namespace headlight {

constexpr Index usual_bpe_vocabulary = 1000; // tokens in all
constexpr Index bpe_alphabet = 4 + 256; // <pad> <s> </s> <unk>, and the bytes: learnt is what comes after

// Words by GPT-2's expression (a space belongs to the word after it), written in the alphabet of
// byte_level.h, which the vocabulary holds whole: any text can be cut, and is decoded as it was. Of pairs
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
