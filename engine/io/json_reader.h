// Values of a JSON object by key, each checked: what config.json of another program says. For sources only,
// as json_text.h.
#pragma once

#include "engine/io/json_text.h"
#include "engine/model/config.h"

#include <optional>
#include <utility>
#include <vector>

namespace headlight {

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

} // namespace headlight
