// JSON from outside: anything that is not plain JSON is an Error that says where. For sources only: public
// headers do not show the JSON library.
#pragma once

#include "engine/base/result.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace headlight {

// `file` is named in errors: syntax (with line and column), nesting deeper than 64, a key that stands twice
// in one object, a number that no double holds.
Result<nlohmann::json> parse_json(std::string_view text, const std::string& file);

// What parse_json finds before it parses, and what it says of bad syntax; `byte` counts from 1 the last one
// read.
std::optional<Error> json_too_deep(std::string_view text, const std::string& file);
Error json_syntax_error(std::string_view text, const std::string& file, std::size_t byte);

// A value as an Error quotes it: at most 60 characters.
std::string quoted(const nlohmann::json& value);

} // namespace headlight
