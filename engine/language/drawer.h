// Draws sentence pairs from a lexicon and a sentence grammar.
#pragma once

#include "engine/language/sentence_grammar.h"
#include "engine/language/wording.h"
#include "engine/tensor/random.h"

#include <memory>
#include <string>

namespace headlight::language {

struct DrawnPair {
    std::string english, portuguese; // UTF-8, with capital and final stop
};

// Never changes once it is made: any number of threads may draw from one.
class Drawer {
public:
    // Only what serves this direction is drawn: no synonym is a target.
    Drawer(std::shared_ptr<const Lexicon> lexicon, SentenceGrammar grammar, Direction direction);
    Drawer(Drawer&&) noexcept;
    ~Drawer();

    DrawnPair draw(Random& random) const;
    // Of this rule alone, for trying out; empty where there is no such rule.
    DrawnPair draw(std::string_view rule, Random& random) const;

private:
    struct Choices;
    std::shared_ptr<const Lexicon> lexicon_;
    SentenceGrammar grammar_;
    Direction direction_;
    Wording wording_;
    std::unique_ptr<const Choices> choices_;
};

inline constexpr std::size_t most_words = 16; // of a drawn sentence, on either side

} // namespace headlight::language
