#include "engine/io/json_text.h"

#include "engine/text/unicode.h"

#include <algorithm>
#include <optional>

namespace headlight {

namespace {

using nlohmann::json;

constexpr int deepest = 64;

// Depth of nesting, looked at before parsing: a megabyte of “[” would else become a million nested values.
bool is_too_deep(std::string_view text) {
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            if (++depth > deepest) return true;
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return false;
}

} // namespace

std::optional<Error> json_too_deep(std::string_view text, const std::string& file) {
    if (!is_too_deep(text)) return std::nullopt;
    return Error{"error.json_too_deep", {file, std::to_string(deepest)}};
}

Error json_syntax_error(std::string_view text, const std::string& file, std::size_t byte) {
    const std::string_view before = text.substr(0, std::min(byte > 0 ? byte - 1 : 0, text.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t line_begin = before.rfind('\n') + 1; // npos + 1 is 0: the first line
    const std::size_t column = 1 + code_points(before.substr(line_begin)).size();
    return {"error.json_syntax", {file, std::to_string(line), std::to_string(column)}};
}

std::string quoted(const json& value) {
    constexpr std::size_t longest = 60;
    const std::u32string all = code_points(value.dump(-1, ' ', false, json::error_handler_t::replace));
    if (all.size() <= longest) return utf8(all);
    return utf8(all.substr(0, longest - 1)) + "…";
}

} // namespace headlight
