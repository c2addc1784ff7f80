// A vocabulary in the making, from files whose ids may be anything.
#pragma once

#include "engine/base/result.h"
#include "engine/text/vocabulary.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

class VocabularyBuilder {
public:
    // About as many tokens as will come. An id more than twice as large (and a thousand) is refused: a file
    // must not ask for more memory than it is worth.
    VocabularyBuilder(std::string file, std::size_t expected);

    // Errors: a token that is there already, an id that is taken or makes no sense. `shown` is how the Error
    // quotes an id that is no number.
    std::optional<Error> add(std::string token, std::int64_t id, const std::string& shown = {});
    // A token of its own may be one of the model's, under the same id, or a new one.
    std::optional<Error> add_whole(const std::string& token, std::int64_t id, AddedToken how,
                                   const std::string& shown = {});
    // The first id below the largest that has no token, as an Error; nothing: there is none.
    std::optional<Error> hole() const;

    static constexpr std::int64_t no_number = std::numeric_limits<std::int64_t>::min(); // an id that is none
    TokenId find(std::string_view token) const;                        // no_token: it is not there
    TokenId find_any(std::initializer_list<const char*> tokens) const; // the first that is there
    std::size_t size() const { return tokens_.size(); }
    Vocabulary finish(const SpecialTokens& specials); // what is left of the builder is not used again

private:
    Error wrong_id(const std::string& token, std::int64_t id, const std::string& shown) const;
    std::string file_;
    std::size_t limit_;
    std::vector<std::string> tokens_;
    std::vector<bool> taken_;
    TokenIndex index_;
    std::vector<AddedToken> added_;
};

} // namespace headlight
