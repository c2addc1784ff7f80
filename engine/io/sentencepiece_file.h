#pragma once

#include "engine/base/result.h"
#include "engine/text/normalization.h"
#include "engine/text/tokenizer.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

namespace headlight {

// The wire format of Protocol Buffers, as far as model files of SentencePiece need it.

// A field of a message: its number, and what it holds by its wire type.
struct ProtobufField {
    std::uint32_t number = 0;
    enum class Wire { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };
    Wire wire = Wire::varint;
    std::uint64_t value = 0; // of varint, fixed64 and fixed32
    std::string_view bytes;  // a text, or a message

    std::optional<float> as_float() const; // nothing: it is no fixed32
};

// Reads one message field by field; nothing outside `bytes` is ever touched.
class ProtobufReader {
public:
    explicit ProtobufReader(std::string_view bytes) : rest_(bytes) {}

    // The next field, or nothing: the message is over, or `is_broken` (it ends in the middle of a field, or
    // holds a wire type that is none).
    std::optional<ProtobufField> next();
    bool is_broken() const { return is_broken_; }

private:
    std::optional<std::uint64_t> varint();
    std::optional<std::uint64_t> fixed(std::size_t bytes);
    std::string_view rest_;
    bool is_broken_ = false;
};

// SentencePiece's own model files (source.spm, tokenizer.model): a Protocol Buffers message with the pieces,
// their scores, and how text is normalised.

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
