#include "engine/text/tokenizer.h"

#include "engine/base/check.h"
#include "engine/base/giving_up.h"
#include "engine/text/cutting.h"
#include "engine/text/unicode.h"
#include "engine/text/words.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

namespace headlight {

namespace {

bool is_attached(std::string_view token) {
    constexpr std::string_view signs = ",.!?;:";
    return token.size() == 1 && signs.find(token) != std::string_view::npos;
}

} // namespace

struct Tokenizer::State {
    explicit State(TokenizerParts all) : parts(std::move(all)), added(parts.vocabulary, parts.normalizer) {}

    const std::vector<FoldedWord>& folded_words() const {
        std::call_once(folded_once_, [this] {
            const Vocabulary& vocabulary = parts.vocabulary;
            for (std::size_t i = 0; i < vocabulary.tokens().size(); ++i)
                if (const std::string& word = vocabulary.tokens()[i]; !vocabulary.is_special(TokenId(i)))
                    folded_.push_back({word, folded(word)});
        });
        return folded_;
    }

    TokenizerParts parts;
    AddedTokens added;

private:
    mutable std::once_flag folded_once_; // made at the first question: most tokenizers are never asked
    mutable std::vector<FoldedWord> folded_;
};

Tokenizer::Tokenizer(TokenizerParts parts) : state_(std::make_shared<const State>(std::move(parts))) {
    HEADLIGHT_CHECK(!is_word_level() || vocabulary().specials().unk != no_token,
                    "a tokenizer whose vocabulary has no unknown token");
}

const TokenizerParts& Tokenizer::parts() const { return state_->parts; }

const AddedTokens& Tokenizer::added_tokens() const { return state_->added; }

Tokenizer Tokenizer::words(std::span<const std::string> texts, const WordOptions& options, Index* words_cut) {
    using Kind = Normalization::Kind;
    TokenizerParts parts;
    parts.normalizer.push_back({Kind::nfc});
    if (options.lowercase) parts.normalizer.push_back({Kind::lowercase});
    parts.normalizer.push_back({Kind::replace, U"’", U"'"}); // “didn’t” is “didn't”
    parts.pre_tokenizer = {Splitting::words};

    std::map<std::string, Index> counts; // in alphabetical order
    const Tokenizer cutter(parts);
    for (const std::string& text : texts) {
        give_up_if_told();
        for (std::string& word : cutter.normalized_words(text)) ++counts[std::move(word)];
    }
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
    return encoded(parts(), state_->added, text).pieces;
}

Result<std::vector<Piece>> Tokenizer::try_encode(std::string_view text) const {
    EncodedText result = encoded(parts(), state_->added, text);
    if (result.gave_up) return Error{"error.tokenizer_gave_up", {}};
    return std::move(result.pieces);
}

std::vector<TokenId> Tokenizer::encode_ids(std::string_view text) const {
    std::vector<TokenId> ids;
    for (const Piece& piece : encode(text)) ids.push_back(piece.id);
    return ids;
}

ModelInput Tokenizer::model_input(std::string_view text) const {
    return headlight::model_input(parts().post_processor, encode_ids(text));
}

ModelInput Tokenizer::model_input(std::string_view first, std::string_view second) const {
    return headlight::model_input(parts().post_processor, encode_ids(first), encode_ids(second));
}

std::vector<std::string> Tokenizer::normalized_words(std::string_view text) const {
    std::vector<std::string> words;
    for (CutStretch& stretch : cut(*this, text).stretches)
        for (CutWord& word : stretch.words) words.push_back(std::move(word.text));
    return words;
}

std::string Tokenizer::decode(std::span<const TokenId> ids) const {
    std::vector<std::string> tokens;
    for (TokenId id : ids)
        if (const std::string& token = vocabulary().token(id); !vocabulary().is_special(id))
            tokens.push_back(token);
    if (!parts().decoder.empty()) return decoded(std::move(tokens), parts().decoder);
    std::string text;
    for (const std::string& token : tokens) {
        const bool touches = parts().joins_directly || (is_word_level() && is_attached(token));
        if (!text.empty() && !touches) text += ' ';
        text += token;
    }
    return text;
}

std::vector<std::string> Tokenizer::nearest(std::string_view word, std::size_t n) const {
    if (!is_word_level()) return {};
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
    changed.vocabulary = vocabulary().with(specials);
    return Tokenizer(std::move(changed));
}

Tokenizer Tokenizer::with_post_processor(const PostProcessing& processing) const {
    TokenizerParts changed = parts();
    changed.post_processor = processing;
    return Tokenizer(std::move(changed));
}

Tokenizer Tokenizer::with_vocab_size(Index size) const {
    if (size <= vocabulary().size()) return *this;
    TokenizerParts changed = parts();
    changed.vocabulary = vocabulary().with_size(size);
    return Tokenizer(std::move(changed));
}

bool Tokenizer::is_byte_level() const {
    const std::vector<PreTokenization>& steps = parts().pre_tokenizer;
    return std::any_of(steps.begin(), steps.end(),
                       [](const PreTokenization& step) { return std::holds_alternative<ByteLevel>(step); });
}

} // namespace headlight
