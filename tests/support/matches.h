// What of a text matches a pattern; in one place, because compiling <regex> costs seconds.
#pragma once

#include <set>
#include <string>

namespace headlight::test {

// The first group of every match of `pattern` (ECMAScript).
std::multiset<std::string> matches(const std::string& text, const std::string& pattern);

// Every text in quotes that is written like a key, "topic.name" or longer: "([a-z0-9_]+(\.[A-Za-z0-9_]+)+)".
// By hand, because all sources are read for them.
std::set<std::string> quoted_keys(const std::string& text);

} // namespace headlight::test
