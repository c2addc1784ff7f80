#include "engine/io/json_reader.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

namespace headlight {

namespace {

std::string as_json(const nlohmann::json& scalar) {
    return scalar.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace

JsonTree::JsonTree(std::initializer_list<std::pair<const char*, JsonTree>> members) : kind_(Kind::object) {
    for (const auto& [key, value] : members) (*this)[key] = value;
}

JsonTree::JsonTree(double number) : scalar_(as_json(number)) {}

JsonTree::JsonTree(std::string_view text) : scalar_(as_json(text)) {}

JsonTree::JsonTree(const std::vector<std::string>& texts)
    : kind_(Kind::list), parts_(texts.begin(), texts.end()) {}

JsonTree JsonTree::list(std::vector<JsonTree> entries) {
    JsonTree tree;
    tree.kind_ = Kind::list;
    tree.parts_ = std::move(entries);
    return tree;
}

JsonTree& JsonTree::operator[](const std::string& key) {
    const std::string written = as_json(key);
    const auto found = std::find(keys_.begin(), keys_.end(), written);
    if (found != keys_.end()) return parts_[std::size_t(found - keys_.begin())];
    keys_.push_back(written);
    return parts_.emplace_back();
}

std::string JsonTree::text(int indent) const {
    std::string text;
    write(text, indent, 0);
    return text;
}

void JsonTree::write(std::string& to, int indent, std::size_t depth) const {
    if (kind_ == Kind::scalar) {
        to += scalar_;
        return;
    }
    const auto begin_line = [&](std::size_t at) {
        if (indent >= 0) to += '\n' + std::string(at * std::size_t(indent), ' ');
    };
    to += kind_ == Kind::list ? '[' : '{';
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (i > 0) to += ',';
        begin_line(depth + 1);
        if (kind_ == Kind::object) to += keys_[i] + (indent >= 0 ? ": " : ":");
        parts_[i].write(to, indent, depth + 1);
    }
    if (!parts_.empty()) begin_line(depth);
    to += kind_ == Kind::list ? ']' : '}';
}

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

using nlohmann::json;

namespace {

std::optional<Index> whole_number(const json& value) {
    if (!value.is_number_integer()) return std::nullopt;
    // The parser holds what is past 2⁶³ in another type; to convert it would make it negative.
    if (value.is_number_unsigned() && !std::in_range<Index>(value.get<std::uint64_t>())) return std::nullopt;
    return value.get<Index>();
}

} // namespace

const json* JsonReader::find(const char* key) const {
    const auto found = object_.find(key);
    return found == object_.end() || found->is_null() || error_ ? nullptr : &*found;
}

void JsonReader::refuse(Error error) {
    if (!error_) error_ = std::move(error);
}

void JsonReader::refuse(const char* error, const char* key, const json& value,
                        std::vector<std::string> more) {
    std::vector<std::string> arguments{file_, key, quoted(value)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    refuse(Error{error, std::move(arguments)});
}

void JsonReader::size(const char* key, Index& to, Index most) {
    const json* value = find(key);
    if (!value) return;
    const std::optional<Index> number = whole_number(*value);
    if (!number) return refuse("error.config_not_whole", key, *value);
    if (*number < 1 || *number > most)
        return refuse("error.config_size", key, *value, {std::to_string(most)});
    to = *number;
}

void JsonReader::number(const char* key, double& to) {
    const json* value = find(key);
    if (!value) return;
    if (!value->is_number()) return refuse("error.config_not_number", key, *value);
    to = value->get<double>();
}

void JsonReader::positive(const char* key, double& to) {
    number(key, to);
    if (const json* value = find(key); value && !(to > 0))
        refuse("error.config_range", key, *value, {std::string(key) + " > 0"});
}

void JsonReader::flag(const char* key, bool& to) {
    const json* value = find(key);
    if (!value) return;
    if (!value->is_boolean()) return refuse("error.config_not_flag", key, *value);
    to = value->get<bool>();
}

void JsonReader::text(const char* key, std::string& to) {
    if (const json* value = find(key); value && value->is_string()) to = value->get<std::string>();
}

void JsonReader::id(const char* key, TokenId& to) {
    const json* value = find(key);
    if (!value) return;
    const std::optional<Index> number = whole_number(*value);
    if (!number || !std::in_range<TokenId>(*number)) return refuse("error.config_not_whole", key, *value);
    to = TokenId(*number);
}

void JsonReader::ids(const char* key, std::vector<TokenId>& to) {
    const json* value = find(key);
    if (!value) return;
    to.clear();
    for (const json& each : value->is_array() ? *value : json::array({*value})) {
        const std::optional<Index> number = whole_number(each);
        if (!number || !std::in_range<TokenId>(*number)) return refuse("error.config_not_whole", key, each);
        to.push_back(TokenId(*number));
    }
}

void JsonReader::require(const char* key, const std::string& only) {
    if (const json* value = find(key); value && *value != only)
        refuse("error.config_not_choice", key, *value, {only});
}

void JsonReader::require(const char* key, bool only) {
    if (const json* value = find(key); value && *value != only)
        refuse("error.config_not_choice", key, *value, {only ? "true" : "false"});
}

} // namespace headlight
