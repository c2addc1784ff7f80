// What of a text matches a pattern; in one place, because compiling <regex> costs seconds.
#pragma once

#include <set>
#include <string>

namespace headlight::test {

// The first group of every match of `pattern` (ECMAScript).
std::multiset<std::string> matches(const std::string& text, const std::string& pattern);

} // namespace headlight::test
