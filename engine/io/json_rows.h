// JSON with a few very long lists in it. A vocabulary of 150,000 tokens as a tree of values takes longer to
// build than everything else that is done with it; here its entries are rows.
#pragma once

#include "engine/io/json_text.h"

#include <cstdint>
#include <map>

namespace headlight {

// An entry of a long list: “"token": 5”, “"a b"”, “["a", "b"]” or “["piece", -3.5]”.
struct JsonRow {
    enum class Shape { whole, text, texts, scored, other };
    Shape shape = Shape::other;
    std::string first, second; // other: `second` is what stands there, as an Error quotes it
    std::int64_t whole = 0;
    double score = 0;
};
using JsonRows = std::vector<JsonRow>;

// As parse_json, but the entries of the values at these places (“/model/vocab”) are handed over as rows; the
// value itself becomes an empty object or list. The Errors are the same, except that a key that stands twice
// in such an object is two rows.
Result<nlohmann::json> parse_json(std::string_view text, const std::string& file,
                                  std::map<std::string, JsonRows>& rows);

} // namespace headlight
