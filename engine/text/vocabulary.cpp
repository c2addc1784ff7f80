#include "engine/text/vocabulary.h"

#include "engine/base/check.h"

#include <algorithm>

namespace headlight {

Vocabulary::Vocabulary() : Vocabulary(with_specials({})) {}

Vocabulary::Vocabulary(std::vector<std::string> tokens, SpecialTokens specials, std::vector<AddedToken> added)
    : tokens_(std::move(tokens)),
      specials_(specials),
      added_(std::move(added)),
      special_(tokens_.size(), false),
      outside_(tokens_.size(), false) {
    ids_.reserve(tokens_.size());
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (tokens_[i].empty()) continue;
        const bool is_new = ids_.emplace(tokens_[i], TokenId(i)).second;
        HEADLIGHT_CHECK(is_new, "the token “" + tokens_[i] + "” stands twice in a vocabulary");
    }
    const auto exists = [&](TokenId id) { return id >= 0 && Index(id) < size(); };
    for (TokenId id : {specials_.pad, specials_.bos, specials_.eos, specials_.unk})
        HEADLIGHT_CHECK(id == no_token || exists(id), "no token for the special id " + std::to_string(id));
    for (TokenId id : {specials_.pad, specials_.bos, specials_.eos})
        if (id != no_token) special_[std::size_t(id)] = true;
    for (const AddedToken& token : added_) {
        HEADLIGHT_CHECK(exists(token.id), "no token for the added id " + std::to_string(token.id));
        if (token.special) special_[std::size_t(token.id)] = true;
        if (token.outside) outside_[std::size_t(token.id)] = true;
    }
}

Vocabulary Vocabulary::with_specials(const std::vector<std::string>& words) {
    std::vector<std::string> tokens = {"<pad>", "<s>", "</s>", "<unk>"};
    tokens.insert(tokens.end(), words.begin(), words.end());
    return Vocabulary(std::move(tokens), SpecialTokens{}, {{0}, {1}, {2}, {3}});
}

const std::string& Vocabulary::token(TokenId id) const {
    HEADLIGHT_CHECK(id >= 0 && Index(id) < size(),
                    "token " + std::to_string(id) + " of a vocabulary of " + std::to_string(size()));
    return tokens_[std::size_t(id)];
}

std::optional<TokenId> Vocabulary::find(std::string_view token) const {
    const auto found = ids_.find(token);
    if (found == ids_.end()) return std::nullopt;
    return found->second;
}

TokenId Vocabulary::find_in_model(std::string_view token) const {
    const auto found = ids_.find(token);
    return found == ids_.end() || outside_[std::size_t(found->second)] ? no_token : found->second;
}

Vocabulary Vocabulary::with_size(Index size) const {
    Vocabulary larger = *this;
    const std::size_t n = std::max(tokens_.size(), std::size_t(std::max<Index>(size, 0)));
    larger.tokens_.resize(n);
    larger.special_.resize(n, false);
    larger.outside_.resize(n, false);
    return larger;
}

bool Vocabulary::is_special(TokenId id) const {
    return id >= 0 && Index(id) < size() && special_[std::size_t(id)];
}

bool Vocabulary::operator==(const Vocabulary& other) const {
    return tokens_ == other.tokens_ && specials_ == other.specials_ && added_ == other.added_;
}

} // namespace headlight
