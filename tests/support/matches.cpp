#include "tests/support/matches.h"

#include <map>
#include <regex>

namespace headlight::test {

std::multiset<std::string> matches(const std::string& text, const std::string& pattern) {
    static std::map<std::string, std::regex> known; // compiling one takes longer than most searches
    const auto [place, is_new] = known.try_emplace(pattern);
    if (is_new) place->second = std::regex(pattern, std::regex::ECMAScript | std::regex::multiline);
    const std::regex& compiled = place->second;
    std::multiset<std::string> found;
    for (auto i = std::sregex_iterator(text.begin(), text.end(), compiled); i != std::sregex_iterator(); ++i)
        found.insert((*i)[1]);
    return found;
}

std::set<std::string> quoted_keys(const std::string& text) {
    const auto is_in = [](char c, bool capitals) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'
               || (capitals && c >= 'A' && c <= 'Z');
    };
    std::set<std::string> keys;
    for (std::size_t quote = text.find('"'); quote != text.npos; quote = text.find('"', quote)) {
        const std::size_t begin = ++quote;
        std::size_t dots = 0, end = begin;
        for (bool after_dot = true; end < text.size(); ++end) {
            const bool is_dot = text[end] == '.';
            if (is_dot ? after_dot : !is_in(text[end], dots > 0)) break;
            dots += is_dot;
            after_dot = is_dot;
        }
        if (dots == 0 || end >= text.size() || text[end] != '"' || text[end - 1] == '.') continue;
        keys.insert(text.substr(begin, end - begin));
        quote = end + 1;
    }
    return keys;
}

} // namespace headlight::test
