#include "engine/text/pattern.h"
#include "engine/base/check.h"
#include "engine/text/unicode.h"

namespace headlight {

namespace {

// Each cutter answers where the piece that begins at `at` ends, and whether it is kept: white space often is
// not.
struct Cut {
    std::size_t end;
    bool kept = true;
};

template <class Predicate>
std::size_t run_end(std::u32string_view text, std::size_t at, Predicate belongs) {
    while (at < text.size() && belongs(text[at])) ++at;
    return at;
}

bool is_sign(char32_t c) { return !is_joined_word_character(c) && !is_space(c); }

// \w as Oniguruma has it, which the library compiles patterns with: superscripts and fractions of Latin-1
// too, so that “m²” is one word.
bool is_in_word(char32_t c) {
    return is_word_character(c) || c == U'²' || c == U'³' || c == U'¹' || c == U'¼' || c == U'½' || c == U'¾';
}

Cut cut_word(std::u32string_view text, std::size_t at) {
    if (is_space(text[at])) return {at + 1, false};
    if (!is_in_word(text[at])) return {at + 1};
    std::size_t end = run_end(text, at, is_in_word);
    while (end + 1 < text.size() && (text[end] == '\'' || text[end] == '-') && is_in_word(text[end + 1]))
        end = run_end(text, end + 1, is_in_word);
    return {end};
}

Cut cut_whitespace(std::u32string_view text, std::size_t at) {
    if (is_space(text[at])) return {run_end(text, at, is_space), false};
    if (is_joined_word_character(text[at])) return {run_end(text, at, is_joined_word_character)};
    return {run_end(text, at, is_sign)};
}

Cut cut_whitespace_split(std::u32string_view text, std::size_t at) {
    if (is_space(text[at])) return {run_end(text, at, is_space), false};
    return {run_end(text, at, [](char32_t c) { return !is_space(c); })};
}

Cut cut_bert(std::u32string_view text, std::size_t at) {
    if (is_space(text[at])) return {run_end(text, at, is_space), false};
    if (is_punctuation(text[at])) return {at + 1};
    return {run_end(text, at, [](char32_t c) { return !is_space(c) && !is_punctuation(c); })};
}

Cut cut_punctuation(std::u32string_view text, std::size_t at) {
    if (is_punctuation(text[at])) return {at + 1};
    return {run_end(text, at, [](char32_t c) { return !is_punctuation(c); })};
}

Cut next_cut(Splitting step, std::u32string_view text, std::size_t at) {
    switch (step) {
    case Splitting::words:
        return cut_word(text, at);
    case Splitting::characters:
        return {at + 1};
    case Splitting::whitespace:
        return cut_whitespace(text, at);
    case Splitting::whitespace_split:
        return cut_whitespace_split(text, at);
    case Splitting::bert:
        return cut_bert(text, at);
    case Splitting::punctuation:
        return cut_punctuation(text, at);
    }
    return {text.size()};
}

} // namespace

std::vector<CharacterRange> split(std::u32string_view text, const std::vector<CharacterRange>& pieces,
                                  Splitting step) {
    std::vector<CharacterRange> finer;
    for (const CharacterRange& piece : pieces) {
        // A cutter sees its own piece alone.
        const std::u32string_view inside = text.substr(0, piece.end);
        for (std::size_t at = piece.begin; at < piece.end;) {
            const Cut next = next_cut(step, inside, at);
            if (next.kept) finer.push_back({at, next.end});
            at = next.end;
        }
    }
    return finer;
}

} // namespace headlight

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>

namespace headlight {

namespace {

constexpr std::uint32_t most_steps = 1'000'000; // for one match
constexpr std::uint32_t most_memory = 65'536;   // KiB for one match

// The classes as Oniguruma has them. (PCRE2 counts U+180E as white space, and no marks as parts of words.)
constexpr std::string_view space_class =
    R"(\x09-\x0D\x20\x85\xA0\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})";
constexpr std::string_view word_class =
    R"(\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{24B6}-\x{24E9}\x{1F130}-\x{1F149}\x{1F150}-\x{1F169})"
    R"(\x{1F170}-\x{1F189})";
constexpr std::string_view word_by_itself = "²³¹¼½¾"; // are \w, but not inside brackets

// \s, \S, \w and \W spelt out. Inside brackets the negated ones stay as they are: there is no other way to
// say them.
std::string with_own_classes(std::string_view expression) {
    std::string result;
    bool in_class = false;
    for (std::size_t i = 0; i < expression.size(); ++i) {
        const char c = expression[i];
        if (c != '\\' || i + 1 == expression.size()) {
            if (c == '[') in_class = true;
            if (c == ']') in_class = false;
            result += c;
            continue;
        }
        const char name = expression[++i];
        const std::string_view members = name == 's' || name == 'S' ? space_class : word_class;
        if (in_class && (name == 's' || name == 'w'))
            result += members;
        else if (!in_class && (name == 's' || name == 'w'))
            result.append("[").append(members).append(name == 'w' ? word_by_itself : "").append("]");
        else if (!in_class && (name == 'S' || name == 'W'))
            result.append("[^").append(members).append(name == 'W' ? word_by_itself : "").append("]");
        else
            result.append({'\\', name});
    }
    return result;
}

struct FreeMatch {
    void operator()(pcre2_match_data* match) const { pcre2_match_data_free(match); }
    void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};

} // namespace

struct Pattern::Compiled {
    explicit Compiled(pcre2_code* made) : code(made), context(pcre2_match_context_create(nullptr)) {
        HEADLIGHT_CHECK(context != nullptr, "no memory for a pattern");
        pcre2_set_match_limit(context.get(), most_steps);
        pcre2_set_heap_limit(context.get(), most_memory);
        pcre2_jit_compile(code, PCRE2_JIT_COMPLETE); // where it cannot, the pattern is interpreted
    }
    Compiled(const Compiled&) = delete;
    Compiled& operator=(const Compiled&) = delete;
    ~Compiled() { pcre2_code_free(code); }

    pcre2_code* code;
    std::unique_ptr<pcre2_match_context, FreeMatch> context;
};

Pattern Pattern::text(std::string text) {
    HEADLIGHT_CHECK(!text.empty(), "a pattern of nothing");
    Pattern pattern;
    pattern.characters_ = code_points(text);
    pattern.source_ = std::move(text);
    return pattern;
}

Result<Pattern> Pattern::regex(std::string expression, const std::string& file) {
    const std::string own = with_own_classes(expression);
    int error = 0;
    PCRE2_SIZE place = 0;
    pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(own.data()), own.size(),
                                     PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C,
                                     &error, &place, nullptr);
    if (code == nullptr) {
        std::array<PCRE2_UCHAR, 256> said{};
        pcre2_get_error_message(error, said.data(), said.size());
        return Error{"error.tokenizer_pattern",
                     {file, expression, reinterpret_cast<const char*>(said.data())}};
    }
    Pattern pattern;
    pattern.compiled_ = std::make_shared<const Compiled>(code);
    pattern.source_ = std::move(expression);
    return pattern;
}

bool Pattern::may_match_nothing() const {
    std::uint32_t may = 0;
    if (is_regex()) pcre2_pattern_info(compiled_->code, PCRE2_INFO_MATCHEMPTY, &may);
    return may != 0;
}

std::vector<CharacterRange> Pattern::find(std::u32string_view text, bool& gave_up) const {
    std::vector<CharacterRange> found;
    if (!is_regex()) {
        for (std::size_t at = text.find(characters_); at != text.npos;
             at = text.find(characters_, at + characters_.size()))
            found.push_back({at, at + characters_.size()});
        return found;
    }
    const std::string bytes = utf8(text);
    const std::unique_ptr<pcre2_match_data, FreeMatch> match(pcre2_match_data_create(1, nullptr));
    HEADLIGHT_CHECK(match != nullptr, "no memory for a match");
    const PCRE2_SIZE* place = pcre2_get_ovector_pointer(match.get());
    std::size_t byte = 0, character = 0;
    const auto character_at = [&](std::size_t target) { // places only grow
        for (; byte < target; ++byte) character += (static_cast<unsigned char>(bytes[byte]) & 0xC0) != 0x80;
        return character;
    };
    // A match of nothing counts, unless it touches the match before it; then the search goes on one further.
    std::size_t last_end = bytes.size() + 1; // of the match before; at first there is none
    for (std::size_t from = 0; from <= bytes.size();) {
        const auto run = [&](std::uint32_t options) {
            return pcre2_match(compiled_->code, reinterpret_cast<PCRE2_SPTR>(bytes.data()), bytes.size(),
                               from, PCRE2_NO_UTF_CHECK | options, match.get(), compiled_->context.get());
        };
        int result = run(0);
        if (result == PCRE2_ERROR_JIT_STACKLIMIT) result = run(PCRE2_NO_JIT);
        if (result == PCRE2_ERROR_NOMATCH) break;
        if (result < 0) {
            gave_up = true;
            break;
        }
        if (place[1] <= place[0] && place[0] == last_end) {
            ++from;
            while (from < bytes.size() && (static_cast<unsigned char>(bytes[from]) & 0xC0) == 0x80) ++from;
            continue;
        }
        const std::size_t begin = character_at(std::min(place[0], place[1]));
        found.push_back({begin, character_at(place[1])});
        from = last_end = place[1];
    }
    return found;
}

} // namespace headlight
