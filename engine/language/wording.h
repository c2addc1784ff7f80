// From the words of a drawn sentence to how it is written: contractions, a and an, capital, punctuation.
#pragma once

#include "engine/language/lexicon.h"

#include <map>
#include <string>
#include <string_view>

namespace headlight::language {

class Wording {
public:
    explicit Wording(const Lexicon& lexicon); // for its contractions

    // Words and punctuation between blanks. “~” at the end of a word marks an auxiliary that may be contracted
    // (I have~ seen); `contracted`: I'm, doesn't.
    std::string english(std::string_view words, bool contracted) const;
    std::string portuguese(std::string_view words) const;

private:
    std::map<std::string, std::string, std::less<>> english_, portuguese_; // "de o" → "do"
};

} // namespace headlight::language
