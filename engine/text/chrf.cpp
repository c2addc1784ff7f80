#include "engine/text/chrf.h"

#include "engine/text/unicode.h"

#include <algorithm>
#include <map>

namespace headlight {

namespace {

constexpr std::size_t longest = 6;
constexpr double beta_squared = 4;

std::map<std::u32string_view, int> counted(std::u32string_view text, std::size_t length) {
    std::map<std::u32string_view, int> pieces;
    for (std::size_t i = 0; i + length <= text.size(); ++i) ++pieces[text.substr(i, length)];
    return pieces;
}

std::u32string without_blanks(std::string_view text) {
    std::u32string characters = code_points(text);
    std::erase_if(characters, is_space);
    return characters;
}

std::string words_alone(std::string_view text) {
    std::u32string kept;
    for (const char32_t character : code_points(text))
        if (is_word_character(character)) append_lowercase(kept, character);
    return utf8(kept);
}

} // namespace

double chrf(std::string_view said, std::string_view wanted) {
    const std::u32string a = without_blanks(said), b = without_blanks(wanted);
    if (a.empty() || b.empty()) return 0;
    double precision = 0, recall = 0;
    int lengths = 0;
    for (std::size_t length = 1; length <= longest && length <= std::max(a.size(), b.size()); ++length, ++lengths) {
        const auto ours = counted(a, length), theirs = counted(b, length);
        double common = 0;
        for (const auto& [piece, count] : ours)
            if (const auto other = theirs.find(piece); other != theirs.end()) common += std::min(count, other->second);
        if (a.size() >= length) precision += common / double(a.size() - length + 1);
        if (b.size() >= length) recall += common / double(b.size() - length + 1);
    }
    precision /= lengths, recall /= lengths;
    if (precision + recall == 0) return 0;
    return (1 + beta_squared) * precision * recall / (beta_squared * precision + recall);
}

double chrf_of_words(std::string_view said, std::string_view wanted) {
    return chrf(words_alone(said), words_alone(wanted));
}

} // namespace headlight
