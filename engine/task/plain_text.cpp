#include "engine/task/plain_text.h"

#include "engine/text/splitting.h"
#include "engine/text/unicode.h"

#include <utf8proc.h>

namespace headlight {

std::vector<std::string> characters_of(std::string_view text) {
    std::vector<std::string> characters;
    for (char32_t character : code_points(text)) append_utf8(characters.emplace_back(), character);
    return characters;
}

std::string with_capital(std::string_view text) {
    if (text.empty()) return {};
    const CodePoint first = first_code_point(text);
    std::string capital;
    append_utf8(capital, char32_t(utf8proc_toupper(utf8proc_int32_t(first.value))));
    return capital.append(text.substr(first.bytes));
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::vector<std::string_view> split_at(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t end; (end = text.find(separator)) != std::string_view::npos; text.remove_prefix(end + 1))
        parts.push_back(text.substr(0, end));
    parts.push_back(text);
    return parts;
}

std::size_t count_words(std::string_view text) {
    const std::u32string characters = code_points(text);
    return split(characters, {{0, characters.size()}}, Splitting::words).size();
}

std::uint64_t stable_hash(std::string_view text) {
    // FNV-1a, then the finalizer of MurmurHash3: FNV alone leaves the low bits too regular for a remainder.
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
    hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdu;
    hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53u;
    return hash ^ (hash >> 33);
}

} // namespace headlight
