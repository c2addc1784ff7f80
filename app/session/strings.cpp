#include "app/session/strings.h"

#include "engine/base/check.h"
#include "engine/inspect/numbers.h"
#include "engine/io/file.h"
#include "engine/io/json_reader.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr Index longest_file = 4 << 20; // bytes

// In alphabetical order, so that errors do not depend on the file system.
std::vector<fs::path> entries_of(const fs::path& folder) {
    std::vector<fs::path> entries;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) entries.push_back(entry.path());
    std::sort(entries.begin(), entries.end());
    return entries;
}

Result<Done> add_file(Strings::Texts& texts, const fs::path& path) {
    const Result<std::string> content = read_file(path, longest_file);
    if (!content) return content.error();
    const Result<nlohmann::json> root = parse_json(*content, path.string());
    if (!root) return root.error();
    if (!root->is_object()) return Error{"error.strings_not_flat", {path.string(), quoted(*root)}};
    for (const auto& [key, text] : root->items()) {
        if (!text.is_string()) return Error{"error.strings_not_flat", {path.string(), key}};
        if (!texts.emplace(key, text.get<std::string>()).second)
            return Error{"error.strings_twice", {path.string(), key}};
    }
    return Done{};
}

} // namespace

Result<Strings> Strings::load(const fs::path& assets) {
    Strings strings;
    for (const fs::path& folder : entries_of(assets / "strings")) {
        if (std::error_code ignored; !fs::is_directory(folder, ignored)) continue;
        Texts& texts = strings.texts_[folder.filename().string()];
        for (const fs::path& path : entries_of(folder))
            if (path.extension() == ".json")
                if (const Result<Done> added = add_file(texts, path); !added) return added.error();
    }
    for (const auto& [code, texts] : strings.texts_) strings.codes_.push_back(code);
    if (!strings.speaks("en")) return Error{"error.assets_missing", {(assets / "strings/en").string()}};
    strings.language_ = "en";
    strings.write_numbers();
    return strings;
}

void Strings::set_language(std::string_view code) {
    HEADLIGHT_CHECK(speaks(code), "no language " + std::string(code));
    language_ = code;
    write_numbers();
}

void Strings::write_numbers() const {
    NumberSigns signs;
    const auto take = [&](const char* key, char32_t& sign) {
        if (const std::u32string text = code_points(text_or(key, "")); !text.empty()) sign = text.front();
    };
    take("number.decimal", signs.decimal);
    take("number.thousands", signs.thousands);
    write_numbers_in(signs);
}

const Strings::Texts& Strings::texts(std::string_view code) const {
    const auto found = texts_.find(code);
    HEADLIGHT_CHECK(found != texts_.end(), "no language " + std::string(code));
    return found->second;
}

const std::string& Strings::text(std::string_view key) const {
    const Texts& texts = texts_.find(language_)->second;
    if (const auto found = texts.find(key); found != texts.end()) return found->second;
    return *missing_.insert("[" + std::string(key) + "]").first;
}

std::string Strings::text_or(std::string_view key, const std::string& otherwise) const {
    const Texts& texts = texts_.find(language_)->second;
    const auto found = texts.find(key);
    return found == texts.end() ? otherwise : found->second;
}

std::string Strings::text(std::string_view key, std::span<const std::string> arguments) const {
    return fill_in(text(key), arguments);
}

std::string Strings::text(std::string_view key, std::initializer_list<std::string> arguments) const {
    return fill_in(text(key), std::span(arguments.begin(), arguments.size()));
}

std::string Strings::text(const Error& error) const {
    std::vector<std::string> arguments;
    for (const std::string& argument : error.arguments) arguments.push_back(shortened(in_one_line(argument)));
    return text(error.key, arguments);
}

std::string in_one_line(const std::string& text) {
    const auto is_plain = [](char c) { return c >= ' ' && c < '\x7f'; };
    if (std::all_of(text.begin(), text.end(), is_plain)) return text;
    // Signs that are not seen, but turn what follows them around or part it into lines.
    const auto is_hidden = [](char32_t c) {
        return (c >= 0x7F && c < 0xA0) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    };
    std::u32string characters = code_points(text);
    for (char32_t& c : characters) c = c < ' ' ? U' ' : is_hidden(c) ? U'\uFFFD' : c;
    return utf8(characters);
}

std::string shortened(const std::string& text) {
    constexpr std::size_t longest = 1500, prefix = 300,
                          end = 100; // bytes: whole sentences are arguments too
    if (text.size() <= longest) return text;
    const auto character_at = [&](std::size_t place) { // where the one begins that this byte is a part of
        while (place > 0 && (static_cast<unsigned char>(text[place]) & 0xc0) == 0x80) --place;
        return place;
    };
    return text.substr(0, character_at(prefix)) + " … " + text.substr(character_at(text.size() - end));
}

std::string fill_in(std::string_view text, std::span<const std::string> arguments) {
    std::string filled;
    while (!text.empty()) {
        const std::size_t open = std::min(text.find('{'), text.size());
        filled += text.substr(0, open);
        text.remove_prefix(open);
        if (text.empty()) break;
        std::size_t number = 0;
        const auto [end, failure] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
        const bool is_argument = failure == std::errc() && end != text.data() + text.size() && *end == '}'
                                 && number < arguments.size();
        filled += is_argument ? std::string_view(arguments[number]) : text.substr(0, 1);
        text.remove_prefix(is_argument ? std::size_t(end - text.data()) + 1 : 1);
    }
    return filled;
}

std::string language_of_environment(const Strings& strings) {
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        const char* value = std::getenv(name);
        if (value == nullptr || *value == '\0') continue;
        const std::string_view locale = value; // "pt_BR.UTF-8"
        const std::string_view code = locale.substr(0, locale.find_first_of("_.@"));
        return strings.speaks(code) ? std::string(code) : "en";
    }
    return "en";
}

} // namespace headlight
