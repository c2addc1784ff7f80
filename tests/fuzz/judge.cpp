#include "tests/fuzz/judge.h"

#include "engine/text/unicode.h"

#include <algorithm>
#include <charconv>

namespace headlight::fuzz {

namespace {

constexpr std::size_t longest_sentence =
    2500; // bytes: several arguments, each told by its ends when it is long

// The largest N of the sentence's {N}, and one: how many arguments it wants.
std::size_t wanted_arguments(std::string_view text) {
    std::size_t wanted = 0;
    for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{', open + 1)) {
        std::size_t number = 0;
        const char* end = text.data() + text.size();
        const auto [rest, fault] = std::from_chars(text.data() + open + 1, end, number);
        if (fault == std::errc() && rest != end && *rest == '}') wanted = std::max(wanted, number + 1);
    }
    return wanted;
}

bool has_control_character(std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 127; });
}

} // namespace

void Judge::error(const Error& error, const std::string& file) const {
    outcomes_.insert(error.key);
    for (const std::string& language : strings_.languages()) {
        const Strings::Texts& texts = strings_.texts(language);
        const auto found = texts.find(error.key);
        expect(found != texts.end(), "no sentence in " + language + ": " + error.key);
        expect(wanted_arguments(found->second) <= error.arguments.size(),
               "arguments are missing in " + language + ": " + error.key);
    }
    const std::string sentence = strings_.text(error);
    expect(sentence.size() <= longest_sentence,
           "a sentence of " + std::to_string(sentence.size()) + " bytes: " + error.key);
    expect(!has_control_character(sentence), "more than one line: " + sentence);
    expect(is_valid_utf8(sentence), "no UTF-8: " + error.key);
    expect(file.empty() || sentence.find(file) != sentence.npos, "the file is not named: " + sentence);
}

} // namespace headlight::fuzz
