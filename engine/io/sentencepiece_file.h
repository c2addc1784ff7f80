// SentencePiece's own model files (source.spm, tokenizer.model): a Protocol Buffers message with the pieces,
// their scores, and how text is normalised.
#pragma once

#include "engine/base/result.h"
#include "engine/text/sentencepiece_normalization.h"
#include "engine/text/tokenizer.h"

#include <filesystem>
#include <memory>

namespace headlight {

struct SentencepieceFile {
    enum class Model { unigram = 1, bpe = 2 };
    enum class Type { normal = 1, unknown = 2, control = 3, user_defined = 4, unused = 5, byte = 6 };
    struct Piece {
        std::string text; // not empty, and no other piece's
        float score = 0;  // finite
        Type type = Type::normal;
    };
    std::string name; // of the file, for errors
    Model model = Model::unigram;
    std::vector<Piece> pieces; // by id
    TokenId unknown = 0;       // the piece of type unknown; there is one
    bool byte_fallback = false;
    std::shared_ptr<const SentencepieceRules> rules;

    // Sums in float, as SentencePiece has them. `ids`: the id of each piece in the vocabulary.
    Unigram unigram(const Vocabulary& vocabulary, const std::vector<TokenId>& ids, TokenId unknown_id) const;
    std::vector<Decoding> decoder() const;
};

// Errors: it ends in the middle, a piece that cannot be, no unknown piece or two, a model that is neither
// unigram nor BPE.
Result<SentencepieceFile> read_sentencepiece(const std::filesystem::path& path);
Result<SentencepieceFile> sentencepiece_from_bytes(std::string_view bytes, const std::string& name);

// The tokenizer of such a file alone: ids are the places of the pieces; control pieces and the unknown one
// are recognised whole in the text.
Result<Tokenizer> tokenizer_of(const SentencepieceFile& file);

} // namespace headlight
