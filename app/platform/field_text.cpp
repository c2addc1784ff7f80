#include "app/platform/field_text.h"

#include "engine/text/unicode.h"

#include <imgui.h>

#include <algorithm>
#include <vector>

namespace headlight {

namespace {

// The syllables of Yi, which no font here has. (The private use area would do, but a field takes none of it: keys of
// some systems come as such characters.)
constexpr char32_t first_stand_in = 0xA000, last_stand_in = 0xA48F;
constexpr char32_t last_of_field = IM_UNICODE_CODEPOINT_MAX;

bool is_stand_in(char32_t character) { return character >= first_stand_in && character <= last_stand_in; }

// Who is stood in for, by the order in which they came.
std::vector<char32_t>& stood_in_for() {
    static std::vector<char32_t> all;
    return all;
}

// Those that may be stand-ins are stood in for, too: so there is one way back.
char32_t stand_in(char32_t character) {
    std::vector<char32_t>& all = stood_in_for();
    const std::size_t place = std::size_t(std::find(all.begin(), all.end(), character) - all.begin());
    if (place > last_stand_in - first_stand_in) return U'\uFFFD'; // all are taken
    if (place == all.size()) all.push_back(character);
    return first_stand_in + char32_t(place);
}

} // namespace

std::string for_field(const std::string& text) {
    std::string result;
    for (const char32_t character : code_points(text)) {
        if (character <= last_of_field && !is_stand_in(character))
            append_utf8(result, character == 0 ? U' ' : character); // which would end it
        else
            append_utf8(result, stand_in(character));
    }
    return result;
}

std::string from_field(std::string text) {
    const std::vector<char32_t>& all = stood_in_for();
    if (all.empty()) return text;
    std::string result;
    for (const char32_t character : code_points(text)) {
        const std::size_t place = is_stand_in(character) ? std::size_t(character - first_stand_in) : all.size();
        append_utf8(result, place < all.size() ? all[place] : character);
    }
    return result;
}

std::string as_one_line(std::string text) {
    std::size_t to = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue; // one end, not two
        const bool parts = text[i] == '\n' || text[i] == '\r' || text[i] == '\t';
        text[to++] = parts ? ' ' : text[i];
    }
    text.resize(to);
    return text;
}

} // namespace headlight
