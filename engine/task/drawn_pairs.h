// Everyday sentence pairs without end: drawn from assets/lexicon and assets/grammars/everyday.txt.
#pragma once

#include "engine/language/drawer.h"
#include "engine/task/task.h"

#include <memory>
#include <string>

namespace headlight {

// Never changes once it is made: any number of threads may draw from one.
class DrawnPairs {
public:
    using Direction = language::Direction;

    // assets: the folder that has lexicon/ and grammars/ in it. Errors: those of the lexicon (lexicon_*) and of the
    // sentence grammar (sentences_*), with file and line.
    static Result<std::unique_ptr<DrawnPairs>> open(const std::string& assets, Direction direction);

    SentencePair draw(Random& random) const;
    const language::Drawer& drawer() const { return drawer_; }

private:
    DrawnPairs(language::Drawer drawer, Direction direction) : drawer_(std::move(drawer)), direction_(direction) {}

    language::Drawer drawer_;
    Direction direction_;
};

} // namespace headlight
