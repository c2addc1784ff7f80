#include "engine/io/json_tree.h"

#include <nlohmann/json.hpp>

#include <algorithm>

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

} // namespace headlight
