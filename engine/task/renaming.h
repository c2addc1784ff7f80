// Names and numbers are copied, whoever is meant: both sides of a pair with other ones.
#pragma once

#include "engine/task/task.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

class FirstNames {
public:
    // assets/lexicon/names.txt: names of women stand under "femalename", those of men under "malename".
    // Errors: those of a file that cannot be read; names_none, where one of the two has no name.
    static Result<FirstNames> read(const std::string& file);

    // Each name that stands as often on either side becomes another of the same gender, on both; now and then
    // one that nobody has. Of a pair that says no name nothing changes.
    SentencePair renamed(SentencePair pair, Random& random) const;

private:
    std::string other(bool is_feminine, Random& random) const;
    std::vector<std::string> feminine_, masculine_;
    std::map<std::string, bool, std::less<>> is_feminine_;
};

// Each number in digits that stands as often on either side becomes another of its kind, on both: a day of
// the month remains one, a year a year. What is one remains so, its noun being in the singular, as do "2nd"
// and "3rd".
SentencePair renumbered(SentencePair pair, Random& random);

} // namespace headlight
