#include "engine/text/cutting.h"
#include "engine/text/normalization.h"
#include "engine/text/unicode.h"

#include <algorithm>

namespace headlight {

Cutting cut(const Tokenizer& tokenizer, std::string_view text) {
    Cutting film;
    film.pieces = encoded(tokenizer.parts(), tokenizer.added_tokens(), text, &film).pieces;
    std::vector<TokenId> ids;
    for (const Piece& piece : film.pieces) ids.push_back(piece.id);
    film.input = model_input(tokenizer.parts().post_processor, ids);
    return film;
}

std::size_t steps_of(const CutWord& word) {
    struct Steps {
        std::size_t operator()(const LookUpFilm&) const { return 0; }
        std::size_t operator()(const BpeFilm& film) const { return film.merges.size(); }
        std::size_t operator()(const WordPieceFilm& film) const { return film.attempts.size(); }
        std::size_t operator()(const UnigramFilm& film) const { return film.best_sum.size(); }
    };
    return std::visit(Steps{}, word.film);
}

namespace {

class Encoder {
public:
    Encoder(const TokenizerParts& parts, const AddedTokens& added, std::string_view typed, Cutting* film)
        : parts_(parts), added_(added), typed_(typed), film_(film) {}

    EncodedText run() {
        const AlignedText text = aligned(typed_);
        between(text, added_.find_typed(text),
                [&](AlignedText stretch) { encode_typed(std::move(stretch)); });
        return std::move(result_);
    }

private:
    // Calls on_text(stretch) for what stands between the added tokens, and takes these as they are.
    template <class OnText>
    void between(const AlignedText& text, const std::vector<AddedTokens::Match>& matches, OnText on_text) {
        std::size_t done = 0;
        for (const AddedTokens::Match& match : matches) {
            if (done < match.range.begin) on_text(slice(text, done, match.range.begin));
            take_added(match.id, typed_range(text, match.range.begin, match.range.end));
            done = match.range.end;
        }
        if (done < text.characters.size()) on_text(slice(text, done, text.characters.size()));
    }

    void encode_typed(AlignedText text) {
        const bool begins = text.origins.front().begin == 0;
        if (parts_.language_codes) take_language_code(text);
        for (const Normalization& step : parts_.normalizer) apply(step, text, result_.gave_up);
        bool first = begins;
        between(text, added_.find_normalized(text), [&](AlignedText stretch) {
            encode_normalized(std::move(stretch), first);
            first = false;
        });
    }

    // Looked up whole, as one token.
    void take_language_code(AlignedText& text) {
        const AlignedText before = text;
        CharacterRange code{};
        if (!take_language_codes(text, code)) return;
        const std::u32string_view characters = before.characters;
        const TokenId id = parts_.vocabulary.find_in_model(utf8(characters.substr(code.begin, code.end)));
        take_added(id == no_token ? parts_.vocabulary.specials().unk : id,
                   typed_range(before, code.begin, code.end));
    }

    void take_added(TokenId id, TypedRange range) {
        if (film_ != nullptr) film_->stretches.push_back({range, id, {}, {}, {}, result_.pieces.size()});
        append_piece(id, range, id != parts_.vocabulary.specials().unk);
        ++word_;
    }

    void encode_normalized(AlignedText text, bool begins) {
        if (film_ != nullptr) {
            film_->stretches.push_back({typed_range(text, 0, text.characters.size()),
                                        no_token,
                                        utf8(text.characters),
                                        {},
                                        {},
                                        result_.pieces.size()});
            for (const AlignedText::Origin& origin : text.origins)
                film_->stretches.back().origins.push_back({origin.begin, origin.end});
        }
        const CutText cut = cut_words(std::move(text), parts_.pre_tokenizer, begins, result_.gave_up);
        for (const CharacterRange& word : cut.words) encode_word(cut.text, word);
    }

    void encode_word(const AlignedText& text, CharacterRange range) {
        const std::u32string_view characters = text.characters;
        const ModelWord word(characters.substr(range.begin, range.end - range.begin));
        tokens_.clear();
        WordFilm film = film_of_model();
        std::visit([&](const auto& model) { take_apart(model, word, film); }, parts_.model);
        if (film_ != nullptr)
            film_->stretches.back().words.push_back(
                {word.bytes, typed_range(text, range.begin, range.end),
                 std::vector<std::size_t>(word.starts.begin(), word.starts.end()), std::move(film),
                 result_.pieces.size(), tokens_.size()});
        for (const ModelToken& token : tokens_) {
            TypedRange typed = typed_range(text, range.begin + token.begin, range.begin + token.end);
            if (token.bytes > 0 && typed.end - typed.begin == token.bytes)
                typed = {typed.begin + token.byte, typed.begin + token.byte + 1};
            append_piece(token.id, typed, token.known && !is_unknown_mark(token.id));
        }
        ++word_;
    }

    // <unk>, [UNK], not a word that a vocabulary without such a mark gives in its place.
    bool is_unknown_mark(TokenId id) const {
        if (id != parts_.vocabulary.specials().unk) return false;
        const std::string& token = parts_.vocabulary.token(id);
        return token.starts_with('<') || token.starts_with('[');
    }

    WordFilm film_of_model() const {
        if (std::holds_alternative<Bpe>(parts_.model)) return BpeFilm{};
        if (std::holds_alternative<WordPiece>(parts_.model)) return WordPieceFilm{};
        if (std::holds_alternative<Unigram>(parts_.model)) return UnigramFilm{};
        return LookUpFilm{};
    }

    // The form itself, then its lower case: a vocabulary that keeps case has “Roma” and “o”, and a sentence
    // may begin with “O”.
    void take_apart(const WordLevel&, const ModelWord& word, WordFilm& film) {
        const auto all = std::uint32_t(word.size());
        TokenId id = parts_.vocabulary.find(word.bytes).value_or(no_token);
        if (id == no_token) {
            id = parts_.vocabulary.find(lowercase(word.bytes)).value_or(no_token);
            std::get<LookUpFilm>(film).lowercased = id != no_token;
        }
        const bool known = id != no_token;
        tokens_.push_back({known ? id : parts_.vocabulary.specials().unk, 0, all, known});
    }
    void take_apart(const Bpe& model, const ModelWord& word, WordFilm& film) {
        model.encode(word, parts_.vocabulary, tokens_, film_ ? &std::get<BpeFilm>(film) : nullptr);
    }
    void take_apart(const WordPiece& model, const ModelWord& word, WordFilm& film) {
        model.encode(word, parts_.vocabulary, tokens_, film_ ? &std::get<WordPieceFilm>(film) : nullptr);
    }
    void take_apart(const Unigram& model, const ModelWord& word, WordFilm& film) {
        model.encode(word, parts_.vocabulary, tokens_, film_ ? &std::get<UnigramFilm>(film) : nullptr);
    }

    static TypedRange typed_range(const AlignedText& text, std::size_t begin, std::size_t end) {
        if (begin == end) return {};
        return {text.origins[begin].begin, std::max(text.origins[end - 1].end, text.origins[begin].begin)};
    }

    void append_piece(TokenId id, TypedRange range, bool known) {
        const std::string_view text = typed_.substr(range.begin, range.end - range.begin);
        result_.pieces.push_back({id, valid_utf8(text), known, range, word_});
    }

    const TokenizerParts& parts_;
    const AddedTokens& added_;
    std::string_view typed_;
    Cutting* film_;
    EncodedText result_;
    Index word_ = 0;
    std::vector<ModelToken> tokens_;
};

} // namespace

EncodedText encoded(const TokenizerParts& parts, const AddedTokens& added, std::string_view text,
                    Cutting* film) {
    return Encoder(parts, added, text, film).run();
}

} // namespace headlight
