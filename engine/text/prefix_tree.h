// Tables that tokenizers ask at every character: pairs of numbers, and byte strings by their beginnings.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight {

// Pair of 32-bit numbers → number. Open addressing: a merge table of 150,000 pairs is made in milliseconds.
class PairTable {
public:
    void reserve(std::size_t pairs);
    std::uint32_t& at(std::uint32_t first, std::uint32_t second); // made, as 0, when it is not there
    const std::uint32_t* find(std::uint32_t first, std::uint32_t second) const; // null: not there

private:
    struct Slot {
        std::uint64_t key;
        std::uint32_t value;
        bool used = false;
    };
    std::size_t place(std::uint64_t key) const;
    std::vector<Slot> slots_; // a power of two of them, at most half used
    std::size_t used_ = 0;
};

// Byte strings with a number each, walked a byte at a time from the root, node 0.
class PrefixTree {
public:
    static constexpr std::uint32_t nowhere = 0xFFFFFFFF;

    void insert(std::string_view text, std::uint32_t value); // a text that is there already keeps the new one
    std::uint32_t child(std::uint32_t node, char byte) const; // nowhere: no text goes on like that
    std::uint32_t value(std::uint32_t node) const { return values_[node]; } // nowhere: no text ends here
    // Length and number of the longest text that begins `text`; length 0: none does.
    std::pair<std::size_t, std::uint32_t> longest_prefix(std::string_view text) const;
    bool empty() const { return values_.size() == 1; }

private:
    PairTable children_; // node and byte → node
    std::vector<std::uint32_t> values_ = {nowhere};
};

} // namespace headlight
