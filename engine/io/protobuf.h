// The wire format of Protocol Buffers, as far as model files of SentencePiece need it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace headlight {

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

} // namespace headlight
