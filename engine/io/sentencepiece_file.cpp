#include "engine/io/sentencepiece_file.h"
#include "engine/io/file.h"
#include "engine/io/tokenizer_json.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_set>

namespace headlight {

std::optional<float> ProtobufField::as_float() const {
    if (wire != Wire::fixed32) return std::nullopt;
    return std::bit_cast<float>(std::uint32_t(value));
}

std::optional<std::uint64_t> ProtobufReader::varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(rest_.front());
        rest_.remove_prefix(1);
        value |= std::uint64_t(byte & 0x7F) << shift;
        if (byte < 0x80) return value;
    }
    return std::nullopt;
}

std::optional<std::uint64_t> ProtobufReader::fixed(std::size_t bytes) {
    if (rest_.size() < bytes) return std::nullopt;
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(rest_[i]);
    rest_.remove_prefix(bytes);
    return value;
}

std::optional<ProtobufField> ProtobufReader::next() {
    if (rest_.empty() || is_broken_) return std::nullopt;
    is_broken_ = true; // until the field is whole
    const std::optional<std::uint64_t> key = varint();
    if (!key || *key >> 3 == 0 || *key >> 3 > 0x1FFFFFFF) return std::nullopt;
    ProtobufField field;
    field.number = std::uint32_t(*key >> 3);
    field.wire = static_cast<ProtobufField::Wire>(*key & 7);
    std::optional<std::uint64_t> value;
    switch (field.wire) {
    case ProtobufField::Wire::varint:
        value = varint();
        break;
    case ProtobufField::Wire::fixed64:
        value = fixed(8);
        break;
    case ProtobufField::Wire::fixed32:
        value = fixed(4);
        break;
    case ProtobufField::Wire::bytes:
        value = varint();
        if (!value || *value > rest_.size()) return std::nullopt;
        field.bytes = rest_.substr(0, std::size_t(*value));
        rest_.remove_prefix(std::size_t(*value));
        break;
    }
    if (!value) return std::nullopt; // also of the wire types that are no more in use
    field.value = *value;
    is_broken_ = false;
    return field;
}

namespace {

constexpr Index longest_sentencepiece_file = 64'000'000; // bytes
using Wire = ProtobufField::Wire;
using Type = SentencepieceFile::Type;

class SentencepieceReader {
public:
    explicit SentencepieceReader(const std::string& name) { file_.name = name; }

    Result<SentencepieceFile> read(std::string_view bytes) {
        for_each_field(bytes, [&](const ProtobufField& field) {
            if (field.wire != Wire::bytes) return;
            if (field.number == 1) read_piece(field.bytes);
            if (field.number == 2) read_trainer(field.bytes);
            if (field.number == 3) read_normalizer(field.bytes);
        });
        if (!error_) check();
        if (error_) return *error_;
        for (const SentencepieceFile::Piece& piece : file_.pieces)
            if (piece.type == Type::user_defined) rules_.keep(piece.text);
        file_.rules = std::make_shared<const SentencepieceRules>(std::move(rules_));
        return std::move(file_);
    }

private:
    void refuse(Error error) {
        if (!error_) error_ = std::move(error);
    }
    void refuse_piece() {
        refuse({"error.sentencepiece_piece", {file_.name, std::to_string(file_.pieces.size())}});
    }

    template <class OnField>
    void for_each_field(std::string_view message, OnField on_field) {
        ProtobufReader reader(message);
        while (const std::optional<ProtobufField> field = reader.next()) {
            on_field(*field);
            if (error_) return;
        }
        if (reader.is_broken()) refuse({"error.sentencepiece_broken", {file_.name}});
    }

    void read_piece(std::string_view message) {
        SentencepieceFile::Piece piece;
        for_each_field(message, [&](const ProtobufField& field) {
            if (field.number == 1 && field.wire == Wire::bytes) piece.text = std::string(field.bytes);
            if (field.number == 2) {
                if (const std::optional<float> score = field.as_float(); score && std::isfinite(*score))
                    piece.score = *score;
                else
                    refuse_piece();
            }
            if (field.number == 3) {
                if (field.wire == Wire::varint && field.value >= 1 && field.value <= 6)
                    piece.type = static_cast<Type>(field.value);
                else
                    refuse_piece();
            }
        });
        if (piece.text.empty() || !is_valid_utf8(piece.text) || !texts_.insert(piece.text).second)
            refuse_piece();
        if (piece.type == Type::unknown) {
            unknowns_ += 1;
            file_.unknown = TokenId(file_.pieces.size());
        }
        file_.pieces.push_back(std::move(piece));
    }

    void read_trainer(std::string_view message) {
        for_each_field(message, [&](const ProtobufField& field) {
            if (field.wire != Wire::varint) return;
            if (field.number == 3) model_ = field.value;
            if (field.number == 24 && field.value != 0)
                refuse({"error.tokenizer_unsupported", {file_.name, "treat_whitespace_as_suffix", "true"}});
            if (field.number == 35) file_.byte_fallback = field.value != 0;
        });
    }

    void read_normalizer(std::string_view message) {
        for_each_field(message, [&](const ProtobufField& field) {
            if (field.number == 2 && field.wire == Wire::bytes) {
                const std::optional<Charsmap> map = Charsmap::from_bytes(std::string(field.bytes));
                constexpr std::size_t most_growth = 1024; // bytes that one character may become
                if (!map || map->longest_replacement() > most_growth)
                    return refuse({"error.sentencepiece_charsmap", {file_.name}});
                rules_.charsmap = *map;
            }
            if (field.wire != Wire::varint) return;
            if (field.number == 3) rules_.add_dummy_prefix = field.value != 0;
            if (field.number == 4) rules_.remove_extra_whitespaces = field.value != 0;
            if (field.number == 5) rules_.escape_whitespaces = field.value != 0;
        });
    }

    void check() {
        if (file_.pieces.empty()) return refuse({"error.tokenizer_empty", {file_.name}});
        if (unknowns_ != 1) return refuse({"error.tokenizer_no_unknown", {file_.name, "<unk>"}});
        if (model_ != 1 && model_ != 2)
            return refuse(
                {"error.tokenizer_unsupported", {file_.name, "model_type", std::to_string(model_)}});
        file_.model = static_cast<SentencepieceFile::Model>(model_);
    }

    SentencepieceFile file_;
    SentencepieceRules rules_;
    std::uint64_t model_ = 1;
    int unknowns_ = 0;
    std::unordered_set<std::string> texts_;
    std::optional<Error> error_;
};

Bpe bpe_of(const SentencepieceFile& file, const Vocabulary& vocabulary) {
    std::vector<Bpe::Piece> pieces;
    for (const SentencepieceFile::Piece& piece : file.pieces) {
        Bpe::PieceKind kind = Bpe::PieceKind::other;
        if (piece.type == Type::normal) kind = Bpe::PieceKind::normal;
        if (piece.type == Type::user_defined) kind = Bpe::PieceKind::user_defined;
        if (piece.type == Type::unused) kind = Bpe::PieceKind::unused;
        pieces.push_back({piece.score, kind});
    }
    BpeOptions options;
    options.unknown = file.unknown;
    options.byte_fallback = file.byte_fallback;
    options.fuse_unknown = true;
    return Bpe::of_pieces(options, std::move(pieces), vocabulary);
}

} // namespace

Unigram SentencepieceFile::unigram(const Vocabulary& vocabulary, const std::vector<TokenId>& ids,
                                   TokenId unknown_id) const {
    constexpr float unknown_penalty = 10;
    float least = std::numeric_limits<float>::max(), greatest = std::numeric_limits<float>::min();
    std::vector<std::string> texts;
    std::vector<Unigram::Piece> matched;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (pieces[i].type == Type::normal) {
            least = std::min(least, pieces[i].score);
            greatest = std::max(greatest, pieces[i].score);
        } else if (pieces[i].type != Type::user_defined) {
            continue;
        }
        texts.push_back(pieces[i].text);
        matched.push_back({double(pieces[i].score), ids[i], pieces[i].type == Type::user_defined});
    }
    Unigram::Options options;
    options.unknown = unknown_id;
    options.unknown_score = double(least - unknown_penalty);
    options.byte_fallback = byte_fallback;
    options.single_precision = true;
    options.greatest_score = double(greatest);
    return Unigram(options, std::move(texts), std::move(matched), vocabulary);
}

std::vector<Decoding> SentencepieceFile::decoder() const {
    Decoding spaces{Decoding::Kind::replace, " "};
    spaces.pattern = Pattern::text("▁");
    std::vector<Decoding> steps = {spaces, {Decoding::Kind::byte_fallback}, {Decoding::Kind::fuse}};
    if (rules->add_dummy_prefix) {
        Decoding first{Decoding::Kind::strip, " "};
        first.start = 1;
        steps.push_back(first);
    }
    return steps;
}

Result<SentencepieceFile> sentencepiece_from_bytes(std::string_view bytes, const std::string& name) {
    return SentencepieceReader(name).read(bytes);
}

Result<SentencepieceFile> read_sentencepiece(const std::filesystem::path& path) {
    const Result<std::string> bytes = read_file(path, longest_sentencepiece_file);
    if (!bytes) return bytes.error();
    return sentencepiece_from_bytes(*bytes, path.string());
}

Result<Tokenizer> tokenizer_of(const SentencepieceFile& file) {
    VocabularyBuilder builder(file.name, file.pieces.size());
    std::vector<TokenId> ids;
    for (std::size_t i = 0; i < file.pieces.size(); ++i) {
        const auto id = TokenId(i);
        ids.push_back(id);
        if (const auto error = builder.add(file.pieces[i].text, id)) return *error;
        const Type type = file.pieces[i].type;
        if (type == Type::control || type == Type::unknown)
            if (const auto error = builder.add_whole(file.pieces[i].text, id, {})) return *error;
    }
    TokenizerParts parts;
    parts.vocabulary =
        builder.finish({builder.find("<pad>"), builder.find("<s>"), builder.find("</s>"), file.unknown});
    Normalization all{Normalization::Kind::sentencepiece};
    all.sentencepiece = file.rules;
    parts.normalizer.push_back(std::move(all));
    if (file.model == SentencepieceFile::Model::unigram)
        parts.model = file.unigram(parts.vocabulary, ids, file.unknown);
    else
        parts.model = bpe_of(file, parts.vocabulary);
    parts.decoder = file.decoder();
    return Tokenizer(std::move(parts));
}

} // namespace headlight
