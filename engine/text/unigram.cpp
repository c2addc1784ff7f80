#include "engine/text/unigram.h"

#include <algorithm>
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

Unigram::Unigram(const Options& options, std::vector<std::string> texts, std::vector<Piece> pieces,
                 const Vocabulary& vocabulary)
    : options_(options), texts_(std::move(texts)), pieces_(std::move(pieces)) {
    for (std::size_t i = 0; i < texts_.size(); ++i) tree_.insert(texts_[i], std::uint32_t(i));
    if (options_.byte_fallback) fallback_ = ByteFallback(vocabulary);
}

double Unigram::score_of(const Piece& piece, std::size_t bytes) const {
    if (!piece.user_defined) return piece.score;
    // SentencePiece: float times length, rounded, then less a tenth.
    return double(float(bytes) * float(options_.greatest_score)) - 0.1;
}

void Unigram::encode(const ModelWord& word, const Vocabulary& vocabulary, std::vector<ModelToken>& tokens,
                     UnigramFilm* film) const {
    struct Node { // the best way to a position
        double sum = 0;
        std::uint32_t from = 0; // where its last piece begins
        TokenId id = no_token;
        bool reached = false, known = true;
        std::size_t candidate = 0; // of the film
    };
    const auto size = std::uint32_t(word.size());
    std::vector<Node> best(size + 1);
    best[0].reached = true;
    const auto offer = [&](std::uint32_t begin, std::uint32_t end, TokenId id, double score, bool known) {
        Node& node = best[end];
        double sum = score + best[begin].sum;
        if (options_.single_precision && !known) sum = double(float(sum));
        if (film != nullptr) film->candidates.push_back({begin, end, id, score, sum, known});
        // The one that came first keeps a tie.
        if (node.reached && !(sum > node.sum)) return;
        node = {options_.single_precision ? double(float(sum)) : sum, begin, id, true, known,
                film != nullptr ? film->candidates.size() - 1 : 0};
    };
    for (std::uint32_t begin = 0; begin < size; ++begin) {
        bool has_single = false;
        std::uint32_t node = 0, end = begin;
        for (std::size_t byte = word.starts[begin]; byte < word.bytes.size(); ++byte) {
            node = tree_.child(node, word.bytes[byte]);
            if (node == PrefixTree::nowhere) break;
            if (byte + 1 == word.starts[end + 1]) ++end;
            if (byte + 1 != word.starts[end] || tree_.value(node) == PrefixTree::nowhere) continue;
            const Piece& piece = pieces_[tree_.value(node)];
            offer(begin, end, piece.id, score_of(piece, byte + 1 - word.starts[begin]), true);
            has_single = has_single || end == begin + 1;
        }
        if (!has_single) offer(begin, begin + 1, options_.unknown, options_.unknown_score, false);
    }

    std::vector<ModelToken> path;
    for (std::uint32_t end = size; end > 0; end = best[end].from) {
        const Node& node = best[end];
        if (film != nullptr) film->candidates[node.candidate].on_path = true;
        if (!node.known && !path.empty() && !path.back().known)
            path.back().begin = node.from;
        else
            path.push_back({node.id, node.from, end, node.known});
    }
    if (film != nullptr)
        for (std::size_t at = 0; at < best.size(); ++at) {
            film->best_sum.push_back(best[at].sum);
            if (at > 0) film->candidates[best[at].candidate].is_best = true;
        }
    for (auto token = path.rbegin(); token != path.rend(); ++token) {
        if (!token->known) {
            // Together the unknown characters may be a token after all: ids can come from another table.
            if (const TokenId id = vocabulary.find_in_model(word.part(token->begin, token->end));
                id != no_token && id != options_.unknown) {
                tokens.push_back({id, token->begin, token->end});
                continue;
            }
            if (options_.byte_fallback && fallback_.append(word, token->begin, token->end, tokens)) continue;
            if (token->id == no_token) continue;
        }
        tokens.push_back(*token);
    }
}

} // namespace headlight
