#include "engine/text/bpe.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <queue>
#include <tuple>

namespace headlight {

namespace {

constexpr char32_t first_other = 0x100; // the characters of the bytes that are not visible themselves

constexpr bool is_visible(unsigned byte) {
    return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

struct Alphabet {
    std::array<char32_t, 256> characters{};
    std::array<unsigned char, 68> others{}; // the bytes of U+0100 and on
};

constexpr Alphabet make_alphabet() {
    Alphabet alphabet;
    unsigned others = 0;
    for (unsigned byte = 0; byte < 256; ++byte) {
        if (is_visible(byte)) {
            alphabet.characters[byte] = byte;
        } else {
            alphabet.others[others] = static_cast<unsigned char>(byte);
            alphabet.characters[byte] = first_other + others++;
        }
    }
    return alphabet;
}

constexpr Alphabet alphabet = make_alphabet();

std::optional<unsigned char> hexadecimal(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    return std::nullopt;
}

} // namespace

char32_t byte_character(unsigned char byte) { return alphabet.characters[byte]; }

std::optional<unsigned char> byte_of(char32_t character) {
    if (character < first_other) {
        if (!is_visible(character)) return std::nullopt;
        return static_cast<unsigned char>(character);
    }
    if (character >= first_other + alphabet.others.size()) return std::nullopt;
    return alphabet.others[character - first_other];
}

std::string bytes_of_token(std::string_view token) {
    std::string bytes;
    for (const char32_t character : code_points(token)) {
        const std::optional<unsigned char> byte = byte_of(character);
        if (!byte) return std::string(token);
        bytes += static_cast<char>(*byte);
    }
    return bytes;
}

std::string fallback_token(unsigned char byte) {
    constexpr const char* digits = "0123456789ABCDEF";
    return std::string("<0x") + digits[byte >> 4] + digits[byte & 15] + '>';
}

std::optional<unsigned char> fallback_byte(std::string_view token) {
    if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') return std::nullopt;
    const auto high = hexadecimal(token[3]), low = hexadecimal(token[4]);
    if (!high || !low) return std::nullopt;
    return static_cast<unsigned char>(*high << 4 | *low);
}

// The symbols of a word as a list, and the pairs in it that may be joined, the next one on top.
class Bpe::Joining {
public:
    Joining(const Bpe& bpe, const ModelWord& word, const Vocabulary& vocabulary,
            const std::vector<BpeSymbol>& symbols)
        : bpe_(bpe), word_(word), vocabulary_(vocabulary) {
        nodes_.reserve(symbols.size());
        for (std::size_t i = 0; i < symbols.size(); ++i)
            nodes_.push_back({symbols[i], i == 0 ? nothing : Place(i - 1), Place(i + 1)});
        if (!nodes_.empty()) nodes_.back().next = nothing;
        for (Place i = 0; i + 1 < nodes_.size(); ++i) offer(i);
    }

    void run(BpeFilm* film) {
        while (!queue_.empty()) {
            const Offer best = queue_.top();
            queue_.pop();
            Node& left = nodes_[best.left];
            // One of the two may have been joined with another since.
            if (left.version != best.left_version || left.next == nothing) continue;
            Node& right = nodes_[left.next];
            if (right.version != best.right_version || left.next != best.right) continue;
            if (film != nullptr) film->merges.push_back({place_of(best.left), best.result, best.rank});
            left.symbol.id = best.result;
            left.symbol.end = std::max(left.symbol.end, right.symbol.end);
            left.symbol.bytes = 0;
            left.symbol.known = true;
            ++left.version;
            right.version = gone;
            left.next = right.next;
            if (right.next != nothing) nodes_[right.next].previous = best.left;
            if (left.previous != nothing) offer(left.previous);
            if (left.next != nothing) offer(best.left);
        }
    }

    template <class OnSymbol>
    void for_each_symbol(OnSymbol on_symbol) const {
        if (nodes_.empty()) return;
        for (Place i = 0; i != nothing; i = nodes_[i].next) on_symbol(nodes_[i].symbol);
    }

    // Of pieces that are not used: where their left part ended when they were first thought of. SentencePiece
    // takes them apart again there.
    const std::map<std::string_view, std::uint32_t>& unused() const { return unused_; }

private:
    using Place = std::uint32_t;
    static constexpr Place nothing = 0xFFFFFFFF;
    static constexpr std::uint32_t gone = 0xFFFFFFFF;

    struct Node {
        BpeSymbol symbol;
        Place previous, next;
        std::uint32_t version = 0;
    };
    struct Offer {
        double rank;
        Place left, right;
        std::uint32_t left_version, right_version;
        TokenId result;
        bool operator>(const Offer& other) const {
            return std::tie(rank, left) > std::tie(other.rank, other.left);
        }
    };

    void offer(Place at) {
        const Node& left = nodes_[at];
        const Node& right = nodes_[left.next];
        const Candidate found = bpe_.find(word_, vocabulary_, left.symbol, right.symbol);
        if (found.result == no_token) return;
        queue_.push({found.rank, at, left.next, left.version, right.version, found.result});
        if (!bpe_.pieces_.empty() && bpe_.pieces_[std::size_t(found.result)].kind == PieceKind::unused)
            unused_.emplace(word_.part(left.symbol.begin, right.symbol.end),
                            left.symbol.end - left.symbol.begin);
    }

    // Among the symbols that are left; for the film alone, which is made of words a person looks at.
    std::size_t place_of(Place at) const {
        std::size_t place = 0;
        for (Place i = 0; i != at; i = nodes_[i].next) ++place;
        return place;
    }

    const Bpe& bpe_;
    const ModelWord& word_;
    const Vocabulary& vocabulary_;
    std::vector<Node> nodes_;
    std::priority_queue<Offer, std::vector<Offer>, std::greater<>> queue_;
    std::map<std::string_view, std::uint32_t> unused_;
};

std::vector<BpeSymbol> BpeFilm::symbols_after(std::size_t count) const {
    std::vector<BpeSymbol> now = symbols;
    for (std::size_t i = 0; i < std::min(count, merges.size()); ++i) {
        BpeSymbol& left = now[merges[i].left];
        const auto right = now.begin() + std::ptrdiff_t(merges[i].left) + 1;
        left = {merges[i].result, left.begin, std::max(left.end, right->end)};
        now.erase(right);
    }
    return now;
}

Bpe::Bpe(const BpeOptions& options, std::vector<Pair> merges, const Vocabulary& vocabulary)
    : options_(options), merges_(std::move(merges)) {
    ranks_.reserve(merges_.size());
    for (std::size_t rank = 0; rank < merges_.size(); ++rank)
        ranks_.at(std::uint32_t(merges_[rank].left), std::uint32_t(merges_[rank].right)) =
            std::uint32_t(rank);
    if (options_.byte_fallback) fallback_ = ByteFallback(vocabulary);
}

Bpe Bpe::of_pieces(const BpeOptions& options, std::vector<Piece> pieces, const Vocabulary& vocabulary) {
    Bpe bpe(options, {}, vocabulary);
    bpe.pieces_ = std::move(pieces);
    for (std::size_t id = 0; id < bpe.pieces_.size(); ++id)
        if (bpe.pieces_[id].kind == PieceKind::user_defined)
            bpe.user_defined_.insert(vocabulary.token(TokenId(id)), std::uint32_t(id));
    return bpe;
}

TokenId Bpe::piece_of(std::string_view text, const Vocabulary& vocabulary) const {
    const TokenId id = vocabulary.find_in_model(text);
    if (id == no_token || std::size_t(id) >= pieces_.size()) return no_token;
    return pieces_[std::size_t(id)].kind == PieceKind::other ? no_token : id;
}

Bpe::Candidate Bpe::find(const ModelWord& word, const Vocabulary& vocabulary, const BpeSymbol& left,
                         const BpeSymbol& right) const {
    if (pieces_.empty()) {
        const std::uint32_t* rank = ranks_.find(std::uint32_t(left.id), std::uint32_t(right.id));
        return rank == nullptr ? Candidate{} : Candidate{merges_[*rank].result, double(*rank)};
    }
    if (left.frozen || right.frozen) return {};
    const TokenId id = piece_of(word.part(left.begin, right.end), vocabulary);
    return id == no_token ? Candidate{} : Candidate{id, -double(pieces_[std::size_t(id)].score)};
}

std::vector<Bpe::Candidate> Bpe::candidates(const ModelWord& word, const Vocabulary& vocabulary,
                                            const std::vector<BpeSymbol>& symbols) const {
    std::vector<Candidate> all;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i)
        all.push_back(find(word, vocabulary, symbols[i], symbols[i + 1]));
    return all;
}

// An unknown character waits for the next known one, so that a run of them can be fused. (Bytes that stand
// for a character do not count as known; the library has it so.)
std::vector<BpeSymbol> Bpe::symbols_of(const ModelWord& word, const Vocabulary& vocabulary) const {
    std::vector<BpeSymbol> symbols;
    std::vector<BpeSymbol> waiting; // none or one
    const auto end_wait = [&] {
        symbols.insert(symbols.end(), waiting.begin(), waiting.end());
        waiting.clear();
    };
    std::vector<ModelToken> bytes;
    for (std::uint32_t i = 0; i < word.size(); ++i) {
        if (const TokenId id = vocabulary.find_in_model(word.part(i, i + 1)); id != no_token) {
            end_wait();
            symbols.push_back({id, i, i + 1});
            continue;
        }
        bytes.clear();
        if (options_.byte_fallback && fallback_.append(word, i, i + 1, bytes)) {
            for (const ModelToken& byte : bytes)
                symbols.push_back({byte.id, byte.begin, byte.end, true, byte.byte, byte.bytes});
            continue;
        }
        if (options_.unknown == no_token) continue;
        if (!waiting.empty() && options_.fuse_unknown) {
            waiting.front().end = i + 1;
            continue;
        }
        end_wait();
        waiting.push_back({options_.unknown, i, i + 1, false});
    }
    end_wait();
    return symbols;
}

std::vector<BpeSymbol> Bpe::piece_symbols_of(const ModelWord& word, const Vocabulary& vocabulary) const {
    std::vector<BpeSymbol> symbols;
    for (std::uint32_t i = 0; i < word.size();) {
        std::uint32_t end = i + 1;
        const std::size_t kept =
            user_defined_.longest_prefix(std::string_view(word.bytes).substr(word.starts[i])).first;
        while (kept > 0 && word.starts[end] < word.starts[i] + kept) ++end;
        const TokenId id = piece_of(word.part(i, end), vocabulary);
        symbols.push_back({id, i, end, id != no_token, 0, 0, kept > 0});
        i = end;
    }
    return symbols;
}

void Bpe::encode(const ModelWord& word, const Vocabulary& vocabulary, std::vector<ModelToken>& tokens,
                 BpeFilm* film) const {
    const auto all = std::uint32_t(word.size());
    if (options_.ignore_merges)
        if (const TokenId id = vocabulary.find_in_model(word.bytes); id != no_token) {
            tokens.push_back({id, 0, all});
            if (film != nullptr) {
                film->symbols.push_back({id, 0, all});
                film->whole = true;
            }
            return;
        }
    const std::vector<BpeSymbol> symbols =
        pieces_.empty() ? symbols_of(word, vocabulary) : piece_symbols_of(word, vocabulary);
    if (film != nullptr) film->symbols = symbols;
    Joining joining(*this, word, vocabulary, symbols);
    joining.run(film);
    if (pieces_.empty()) {
        joining.for_each_symbol([&](const BpeSymbol& s) {
            tokens.push_back({s.id, s.begin, s.end, s.known, s.byte, s.bytes});
        });
        return;
    }

    const std::size_t first = tokens.size();
    const auto append_unknown = [&](std::uint32_t begin, std::uint32_t end) {
        if (options_.byte_fallback && fallback_.append(word, begin, end, tokens)) return;
        if (tokens.size() > first && !tokens.back().known && options_.fuse_unknown)
            tokens.back().end = end;
        else if (options_.unknown != no_token)
            tokens.push_back({options_.unknown, begin, end, false});
    };
    const std::function<void(std::uint32_t, std::uint32_t)> append = [&](std::uint32_t begin,
                                                                         std::uint32_t end) {
        const TokenId id = piece_of(word.part(begin, end), vocabulary);
        if (id == no_token) return append_unknown(begin, end);
        if (pieces_[std::size_t(id)].kind == PieceKind::unused)
            if (const auto found = joining.unused().find(word.part(begin, end));
                found != joining.unused().end()) {
                append(begin, begin + found->second);
                return append(begin + found->second, end);
            }
        tokens.push_back({id, begin, end});
    };
    joining.for_each_symbol([&](const BpeSymbol& s) { append(s.begin, s.end); });
}

} // namespace headlight
