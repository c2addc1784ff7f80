#include "engine/text/tokenizer.h"

#include "engine/base/check.h"
#include "engine/text/nearest_words.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

namespace headlight {

namespace {

// Finds added tokens in a typed text, the longest first. Looks at a place only when its byte begins one.
class AddedTokens {
public:
    explicit AddedTokens(const Vocabulary& vocabulary) {
        for (const AddedToken& added : vocabulary.added()) {
            const std::string& token = vocabulary.token(added.id);
            if (token.empty()) continue;
            ids_.emplace(token, added.id);
            lengths_[static_cast<unsigned char>(token.front())].insert(token.size());
        }
    }

    struct Match {
        TokenId id = no_token;
        std::size_t length = 0;
    };
    Match at(std::string_view rest) const {
        for (std::size_t length : lengths_[static_cast<unsigned char>(rest.front())]) {
            if (length > rest.size()) continue;
            if (const auto found = ids_.find(rest.substr(0, length)); found != ids_.end())
                return {found->second, length};
        }
        return {};
    }

private:
    std::map<std::string, TokenId, std::less<>> ids_;
    std::set<std::size_t, std::greater<>> lengths_[256]; // of the tokens that begin with this byte
};

bool is_attached(std::string_view token) {
    constexpr std::string_view signs = ",.!?;:";
    return token.size() == 1 && signs.find(token) != std::string_view::npos;
}

struct NormalizedPiece {
    std::string token; // as it is looked up
    std::string_view typed;
};

void append_pieces(const TokenizerParts& parts, std::string_view whole, std::size_t begin, std::size_t end,
                   std::vector<NormalizedPiece>& pieces) {
    AlignedText text = aligned(whole.substr(begin, end - begin), begin);
    for (const Normalization& step : parts.normalizer) apply(step, text);
    for (const CharacterRange& range : split(text.characters, parts.pre_tokenizer)) {
        const std::size_t from = text.origins[range.begin].begin, to = text.origins[range.end - 1].end;
        const std::u32string_view characters = text.characters;
        pieces.push_back(
            {utf8(characters.substr(range.begin, range.end - range.begin)), whole.substr(from, to - from)});
    }
}

// Lookup: the form itself, then its lower case: a vocabulary that keeps case has “Roma” and “o”, and a
// sentence may begin with “O”.
TokenId look_up(const Vocabulary& vocabulary, const std::string& token) {
    if (const auto id = vocabulary.find(token)) return *id;
    if (const auto id = vocabulary.find(lowercase(token))) return *id;
    return no_token;
}

} // namespace

struct Tokenizer::State {
    explicit State(TokenizerParts all) : parts(std::move(all)), added(parts.vocabulary) {}

    const std::vector<FoldedWord>& folded_words() const {
        std::call_once(folded_once_, [this] {
            const Vocabulary& vocabulary = parts.vocabulary;
            for (std::size_t i = 0; i < vocabulary.tokens().size(); ++i)
                if (const std::string& word = vocabulary.tokens()[i]; !vocabulary.is_special(TokenId(i)))
                    folded_.push_back({word, folded(word)});
        });
        return folded_;
    }

    // Calls on_text(begin, end) for each stretch of plain text, and on_added(id, begin, end) for each added
    // token, in order.
    template <class OnText, class OnAdded>
    void walk(std::string_view text, OnText on_text, OnAdded on_added) const {
        std::size_t begin = 0;
        for (std::size_t i = 0; i < text.size();) {
            const AddedTokens::Match match = added.at(text.substr(i));
            if (match.length == 0) {
                ++i;
                continue;
            }
            if (begin < i) on_text(begin, i);
            on_added(match.id, i, i + match.length);
            i += match.length;
            begin = i;
        }
        if (begin < text.size()) on_text(begin, text.size());
    }

    TokenizerParts parts;
    AddedTokens added;

private:
    mutable std::once_flag folded_once_; // made at the first question: most tokenizers are never asked
    mutable std::vector<FoldedWord> folded_;
};

Tokenizer::Tokenizer(TokenizerParts parts) : state_(std::make_shared<const State>(std::move(parts))) {
    HEADLIGHT_CHECK(vocabulary().specials().unk != no_token,
                    "a tokenizer whose vocabulary has no unknown token");
}

const TokenizerParts& Tokenizer::parts() const { return state_->parts; }

Tokenizer Tokenizer::words(std::span<const std::string> texts, const WordOptions& options, Index* words_cut) {
    using Kind = Normalization::Kind;
    TokenizerParts parts;
    parts.normalizer.push_back({Kind::nfc});
    if (options.lowercase) parts.normalizer.push_back({Kind::lowercase});
    parts.normalizer.push_back({Kind::replace, U"’", U"'"}); // “didn’t” is “didn't”
    parts.pre_tokenizer = {Splitting::words};

    std::map<std::string, Index> counts; // in alphabetical order
    const Tokenizer cutter(parts);
    for (const std::string& text : texts)
        for (std::string& word : cutter.normalized_words(text)) ++counts[std::move(word)];
    std::vector<std::pair<std::string, Index>> by_frequency(counts.begin(), counts.end());
    std::stable_sort(by_frequency.begin(), by_frequency.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });

    const std::size_t specials = std::size_t(parts.vocabulary.size());
    const std::size_t all = by_frequency.size();
    std::size_t kept = all;
    if (options.max_size > 0)
        kept = std::min(all, std::max(std::size_t(options.max_size), specials) - specials);
    if (words_cut != nullptr) *words_cut = Index(all - kept);
    std::vector<std::string> words;
    for (std::size_t i = 0; i < kept; ++i) words.push_back(by_frequency[i].first);
    parts.vocabulary = Vocabulary::with_specials(words);
    return Tokenizer(std::move(parts));
}

Tokenizer Tokenizer::characters(std::string_view alphabet, bool lowercase) {
    using Kind = Normalization::Kind;
    TokenizerParts parts;
    parts.normalizer.push_back({Kind::nfc});
    if (lowercase) parts.normalizer.push_back({Kind::lowercase});
    parts.pre_tokenizer = {Splitting::characters};
    parts.joins_directly = true;

    std::vector<std::string> distinct;
    std::set<std::string> seen;
    for (const std::string& character : Tokenizer(parts).normalized_words(alphabet))
        if (seen.insert(character).second) distinct.push_back(character);
    parts.vocabulary = Vocabulary::with_specials(distinct);
    return Tokenizer(std::move(parts));
}

std::vector<Piece> Tokenizer::encode(std::string_view text) const {
    std::vector<Piece> pieces;
    const TokenId unk = vocabulary().specials().unk;
    const auto on_text = [&](std::size_t begin, std::size_t end) {
        std::vector<NormalizedPiece> found;
        append_pieces(parts(), text, begin, end, found);
        for (const NormalizedPiece& piece : found) {
            const TokenId id = look_up(vocabulary(), piece.token);
            const bool known = id != no_token;
            pieces.push_back({known ? id : unk, valid_utf8(piece.typed), known});
        }
    };
    const auto on_added = [&](TokenId id, std::size_t begin, std::size_t end) {
        pieces.push_back({id, std::string(text.substr(begin, end - begin)), id != unk});
    };
    state_->walk(text, on_text, on_added);
    return pieces;
}

std::vector<TokenId> Tokenizer::encode_ids(std::string_view text) const {
    std::vector<TokenId> ids;
    for (const Piece& piece : encode(text)) ids.push_back(piece.id);
    return ids;
}

std::vector<std::string> Tokenizer::normalized_words(std::string_view text) const {
    std::vector<NormalizedPiece> found;
    state_->walk(
        text, [&](std::size_t begin, std::size_t end) { append_pieces(parts(), text, begin, end, found); },
        [](TokenId, std::size_t, std::size_t) {});
    std::vector<std::string> words;
    for (NormalizedPiece& piece : found) words.push_back(std::move(piece.token));
    return words;
}

std::string Tokenizer::decode(std::span<const TokenId> ids) const {
    std::string text;
    for (TokenId id : ids) {
        const std::string& token = vocabulary().token(id);
        if (vocabulary().is_special(id)) continue;
        if (!text.empty() && !parts().joins_directly && !is_attached(token)) text += ' ';
        text += token;
    }
    return text;
}

std::vector<std::string> Tokenizer::nearest(std::string_view word, std::size_t n) const {
    return nearest_words(state_->folded_words(), word, n);
}

bool Tokenizer::lowercases() const {
    const std::vector<Normalization>& steps = parts().normalizer;
    return std::any_of(steps.begin(), steps.end(),
                       [](const Normalization& step) { return step.kind == Normalization::Kind::lowercase; });
}

Tokenizer Tokenizer::with_specials(const SpecialTokens& specials) const {
    if (specials == vocabulary().specials()) return *this;
    TokenizerParts changed = parts();
    changed.vocabulary = Vocabulary(vocabulary().tokens(), specials, vocabulary().added());
    return Tokenizer(std::move(changed));
}

std::string token_label(const Tokenizer& tokenizer, TokenId id) {
    const std::string& token = tokenizer.vocabulary().token(id);
    return token == " " ? "␣" : token;
}

} // namespace headlight
