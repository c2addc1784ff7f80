#include "engine/io/protobuf.h"

#include <bit>

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

} // namespace headlight
