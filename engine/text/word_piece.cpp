#include "engine/text/token_model.h"

#include "engine/text/bpe.h"
#include "engine/text/unicode.h"

#include <algorithm>

namespace headlight {

ModelWord::ModelWord(std::u32string_view word) {
    starts.reserve(word.size() + 1);
    bytes.reserve(2 * word.size());
    for (char32_t c : word) {
        starts.push_back(std::uint32_t(bytes.size()));
        append_utf8(bytes, c);
    }
    starts.push_back(std::uint32_t(bytes.size()));
}

ByteFallback::ByteFallback(const Vocabulary& vocabulary) {
    for (unsigned byte = 0; byte < 256; ++byte)
        ids_.push_back(vocabulary.find_in_model(fallback_token(static_cast<unsigned char>(byte))));
}

bool ByteFallback::append(const ModelWord& word, std::uint32_t begin, std::uint32_t end,
                          std::vector<ModelToken>& tokens) const {
    const auto id_of = [&](char byte) {
        return ids_.empty() ? no_token : ids_[static_cast<unsigned char>(byte)];
    };
    const std::string_view bytes = word.part(begin, end);
    if (std::any_of(bytes.begin(), bytes.end(), [&](char byte) { return id_of(byte) == no_token; }))
        return false;
    if (end - begin > 1) { // a run of unknown characters: each its own
        for (std::uint32_t i = begin; i < end; ++i) append(word, i, i + 1, tokens);
        return true;
    }
    for (std::size_t k = 0; k < bytes.size(); ++k)
        tokens.push_back({id_of(bytes[k]), begin, end, true, std::uint8_t(k), std::uint8_t(bytes.size())});
    return true;
}

std::size_t WordPiece::longest_token_of(const Vocabulary& vocabulary) {
    std::size_t longest = 0;
    for (const std::string& token : vocabulary.tokens()) longest = std::max(longest, token.size());
    return longest;
}

void WordPiece::encode(const ModelWord& word, const Vocabulary& vocabulary, std::vector<ModelToken>& tokens,
                       WordPieceFilm* film) const {
    const auto all = std::uint32_t(word.size());
    const std::size_t first = tokens.size();
    const auto give_up = [&] {
        tokens.resize(first, ModelToken{no_token, 0, 0});
        tokens.push_back({unknown, 0, all, false});
    };
    if (word.size() > longest_word) {
        if (film != nullptr) film->too_long = true;
        return give_up();
    }
    std::string piece;
    for (std::uint32_t begin = 0; begin < all;) {
        const std::size_t front = begin == 0 ? 0 : prefix.size();
        std::uint32_t end = all;
        // From the longest that may be there.
        const auto reach = std::upper_bound(word.starts.begin() + begin, word.starts.end(),
                                            word.starts[begin] + longest_token);
        end = std::min(end, std::uint32_t(reach - word.starts.begin()) - 1);
        TokenId id = no_token;
        for (; end > begin; --end) {
            piece.assign(prefix, 0, front).append(word.part(begin, end));
            id = vocabulary.find_in_model(piece);
            if (film != nullptr) film->attempts.push_back({begin, end, piece, id != no_token});
            if (id != no_token) break;
        }
        if (id == no_token) return give_up();
        tokens.push_back({id, begin, end});
        begin = end;
    }
}

} // namespace headlight
