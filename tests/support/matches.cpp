#include "tests/support/matches.h"

#include <regex>

namespace headlight::test {

std::multiset<std::string> matches(const std::string& text, const std::string& pattern) {
    const std::regex compiled(pattern, std::regex::ECMAScript | std::regex::multiline);
    std::multiset<std::string> found;
    for (auto i = std::sregex_iterator(text.begin(), text.end(), compiled); i != std::sregex_iterator(); ++i)
        found.insert((*i)[1]);
    return found;
}

} // namespace headlight::test
