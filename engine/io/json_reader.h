#pragma once

#include "engine/base/result.h"
#include "engine/model/config.h"

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight {

// JSON that is to be written, its keys in the order in which they came. The JSON library's templates take
// seconds to compile wherever they are used; these are functions.

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

// JSON from outside: anything that is not plain JSON is an Error that says where. For sources only: public
// headers do not show the JSON library.

// `file` is named in errors: syntax (with line and column), nesting deeper than 64, a key that stands twice
// in one object, a number that no double holds.
Result<nlohmann::json> parse_json(std::string_view text, const std::string& file);

// What parse_json finds before it parses, and what it says of bad syntax; `byte` counts from 1 the last one
// read.
std::optional<Error> json_too_deep(std::string_view text, const std::string& file);
Error json_syntax_error(std::string_view text, const std::string& file, std::size_t byte);

// A value as an Error quotes it: at most 60 characters.
std::string quoted(const nlohmann::json& value);

// Values of a JSON object by key, each checked: what config.json of another program says. For sources only,
// as json_reader.h.

// A key that is missing or null leaves the value as it is. The first that is wrong is kept as the error, and
// nothing is read after it.
class JsonReader {
public:
    JsonReader(const nlohmann::json& object, std::string file) : object_(object), file_(std::move(file)) {}

    const nlohmann::json* find(const char* key) const; // nullptr: missing or null
    const std::string& file() const { return file_; }

    void size(const char* key, Index& to, Index most); // 1 … most
    void number(const char* key, double& to);
    void positive(const char* key, double& to);
    void flag(const char* key, bool& to);
    void text(const char* key, std::string& to);
    void id(const char* key, TokenId& to);
    void ids(const char* key, std::vector<TokenId>& to); // one, or an array of them

    // Must be the only one that is computed here: refuses all others.
    void require(const char* key, const std::string& only);
    void require(const char* key, bool only);
    template <class Choice>
    void choice(const char* key, const std::vector<std::pair<const char*, Choice>>& choices, Choice& to) {
        const nlohmann::json* value = find(key);
        if (!value) return;
        std::string names;
        for (const auto& [name, chosen] : choices) {
            if (*value == name) {
                to = chosen;
                return;
            }
            names += (names.empty() ? "" : ", ") + std::string(name);
        }
        refuse("error.config_not_choice", key, *value, {names});
    }

    void refuse(const char* error, const char* key, const nlohmann::json& value,
                std::vector<std::string> more = {});
    void refuse(Error error);
    const std::optional<Error>& error() const { return error_; }

private:
    const nlohmann::json& object_;
    std::string file_;
    std::optional<Error> error_;
};

// JSON with a few very long lists in it. A vocabulary of 150,000 tokens as a tree of values takes longer to
// build than everything else that is done with it; here its entries are rows.

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
