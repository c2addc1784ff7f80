// Which Portuguese word each English word of a translated sentence becomes: a word alignment by the lexicon's forms.
#pragma once

#include "engine/language/senses.h"
#include "engine/text/tokenizer.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// Never changes once it is made: any number of threads may ask one.
class WordGlosser {
public:
    // Of assets/lexicon and assets/grammars/everyday-gloss.txt. Errors: those of these files.
    static Result<WordGlosser> open(const std::string& assets);

    static constexpr std::string_view none = "–"; // becomes no word
    static constexpr std::string_view same = "="; // stays as it is: a name, a number

    // For each of the English sentence's gloss_words the Portuguese words that it becomes, in small letters unless they are
    // always written otherwise; between several stands a space that does not break (U+00A0). Nothing where a word that says
    // something, on either side, stands for none of the other's: then the sentence says it in its own way.
    std::optional<std::vector<std::string>> gloss(std::string_view english, std::string_view portuguese) const;

    // The same as places: for each of the English sentence's gloss_words those of the Portuguese words that it becomes.
    std::optional<std::vector<std::vector<TypedRange>>> align(std::string_view english, std::string_view portuguese) const;

private:
    explicit WordGlosser(language::Senses senses) : senses_(std::move(senses)) {}

    language::Senses senses_;
};

// One gloss a word, as it is written: "o cachorro dorme."
std::string written_gloss(const std::vector<std::string>& glosses);

} // namespace headlight
