#include "engine/io/json_reader.h"

namespace headlight {

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
