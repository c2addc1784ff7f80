#include "tests/fuzz/json_mutation.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <optional>

namespace headlight::fuzz {

namespace {

using nlohmann::ordered_json;

struct Stretch {
    std::size_t begin, end;
};

// To the brace that closes the one at `begin`.
std::optional<Stretch> object_at(const std::string& text, std::size_t begin) {
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = begin; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{') {
            ++depth;
        } else if (c == '}' && --depth == 0) {
            return Stretch{begin, i + 1};
        }
    }
    return std::nullopt;
}

std::vector<Stretch> objects_in(const std::string& text) {
    constexpr std::size_t length_in_front = 8; // of safetensors
    std::vector<Stretch> objects;
    for (std::size_t i = text.find('{'); i != text.npos; i = text.find('{', i + 1)) {
        if (i != 0 && i != length_in_front && text[i - 1] != '\n') continue;
        const std::optional<Stretch> object = object_at(text, i);
        if (!object) continue;
        objects.push_back(*object);
        i = object->end - 1;
    }
    return objects;
}

class Change {
public:
    Change(const std::vector<std::string>& words, std::mt19937_64& random) : words_(words), random_(random) {}

    void somewhere_in(ordered_json& root) {
        ordered_json* parent = nullptr;
        ordered_json* at = &root;
        while (at->is_structured() && !at->empty() && below(8) != 0) {
            parent = at;
            at = &*std::next(at->begin(), std::ptrdiff_t(below(at->size())));
        }
        if (parent && below(3) == 0) return change_among(*parent, *at);
        *at = below(3) == 0 ? some_value(root) : another(*at);
    }

private:
    std::size_t below(std::size_t n) { return std::size_t(random_() % n); }

    // Gone, doubled, elsewhere.
    void change_among(ordered_json& parent, const ordered_json& one) {
        const ordered_json copy = one;
        const std::size_t place = below(parent.size());
        if (parent.is_array()) {
            if (below(2)) return parent.erase(place);
            constexpr std::size_t many = 200;
            for (std::size_t i = below(20) == 0 ? many : 1; i > 0; --i) parent.insert(parent.begin(), copy);
        } else {
            const std::string key = std::next(parent.begin(), std::ptrdiff_t(place)).key();
            if (below(2)) {
                parent.erase(key);
                return;
            }
            parent[key + (below(2) ? "" : "x")] = copy;
        }
    }

    // Of its own kind.
    ordered_json another(const ordered_json& value) {
        if (value.is_boolean()) return !value.get<bool>();
        if (value.is_number_integer()) {
            constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
            const std::int64_t now = value.get<std::int64_t>();
            const std::int64_t chosen[] = {0,
                                           1,
                                           -1,
                                           2,
                                           3,
                                           7,
                                           255,
                                           256,
                                           65'536,
                                           1'000'000,
                                           2'147'483'647,
                                           4'294'967'296,
                                           most,
                                           -most,
                                           now >= most ? most : now + 1,
                                           now <= -most ? -most : now - 1,
                                           now / 2,
                                           now < most / 2 && now > -most / 2 ? now * 2 : now};
            return chosen[below(std::size(chosen))];
        }
        if (value.is_number()) {
            const double chosen[] = {0, -0.0, 1, -1, 0.5, 1e-320, 1e-12, 1e12, 1e300, -1e300};
            return chosen[below(std::size(chosen))];
        }
        if (value.is_string()) {
            const std::string text = value.get<std::string>();
            const std::string chosen[] = {"",
                                          text + text,
                                          text.substr(0, text.size() / 2),
                                          "x" + text,
                                          "\n",
                                          "\x1b[2J",
                                          std::string(1, '\0'),
                                          std::string(3000, 'a'),
                                          "é",
                                          "\xE2\x96\x81",
                                          " ",
                                          "{0}"};
            const std::string& other = chosen[below(std::size(chosen))];
            return other;
        }
        if (value.is_array()) return below(2) ? ordered_json::array() : ordered_json::array({value});
        if (value.is_object()) return below(2) ? ordered_json::object() : ordered_json({{"x", value}});
        return 0;
    }

    // Of any kind: a word, or what stands elsewhere.
    ordered_json some_value(const ordered_json& root) {
        if (!words_.empty() && below(2)) {
            const std::string& word = words_[below(words_.size())];
            const ordered_json read = ordered_json::parse(word, nullptr, false);
            if (!read.is_discarded()) return read;
        }
        if (below(3) == 0) {
            const ordered_json chosen[] = {
                nullptr, true, 0, -1, 0.5, "", ordered_json::array(), ordered_json::object()};
            return chosen[below(std::size(chosen))];
        }
        const ordered_json* at = &root;
        while (at->is_structured() && !at->empty() && below(6) != 0)
            at = &*std::next(at->begin(), std::ptrdiff_t(below(at->size())));
        return at == &root ? ordered_json("x") : *at;
    }

    const std::vector<std::string>& words_;
    std::mt19937_64& random_;
};

} // namespace

bool change_json(std::string& text, const std::vector<std::string>& words, std::mt19937_64& random) {
    const std::vector<Stretch> objects = objects_in(text);
    if (objects.empty()) return false;
    const Stretch chosen = objects[random() % objects.size()];
    ordered_json root =
        ordered_json::parse(text.substr(chosen.begin, chosen.end - chosen.begin), nullptr, false);
    if (root.is_discarded()) return false;
    const bool is_pretty = text.substr(chosen.begin, 2) == "{\n";
    Change(words, random).somewhere_in(root);
    text.replace(chosen.begin, chosen.end - chosen.begin,
                 root.dump(is_pretty ? 2 : -1, ' ', false, ordered_json::error_handler_t::replace));
    return true;
}

} // namespace headlight::fuzz
