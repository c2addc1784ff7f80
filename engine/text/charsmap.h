// The table by which SentencePiece normalises text: what a sequence of bytes is replaced by.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace headlight {

// “precompiled_charsmap”: u32 n, n bytes of a double-array trie (Darts: u32 units), then the replacements,
// each ended by a zero byte. All of it little-endian, and none of it believed: a walk that would leave the
// table finds nothing. A value: copies share the table.
class Charsmap {
public:
    Charsmap() = default;                                         // replaces nothing
    static std::optional<Charsmap> from_bytes(std::string bytes); // nothing: sizes that cannot be

    struct Match {
        std::size_t length = 0;       // bytes of the text; 0: nothing is replaced here
        std::string_view replacement; // UTF-8, if the table's maker kept to it
    };
    Match longest(std::string_view text) const;  // as SentencePiece looks
    Match shortest(std::string_view text) const; // as Hugging Face `tokenizers` looks

    std::string_view bytes() const;
    std::size_t longest_replacement() const { return longest_replacement_; } // bytes
    bool operator==(const Charsmap& other) const { return bytes() == other.bytes(); }

private:
    std::uint32_t unit(std::size_t place) const;
    template <class OnMatch>
    void walk(std::string_view text, OnMatch on_match) const;

    std::shared_ptr<const std::string> bytes_; // the whole table; null: empty
    std::size_t units_ = 0;
    std::size_t longest_replacement_ = 0;
};

} // namespace headlight
