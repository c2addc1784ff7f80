#include "engine/text/vocabulary.h"

#include "engine/base/check.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace headlight {

void TokenIndex::reserve(std::size_t tokens) {
    const std::size_t needed = std::bit_ceil(2 * tokens + 16);
    if (needed <= slots_.size()) return;
    std::vector<Slot> old(needed);
    old.swap(slots_);
    for (const Slot& slot : old) {
        if (slot.id == no_token) continue;
        std::size_t at = slot.hash & (needed - 1);
        while (slots_[at].id != no_token) at = (at + 1) & (needed - 1);
        slots_[at] = slot;
    }
}

TokenId TokenIndex::find(std::string_view token, const std::vector<std::string>& tokens) const {
    if (slots_.empty()) return no_token;
    const auto hash = std::uint32_t(std::hash<std::string_view>()(token));
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask; slots_[at].id != no_token; at = (at + 1) & mask)
        if (slots_[at].hash == hash && tokens[std::size_t(slots_[at].id)] == token) return slots_[at].id;
    return no_token;
}

void TokenIndex::insert(TokenId id, const std::vector<std::string>& tokens) {
    if (2 * (used_ + 1) > slots_.size()) reserve(2 * used_ + 8);
    const auto hash = std::uint32_t(std::hash<std::string_view>()(tokens[std::size_t(id)]));
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at].id != no_token) at = (at + 1) & mask;
    slots_[at] = {hash, id};
    ++used_;
}

Vocabulary::Vocabulary() : Vocabulary(with_specials({})) {}

Vocabulary::Vocabulary(std::vector<std::string> tokens, SpecialTokens specials, std::vector<AddedToken> added)
    : tokens_(std::move(tokens)),
      specials_(specials),
      added_(std::move(added)),
      special_(tokens_.size(), false),
      outside_(tokens_.size(), false) {
    index_.reserve(tokens_.size());
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (tokens_[i].empty()) continue;
        HEADLIGHT_CHECK(index_.find(tokens_[i], tokens_) == no_token,
                        "the token “" + tokens_[i] + "” stands twice in a vocabulary");
        index_.insert(TokenId(i), tokens_);
    }
    mark_specials();
}

void Vocabulary::mark_specials() {
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
    const TokenId id = index_.find(token, tokens_);
    if (id == no_token) return std::nullopt;
    return id;
}

TokenId Vocabulary::find_in_model(std::string_view token) const {
    const TokenId id = index_.find(token, tokens_);
    return id == no_token || outside_[std::size_t(id)] ? no_token : id;
}

Vocabulary Vocabulary::with(const SpecialTokens& specials) const {
    Vocabulary changed = *this;
    for (TokenId id : {specials_.pad, specials_.bos, specials_.eos})
        if (id != no_token) changed.special_[std::size_t(id)] = false;
    changed.specials_ = specials;
    changed.mark_specials();
    return changed;
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
