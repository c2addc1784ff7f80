// JSON that is to be written, its keys in the order in which they came. The JSON library's templates take
// seconds to compile wherever they are used; these are functions.
#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight {

class JsonTree {
public:
    JsonTree() : kind_(Kind::object) {} // without members, yet
    JsonTree(std::initializer_list<std::pair<const char*, JsonTree>> members);
    JsonTree(bool flag) : scalar_(flag ? "true" : "false") {}
    JsonTree(std::integral auto number) : scalar_(std::to_string(number)) {}
    JsonTree(double number); // the shortest that reads back the same; what is not finite, null
    JsonTree(const char* text) : JsonTree(std::string_view(text)) {}
    JsonTree(const std::string& text) : JsonTree(std::string_view(text)) {}
    JsonTree(std::string_view text); // bytes that are no UTF-8: U+FFFD
    JsonTree(const std::vector<std::string>& texts);
    static JsonTree list(std::vector<JsonTree> entries = {});

    JsonTree& operator[](const std::string& key); // of an object: is there from now on
    void push_back(JsonTree entry) { parts_.push_back(std::move(entry)); }

    // On one line, or each entry on its own, `indent` blanks further in than what holds it.
    std::string text(int indent = -1) const;

private:
    enum class Kind { scalar, list, object };

    void write(std::string& to, int indent, std::size_t depth) const;

    Kind kind_ = Kind::scalar;
    std::string scalar_;
    std::vector<std::string> keys_; // of an object, as JSON
    std::vector<JsonTree> parts_;
};

} // namespace headlight
