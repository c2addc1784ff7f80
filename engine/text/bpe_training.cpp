#include "engine/text/cutting.h"

#include "engine/base/check.h"
#include "engine/base/giving_up.h"
#include "engine/text/bpe.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <array>
#include <queue>
#include <unordered_map>

namespace headlight {

namespace {

constexpr std::size_t longest_stretch = 256; // bytes of a word that are counted together
constexpr std::size_t portion = 1 << 16;     // bytes of the text that are cut into words at once

// The characters of the byte alphabet as the library numbers them: by code point.
std::vector<char32_t> alphabet_in_order() {
    std::vector<char32_t> alphabet;
    for (unsigned byte = 0; byte < 256; ++byte)
        alphabet.push_back(byte_character(static_cast<unsigned char>(byte)));
    std::sort(alphabet.begin(), alphabet.end());
    return alphabet;
}

Pattern expression(const char* words) {
    Result<Pattern> pattern = Pattern::regex(words, "");
    HEADLIGHT_CHECK(pattern, "an expression of our own is read");
    return *std::move(pattern);
}

TokenizerParts byte_level_parts() {
    TokenizerParts parts;
    parts.pre_tokenizer.push_back(ByteLevel{false, expression(gpt2_pattern)});
    parts.decoder.push_back({.kind = Decoding::Kind::byte_level});
    return parts;
}

TokenizerParts sentence_parts() {
    // GPT-2's, but a digit is a word.
    constexpr const char* words =
        R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
    using Kind = Normalization::Kind;
    TokenizerParts parts;
    parts.normalizer.push_back({.kind = Kind::nfc});
    parts.normalizer.push_back({.kind = Kind::replace, .from = U"\u2019", .to = U"'"});
    parts.normalizer.push_back({.kind = Kind::prepend, .to = U" "});
    parts.pre_tokenizer.push_back(PatternSplit{expression(words)});
    parts.pre_tokenizer.push_back(ByteLevel{false, std::nullopt});
    parts.decoder.push_back({.kind = Decoding::Kind::byte_level});
    parts.decoder.push_back({.kind = Decoding::Kind::strip, .text = " ", .start = 1});
    return parts;
}

class PairMerging {
public:
    using Pair = std::pair<TokenId, TokenId>;

    void add_word(std::vector<TokenId> symbols, std::int64_t count) {
        words_.push_back({std::move(symbols), count});
        count_pairs(std::uint32_t(words_.size() - 1), +1, no_token);
    }

    // The most frequent pair, if it occurs more than once.
    std::optional<Pair> most_frequent() {
        offer_changed();
        while (!queue_.empty()) {
            const Candidate best = queue_.top();
            if (const auto found = pairs_.find(key(best.pair));
                found != pairs_.end() && found->second.count == best.count)
                return best.count > 1 ? std::optional(best.pair) : std::nullopt;
            queue_.pop(); // its count is another by now
        }
        return {};
    }

    void merge(Pair pair, TokenId result) {
        std::vector<std::uint32_t> words = std::move(pairs_[key(pair)].words);
        std::sort(words.begin(), words.end());
        words.erase(std::unique(words.begin(), words.end()), words.end());
        for (const std::uint32_t w : words) {
            std::vector<TokenId>& symbols = words_[w].symbols;
            if (!has(symbols, pair)) continue; // other merges took it
            count_pairs(w, -1, result);
            std::size_t kept = 0;
            for (std::size_t i = 0; i < symbols.size(); ++kept) {
                const bool joins =
                    i + 1 < symbols.size() && symbols[i] == pair.first && symbols[i + 1] == pair.second;
                symbols[kept] = joins ? result : symbols[i];
                i += joins ? 2 : 1;
            }
            symbols.resize(kept);
            count_pairs(w, +1, result);
        }
        pairs_.erase(key(pair));
    }

private:
    struct Word {
        std::vector<TokenId> symbols;
        std::int64_t count;
    };
    struct Counted {
        std::int64_t count = 0;
        std::vector<std::uint32_t> words; // where it is, or was; some twice
        bool is_changed = false;
    };
    struct Candidate {
        std::int64_t count;
        Pair pair;
        bool operator<(const Candidate& other) const { // the queue's top is the greatest
            return count != other.count ? count < other.count : pair > other.pair;
        }
    };
    static std::uint64_t key(Pair pair) {
        return std::uint64_t(std::uint32_t(pair.first)) << 32 | std::uint32_t(pair.second);
    }
    static bool has(const std::vector<TokenId>& symbols, Pair pair) {
        for (std::size_t i = 0; i + 1 < symbols.size(); ++i)
            if (symbols[i] == pair.first && symbols[i + 1] == pair.second) return true;
        return false;
    }

    // `fresh`: only pairs with this symbol are new to the word; the others are known to stand in it.
    // no_token: all are new.
    void count_pairs(std::uint32_t w, int sign, TokenId fresh) {
        const Word& word = words_[w];
        for (std::size_t i = 0; i + 1 < word.symbols.size(); ++i) {
            const Pair pair{word.symbols[i], word.symbols[i + 1]};
            Counted& counted = pairs_[key(pair)];
            counted.count += sign * word.count;
            const bool is_new = fresh == no_token || pair.first == fresh || pair.second == fresh;
            if (sign > 0 && is_new && (counted.words.empty() || counted.words.back() != w))
                counted.words.push_back(w);
            if (!counted.is_changed) changed_.push_back(pair);
            counted.is_changed = true;
        }
    }

    void offer_changed() {
        for (const Pair& pair : changed_) {
            const auto found = pairs_.find(key(pair));
            if (found == pairs_.end()) continue;
            found->second.is_changed = false;
            if (found->second.count > 1) queue_.push({found->second.count, pair});
        }
        changed_.clear();
    }

    std::vector<Word> words_;
    std::unordered_map<std::uint64_t, Counted> pairs_;
    std::vector<Pair> changed_; // since the queue was brought up to date
    std::priority_queue<Candidate> queue_;
};

// How often each stretch of each word occurs, in bytes.
using Stretches = std::unordered_map<std::string, std::int64_t>;

void count_stretches(std::string_view text, const Tokenizer& cutter, Stretches& counts) {
    for (const std::string& word : cutter.normalized_words(text)) {
        const std::string bytes = bytes_of_token(word);
        for (std::size_t at = 0; at < bytes.size(); at += longest_stretch)
            ++counts[bytes.substr(at, longest_stretch)];
    }
}

Stretches stretches_of(std::string_view text, const Tokenizer& cutter) {
    Stretches counts;
    while (!text.empty()) {
        give_up_if_told();
        // Up to a line's end, so that no word is cut but one that is longer than the portion.
        std::size_t end = std::min(text.size(), portion);
        if (end < text.size())
            if (const std::size_t line = text.rfind('\n', end - 1);
                line != std::string_view::npos && line > 0)
                end = line;
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
        count_stretches(text.substr(0, end), cutter, counts);
        text.remove_prefix(end);
    }
    return counts;
}

Tokenizer merged(TokenizerParts parts, const Stretches& counts, Index vocabulary_size) {
    std::vector<std::string> tokens;
    std::array<TokenId, 256> id_of{};
    const TokenId specials = TokenId(parts.vocabulary.size());
    for (const char32_t character : alphabet_in_order()) {
        id_of[*byte_of(character)] = specials + TokenId(tokens.size());
        append_utf8(tokens.emplace_back(), character);
    }

    PairMerging merging;
    std::vector<std::pair<std::string, std::int64_t>> words(counts.begin(), counts.end());
    std::sort(words.begin(), words.end()); // the same on every machine
    for (const auto& [word, count] : words) {
        give_up_if_told();
        std::vector<TokenId> symbols;
        for (const char byte : word) symbols.push_back(id_of[static_cast<unsigned char>(byte)]);
        merging.add_word(std::move(symbols), count);
    }

    std::unordered_map<std::string, TokenId> ids;
    for (std::size_t i = 0; i < tokens.size(); ++i) ids.emplace(tokens[i], specials + TokenId(i));
    std::vector<Bpe::Pair> merges;
    const auto text_of = [&](TokenId id) -> const std::string& { return tokens[std::size_t(id - specials)]; };
    while (specials + Index(tokens.size()) < vocabulary_size) {
        give_up_if_told();
        const auto pair = merging.most_frequent();
        if (!pair) break;
        // “a” + “bc” may make what “ab” + “c” has made before.
        std::string whole = text_of(pair->first) + text_of(pair->second);
        const auto [found, is_new] = ids.emplace(whole, specials + TokenId(tokens.size()));
        if (is_new) tokens.push_back(std::move(whole));
        merges.push_back({pair->first, pair->second, found->second});
        merging.merge(*pair, found->second);
    }
    parts.vocabulary = Vocabulary::with_specials(tokens);
    BpeOptions options;
    options.unknown = parts.vocabulary.specials().unk; // of no text: every byte is known
    parts.model = Bpe(options, std::move(merges), parts.vocabulary);
    return Tokenizer(std::move(parts));
}

} // namespace

Tokenizer train_byte_level_bpe(std::string_view text, Index vocabulary_size) {
    TokenizerParts parts = byte_level_parts();
    const Stretches counts = stretches_of(text, Tokenizer(parts));
    return merged(std::move(parts), counts, vocabulary_size);
}

Tokenizer train_sentence_bpe(std::span<const std::string> sentences, Index vocabulary_size) {
    TokenizerParts parts = sentence_parts();
    const Tokenizer cutter(parts);
    Stretches counts;
    for (const std::string& sentence : sentences) {
        give_up_if_told();
        count_stretches(sentence, cutter, counts);
    }
    return merged(std::move(parts), counts, vocabulary_size);
}

} // namespace headlight
