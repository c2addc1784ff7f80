// JSON that is still JSON: another value, a key that is gone, a list twice as long.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace headlight::fuzz {

// Changes a value of one of the objects that stand in the text: at its beginning, behind eight bytes of
// another kind, at the beginning of a line. False: there is none. `words`: more values to put in, as JSON.
bool change_json(std::string& text, const std::vector<std::string>& words, std::mt19937_64& random);

} // namespace headlight::fuzz
