#include "engine/io/vocabulary_builder.h"

#include <algorithm>

namespace headlight {

VocabularyBuilder::VocabularyBuilder(std::string file, std::size_t expected)
    : file_(std::move(file)), limit_(2 * expected + 1000) {
    tokens_.reserve(expected);
    index_.reserve(expected);
}

Error VocabularyBuilder::wrong_id(const std::string& token, std::int64_t id, const std::string& shown) const {
    return {"error.tokenizer_id", {file_, token, id == no_number ? shown : std::to_string(id)}};
}

std::optional<Error> VocabularyBuilder::add(std::string token, std::int64_t id, const std::string& shown) {
    if (find(token) != no_token) return Error{"error.json_key_twice", {file_, token}};
    if (id < 0 || std::uint64_t(id) >= limit_) return wrong_id(token, id, shown);
    const auto place = std::size_t(id);
    if (place >= tokens_.size()) {
        tokens_.resize(place + 1);
        taken_.resize(place + 1, false);
    }
    if (taken_[place]) return wrong_id(token, id, shown);
    taken_[place] = true;
    tokens_[place] = std::move(token);
    if (!tokens_[place].empty()) index_.insert(TokenId(id), tokens_);
    return std::nullopt;
}

std::optional<Error> VocabularyBuilder::add_whole(const std::string& token, std::int64_t id, AddedToken how,
                                                  const std::string& shown) {
    const TokenId known = find(token);
    if (known != no_token && known != id) return wrong_id(token, id, shown);
    how.outside = known == no_token;
    if (how.outside)
        if (const auto error = add(token, id, shown)) return error;
    how.id = TokenId(id);
    // The later of two entries counts.
    std::erase_if(added_, [&](const AddedToken& other) {
        if (other.id == how.id) how.outside = other.outside;
        return other.id == how.id;
    });
    added_.push_back(how);
    return std::nullopt;
}

std::optional<Error> VocabularyBuilder::hole() const {
    const auto free = std::find(taken_.begin(), taken_.end(), false);
    if (free == taken_.end()) return std::nullopt;
    return wrong_id(tokens_.back(), std::int64_t(tokens_.size()) - 1, {});
}

TokenId VocabularyBuilder::find(std::string_view token) const { return index_.find(token, tokens_); }

TokenId VocabularyBuilder::find_any(std::initializer_list<const char*> tokens) const {
    for (const char* token : tokens)
        if (const TokenId id = find(token); id != no_token) return id;
    return no_token;
}

Vocabulary VocabularyBuilder::finish(const SpecialTokens& specials) {
    return Vocabulary(std::move(tokens_), specials, std::move(added_));
}

} // namespace headlight
