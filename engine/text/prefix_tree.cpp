#include "engine/text/prefix_tree.h"

#include <bit>

namespace headlight {

namespace {

std::uint64_t key_of(std::uint32_t first, std::uint32_t second) {
    return std::uint64_t(first) << 32 | second;
}

} // namespace

std::size_t PairTable::place(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t mixed = (key ^ key >> 32) * 0x9E3779B97F4A7C15;
    std::size_t at = std::size_t(mixed ^ mixed >> 32) & mask;
    while (slots_[at].used && slots_[at].key != key) at = (at + 1) & mask;
    return at;
}

void PairTable::reserve(std::size_t pairs) {
    const std::size_t needed = std::bit_ceil(2 * pairs + 16);
    if (needed <= slots_.size()) return;
    std::vector<Slot> old(needed);
    old.swap(slots_);
    for (const Slot& slot : old)
        if (slot.used) slots_[place(slot.key)] = slot;
}

std::uint32_t& PairTable::at(std::uint32_t first, std::uint32_t second) {
    if (2 * (used_ + 1) > slots_.size()) reserve(2 * used_ + 8);
    const std::uint64_t key = key_of(first, second);
    Slot& slot = slots_[place(key)];
    if (!slot.used) {
        slot = {key, 0, true};
        ++used_;
    }
    return slot.value;
}

const std::uint32_t* PairTable::find(std::uint32_t first, std::uint32_t second) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[place(key_of(first, second))];
    return slot.used ? &slot.value : nullptr;
}

void PrefixTree::insert(std::string_view text, std::uint32_t value) {
    std::uint32_t node = 0;
    for (const char byte : text) {
        std::uint32_t& next = children_.at(node, static_cast<unsigned char>(byte));
        if (next == 0) { // nothing leads back to the root
            next = std::uint32_t(values_.size());
            values_.push_back(nowhere);
        }
        node = next;
    }
    values_[node] = value;
}

std::uint32_t PrefixTree::child(std::uint32_t node, char byte) const {
    const std::uint32_t* next = children_.find(node, static_cast<unsigned char>(byte));
    return next == nullptr ? nowhere : *next;
}

std::pair<std::size_t, std::uint32_t> PrefixTree::longest_prefix(std::string_view text) const {
    std::pair<std::size_t, std::uint32_t> longest = {0, nowhere};
    std::uint32_t node = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        node = child(node, text[i]);
        if (node == nowhere) break;
        if (values_[node] != nowhere) longest = {i + 1, values_[node]};
    }
    return longest;
}

} // namespace headlight
