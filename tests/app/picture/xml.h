// Just enough of XML to know that a drawing can be read by others.
#pragma once

#include <string>
#include <vector>

namespace headlight::test {

// What is wrong with it, or "" when every element is closed where it must be, attributes are quoted and said
// once, and no character stands there that has to be written otherwise.
std::string xml_fault(const std::string& text);

// What stands between the tags of that element, one string each; entities are characters again.
std::vector<std::string> contents_of(const std::string& xml, const std::string& element);

int count_of(const std::string& text, const std::string& what);

} // namespace headlight::test
