#include "engine/task/plain_text.h"
#include "engine/base/lasting.h"
#include "engine/text/normalization.h"
#include "engine/text/pattern.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utf8proc.h>
#include <utility>
#include <vector>

namespace headlight {

std::vector<std::string> characters_of(std::string_view text) {
    std::vector<std::string> characters;
    for (char32_t character : code_points(text)) append_utf8(characters.emplace_back(), character);
    return characters;
}

std::string with_capital(std::string_view text) {
    if (text.empty()) return {};
    const CodePoint first = first_code_point(text);
    std::string capital;
    append_utf8(capital, char32_t(utf8proc_toupper(utf8proc_int32_t(first.value))));
    return capital.append(text.substr(first.bytes));
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::vector<std::string_view> split_at(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t end; (end = text.find(separator)) != std::string_view::npos; text.remove_prefix(end + 1))
        parts.push_back(text.substr(0, end));
    parts.push_back(text);
    return parts;
}

std::size_t count_words(std::string_view text) {
    const std::u32string characters = code_points(text);
    return split(characters, {{0, characters.size()}}, Splitting::words).size();
}

std::uint64_t stable_hash(std::string_view text) {
    // FNV-1a, then the finalizer of MurmurHash3: FNV alone leaves the low bits too regular for a remainder.
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
    hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdu;
    hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53u;
    return hash ^ (hash >> 33);
}

namespace {

using grammar::Language;

// How often each habit shows, of sentences that it fits.
constexpr double small_first = 0.15, all_small = 0.06, no_final_mark = 0.2, contractions = 0.25,
                 no_accents = 0.05, short_forms = 0.06, slips = 0.05;

char32_t lower(char32_t character) { return char32_t(utf8proc_tolower(utf8proc_int32_t(character))); }

bool is_letter(char32_t character) {
    const auto category = utf8proc_category(utf8proc_int32_t(character));
    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

std::string in_small_letters(std::string_view text) {
    std::string small;
    for (const char32_t character : code_points(text)) append_utf8(small, lower(character));
    return small;
}

std::string with_small_first(std::string_view text) {
    if (text.empty()) return {};
    const CodePoint first = first_code_point(text);
    std::string small;
    append_utf8(small, lower(first.value));
    return small.append(text.substr(first.bytes));
}

std::string without_accents(std::string_view text) {
    AlignedText letters = aligned(text);
    bool gave_up = false;
    for (const Normalization::Kind kind :
         {Normalization::Kind::nfd, Normalization::Kind::strip_accents, Normalization::Kind::nfc})
        apply({.kind = kind}, letters, gave_up);
    std::string plain;
    for (const char32_t character : letters.characters) append_utf8(plain, character);
    return plain;
}

std::vector<std::string> words_between_blanks(const std::string& text) {
    std::vector<std::string> words;
    for (const std::string_view word : split_at(text, ' ')) words.emplace_back(word);
    return words;
}

std::string with_blanks(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

// A word and the marks behind it: "am." is "am" and ".".
std::pair<std::string, std::string> parted(const std::string& word) {
    const std::size_t end = word.find_last_not_of(".,!?;:…\"”)");
    return end == word.npos ? std::pair(std::string(), word)
                            : std::pair(word.substr(0, end + 1), word.substr(end + 1));
}

bool is_one_of(const std::string& word, std::initializer_list<const char*> words) {
    return std::any_of(words.begin(), words.end(), [&](const char* one) { return word == one; });
}

bool says_that_it_asks(const std::string& sentence, Language language) {
    const std::string first = in_small_letters(sentence.substr(0, sentence.find_first_of(" ,'?")));
    if (language == Language::english)
        return is_one_of(first, {"what",  "how",  "where", "who",  "when", "why",    "which", "whose",
                                 "do",    "does", "did",   "is",   "are",  "was",    "were",  "can",
                                 "could", "will", "would", "have", "has",  "should", "may"});
    return is_one_of(first, {"qual", "quais", "quem", "quando", "onde", "como", "cadê", "quanto", "quanta",
                             "quantos", "quantas"})
           || in_small_letters(sentence).starts_with("o que ")
           || in_small_letters(sentence).starts_with("por que ");
}

std::string without_final_mark(std::string sentence, Language language) {
    if (sentence.ends_with("..") || sentence.size() < 2) return sentence;
    const char mark = sentence.back();
    if (mark == '.' || mark == '!' || (mark == '?' && says_that_it_asks(sentence, language)))
        sentence.pop_back();
    return sentence;
}

// "você" → "vc", "está" → "tá", "para" → "pra".
std::string with_short_forms(const std::string& portuguese) {
    constexpr std::array<std::pair<const char*, const char*>, 7> forms = {{{"você", "vc"},
                                                                           {"vocês", "vcs"},
                                                                           {"está", "tá"},
                                                                           {"estou", "tô"},
                                                                           {"estão", "tão"},
                                                                           {"para", "pra"},
                                                                           {"também", "tbm"}}};
    std::vector<std::string> words = words_between_blanks(portuguese);
    for (std::string& word : words) {
        const auto [inside, marks] = parted(word);
        for (const auto& [whole, shortened] : forms)
            if (in_small_letters(inside) == whole)
                word = (in_small_letters(inside) == inside ? shortened : with_capital(shortened)) + marks;
    }
    return with_blanks(words);
}

// One letter left out, doubled, exchanged with the next or with another one, inside a word of four or more.
std::string with_slip(std::string_view text, Random& random) {
    std::u32string letters = code_points(text);
    std::vector<std::size_t> places; // of letters that have one before and two behind them
    for (std::size_t i = 1; i + 2 < letters.size(); ++i)
        if (is_letter(letters[i - 1]) && is_letter(letters[i]) && is_letter(letters[i + 1])
            && is_letter(letters[i + 2]))
            places.push_back(i);
    if (places.empty()) return std::string(text);
    const std::size_t place = places[std::size_t(random.below(Index(places.size())))];
    switch (random.below(4)) {
    case 0:
        letters.erase(place, 1);
        break;
    case 1:
        letters.insert(place, 1, letters[place]);
        break;
    case 2:
        std::swap(letters[place], letters[place + 1]);
        break;
    default:
        letters[place] = U'a' + char32_t(random.below(26));
    }
    std::string slipped;
    for (const char32_t letter : letters) append_utf8(slipped, letter);
    return slipped;
}

// --- contractions
// -------------------------------------------------------------------------------------------

bool is_pronoun(const std::string& small) {
    return is_one_of(small, {"i", "you", "he", "she", "it", "we", "they", "this", "that", "there"});
}

// Behind it "'s" may be "has": "he's gone".
bool may_be_participle(const std::string& small) {
    return small.ends_with("ed") || small.ends_with("en") || small.ends_with("ought")
           || small.ends_with("aught")
           || is_one_of(small, {"got",  "gone",  "had",  "made",    "done",  "lost",  "left", "found",
                                "read", "put",   "come", "become",  "sold",  "told",  "won",  "met",
                                "sent", "spent", "just", "already", "never", "always"});
}

constexpr std::array<std::pair<const char*, const char*>, 17> negated = {{{"isn't", "is"},
                                                                          {"aren't", "are"},
                                                                          {"wasn't", "was"},
                                                                          {"weren't", "were"},
                                                                          {"don't", "do"},
                                                                          {"doesn't", "does"},
                                                                          {"didn't", "did"},
                                                                          {"can't", "can"},
                                                                          {"won't", "will"},
                                                                          {"haven't", "have"},
                                                                          {"hasn't", "has"},
                                                                          {"hadn't", "had"},
                                                                          {"wouldn't", "would"},
                                                                          {"couldn't", "could"},
                                                                          {"shouldn't", "should"},
                                                                          {"mustn't", "must"},
                                                                          {"needn't", "need"}}};

std::string like(const std::string& capital, std::string words) {
    return in_small_letters(capital) == capital ? words : with_capital(words);
}

// What a word opens to, or the word. `next` in small letters.
std::string opened(const std::string& word, const std::string& next) {
    const std::string small = in_small_letters(word);
    for (const auto& [contracted, verb] : negated)
        if (small == contracted && !is_pronoun(next))
            return like(word, small == "can't" ? "cannot" : std::string(verb) + " not");
    const std::size_t mark = word.rfind('\'');
    if (mark == word.npos) return word;
    const std::string before = word.substr(0, mark), ending = small.substr(mark);
    const bool after_pronoun = is_pronoun(small.substr(0, mark));
    if (after_pronoun && ending == "'m") return before + " am";
    if (after_pronoun && ending == "'re") return before + " are";
    if (after_pronoun && ending == "'ve") return before + " have";
    if (after_pronoun && ending == "'ll") return before + " will";
    const bool takes_is =
        after_pronoun || is_one_of(small.substr(0, mark), {"what", "where", "who", "here", "how"});
    if (takes_is && ending == "'s" && !may_be_participle(next)) return before + " is";
    return word;
}

// What two words become, or nothing.
std::string closed(const std::string& first, const std::string& second) {
    const std::string a = in_small_letters(first), b = second;
    for (const auto& [contracted, verb] : negated)
        if (b == "not" && a == verb) return like(first, contracted);
    if (is_one_of(a, {"i"}) && b == "am") return first + "'m";
    if (is_one_of(a, {"you", "we", "they"}) && b == "are") return first + "'re";
    if (is_one_of(a, {"he", "she", "it", "that", "what", "where", "there"}) && b == "is") return first + "'s";
    if (is_one_of(a, {"i", "you", "he", "she", "it", "we", "they"}) && b == "will") return first + "'ll";
    return {};
}

} // namespace

std::string with_contractions_opened(const std::string& english) {
    std::vector<std::string> words = words_between_blanks(english);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto [inside, marks] = parted(words[i]);
        const std::string next =
            i + 1 < words.size() && marks.empty() ? in_small_letters(parted(words[i + 1]).first) : "";
        words[i] = opened(inside, next) + marks;
    }
    return with_blanks(words);
}

std::string with_contractions_closed(const std::string& english) {
    std::vector<std::string> words = words_between_blanks(english);
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const auto [second, marks] = parted(words[i + 1]);
        const bool ends = i + 2 == words.size() || !marks.empty(); // "Yes, I am."
        const std::string one = closed(words[i], second);
        if (one.empty() || (ends && second != "not")) continue;
        words[i] = one + marks;
        words.erase(words.begin() + std::ptrdiff_t(i) + 1);
    }
    return with_blanks(words);
}

std::string as_typed(std::string sentence, Language language, Random& random) {
    if (language == Language::english && random.uniform() < contractions)
        sentence =
            random.below(2) == 0 ? with_contractions_opened(sentence) : with_contractions_closed(sentence);
    if (language == Language::portuguese && random.uniform() < short_forms)
        sentence = with_short_forms(sentence);
    if (language == Language::portuguese && random.uniform() < no_accents)
        sentence = without_accents(sentence);
    if (random.uniform() < no_final_mark) sentence = without_final_mark(std::move(sentence), language);
    const double letters = random.uniform();
    if (letters < all_small)
        sentence = in_small_letters(sentence);
    else if (letters < all_small + small_first)
        sentence = with_small_first(sentence);
    if (random.uniform() < slips) sentence = with_slip(sentence, random);
    return sentence;
}

} // namespace headlight
