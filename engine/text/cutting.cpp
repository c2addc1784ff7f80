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

} // namespace headlight
