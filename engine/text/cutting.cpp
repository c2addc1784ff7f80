#include "engine/text/cutting.h"

#include "engine/text/encoding.h"

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

} // namespace headlight
