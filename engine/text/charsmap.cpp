#include "engine/text/charsmap.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr std::size_t unit_bytes = 4;

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (std::size_t i = unit_bytes; i-- > 0;)
        number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
    return number;
}

} // namespace

std::optional<Charsmap> Charsmap::from_bytes(std::string bytes) {
    Charsmap map;
    if (bytes.empty()) return map;
    if (bytes.size() < unit_bytes) return std::nullopt;
    const std::size_t trie = little_endian(bytes, 0);
    if (trie > bytes.size() - unit_bytes || trie % unit_bytes != 0) return std::nullopt;
    map.units_ = trie / unit_bytes;
    for (std::size_t begin = unit_bytes + trie; begin < bytes.size();) {
        const std::size_t end = std::min(bytes.find('\0', begin), bytes.size());
        map.longest_replacement_ = std::max(map.longest_replacement_, end - begin);
        begin = end + 1;
    }
    map.bytes_ = std::make_shared<const std::string>(std::move(bytes));
    return map;
}

std::string_view Charsmap::bytes() const { return bytes_ ? std::string_view(*bytes_) : std::string_view(); }

std::uint32_t Charsmap::unit(std::size_t place) const {
    return little_endian(*bytes_, unit_bytes + unit_bytes * place);
}

// Calls on_match(match) for each beginning of the text that the table has, shortest first, until it says
// false.
template <class OnMatch>
void Charsmap::walk(std::string_view text, OnMatch on_match) const {
    if (units_ == 0) return;
    const auto offset = [](std::uint32_t u) { return std::size_t(u >> 10) << ((u & 512) >> 6); };
    std::size_t place = offset(unit(0));
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        place ^= byte;
        if (place >= units_) return;
        const std::uint32_t here = unit(place);
        if ((here & 0x800000FF) != byte) return;
        place ^= offset(here);
        if ((here >> 8 & 1) == 0) continue;
        if (place >= units_) return;
        const std::size_t strings = unit_bytes + unit_bytes * units_;
        const std::size_t begin = strings + (unit(place) & 0x7FFFFFFF);
        if (begin >= bytes_->size()) return;
        const std::size_t end = std::min(bytes_->find('\0', begin), bytes_->size());
        if (!on_match(Match{i + 1, std::string_view(*bytes_).substr(begin, end - begin)})) return;
    }
}

Charsmap::Match Charsmap::longest(std::string_view text) const {
    Match found;
    walk(text, [&](const Match& match) {
        found = match;
        return true;
    });
    return found;
}

Charsmap::Match Charsmap::shortest(std::string_view text) const {
    Match found;
    walk(text, [&](const Match& match) {
        found = match;
        return false;
    });
    return found;
}

} // namespace headlight
