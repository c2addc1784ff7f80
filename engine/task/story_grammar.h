// Stories that recombine: skeletons with slots, of assets/stories/recombined.txt, whose head explains the
// notation.
#pragma once

#include "engine/base/result.h"
#include "engine/tensor/random.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight {

class StoryGrammar {
public:
    // Every story is told a few times, so that no mistake is found later. Errors: those of a file that cannot
    // be read; story_line, with file and line.
    static Result<StoryGrammar> read(const std::string& file);

    // The paragraphs of a story, without its title. It depends on `random` alone.
    std::vector<std::string> draw(Random& random) const;

private:
    struct Entry {
        std::string text, pronoun; // "he", "she", "it"
        std::map<std::string, std::string, std::less<>> columns;
    };
    struct Line {
        std::string text;
        std::size_t number;
    };
    class Telling;
    using Entries = std::vector<Entry>;
    bool add_entry(Entries& entries, const std::string& pronoun, const std::vector<std::string>& columns,
                   std::string_view line) const;

    std::map<std::string, Entries, std::less<>> lists_;
    std::vector<std::vector<Line>> stories_;
};

} // namespace headlight
