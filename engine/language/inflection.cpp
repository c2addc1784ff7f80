#include "engine/language/inflection.h"

#include <algorithm>

namespace headlight::language {

namespace {

constexpr std::string_view vowels = "aeiou", vowels_and_y = "aeiouy";

bool is_one_of(char letter, std::string_view letters) {
    return letters.find(letter) != std::string_view::npos;
}

bool ends_with_any(std::string_view word, std::initializer_list<std::string_view> ends) {
    return std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return word.ends_with(end); });
}

// "city", "try"; not "boy".
bool ends_in_consonant_y(std::string_view word) {
    return word.size() > 1 && word.ends_with('y') && !is_one_of(word[word.size() - 2], vowels);
}

std::size_t runs_of_vowels(std::string_view word) {
    std::size_t runs = 0;
    bool inside = false;
    for (const char letter : word) {
        const bool vowel = is_one_of(letter, vowels_and_y);
        runs += vowel && !inside;
        inside = vowel;
    }
    return runs;
}

// A silent -e is none, nor is the y of "young".
std::size_t syllables(std::string_view word) {
    if (runs_of_vowels(word) > 1 && word.size() > 1 && word.ends_with('e')
        && !is_one_of(word[word.size() - 2], vowels_and_y))
        word.remove_suffix(1);
    if (word.starts_with('y')) word.remove_prefix(1);
    return runs_of_vowels(word);
}

// "stop" → "stopped": one syllable, one vowel letter, one consonant.
bool doubles(std::string_view word) {
    if (word.size() < 2 || is_one_of(word.back(), "aeiouwxy")) return false;
    const std::size_t vowel = word.size() - 2;
    if (!is_one_of(word[vowel], vowels_and_y)) return false;
    const bool alone = vowel == 0 || !is_one_of(word[vowel - 1], vowels) || word.substr(0, vowel).ends_with("qu");
    return alone && syllables(word) == 1;
}

std::string without_last(std::string_view word, std::size_t letters) {
    return std::string(word.substr(0, word.size() - letters));
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

bool has_accent(std::string_view word) {
    constexpr std::string_view accented[] = {"á", "é", "í", "ó", "ú", "â", "ê", "ô", "ã", "õ"};
    return std::any_of(std::begin(accented), std::end(accented), [&](std::string_view letter) {
        return word.find(letter) != std::string_view::npos;
    });
}

} // namespace

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        if (end > begin) words.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

std::string english_plural(std::string_view noun) {
    std::vector<std::string> words = words_of(noun);
    std::size_t at = words.size() - 1;
    for (std::size_t i = 1; i < words.size(); ++i)
        if (words[i] == "of" || words[i] == "in") {
            at = i - 1;
            break;
        }
    std::string& word = words[at];
    if (ends_with_any(word, {"s", "x", "z", "ch", "sh"}))
        word += "es";
    else if (ends_in_consonant_y(word))
        word = without_last(word, 1) + "ies";
    else
        word += "s";
    return joined(words);
}

EnglishVerb english_verb(std::string_view base, const std::vector<std::string>& written) {
    const std::string verb(base);
    const std::string doubled = doubles(base) ? verb + base.back() : verb;
    EnglishVerb forms{verb, {}, {}, {}, english_plural(base)};
    if (base.ends_with('e'))
        forms.past = verb + "d";
    else if (ends_in_consonant_y(base))
        forms.past = without_last(base, 1) + "ied";
    else
        forms.past = doubled + "ed";
    forms.participle = forms.past;
    if (base.ends_with("ie"))
        forms.ing = without_last(base, 2) + "ying";
    else if (base.ends_with('e') && !ends_with_any(base, {"ee", "oe", "ye"}) && base.size() > 2)
        forms.ing = without_last(base, 1) + "ing";
    else
        forms.ing = doubled + "ing";
    if (base.ends_with('o')) forms.s = verb + "es";

    std::string* const in_order[] = {&forms.past, &forms.participle, &forms.ing, &forms.s};
    for (std::size_t i = 0; i < written.size() && i < std::size(in_order); ++i) *in_order[i] = written[i];
    if (written.size() == 1) forms.participle = forms.past;
    return forms;
}

std::optional<std::array<std::string, 2>> english_degrees(std::string_view adjective) {
    if (adjective.find_first_of(" -") != std::string_view::npos) return std::nullopt;
    const bool y = ends_in_consonant_y(adjective);
    if (syllables(adjective) == 1) {
        std::string stem(adjective);
        if (adjective.ends_with('e'))
            stem.pop_back();
        else if (doubles(adjective))
            stem += adjective.back();
        if (y) stem = without_last(adjective, 1) + "i";
        return std::array{stem + "er", stem + "est"};
    }
    if (y && syllables(adjective) == 2) {
        const std::string stem = without_last(adjective, 1) + "i";
        return std::array{stem + "er", stem + "est"};
    }
    return std::nullopt;
}

bool is_portuguese_preposition(std::string_view word) {
    constexpr std::string_view prepositions[] = {
        "de",  "do",  "da",  "dos", "das",  "a",    "à",    "ao",   "aos",   "às",    "em", "no",
        "na",  "nos", "nas", "com", "sem",  "para", "por",  "pelo", "pela",  "sobre", "entre",
        "contra", "e", "que", "debaixo"};
    return std::find(std::begin(prepositions), std::end(prepositions), word) != std::end(prepositions);
}

std::string portuguese_plural_of_word(std::string_view word) {
    const bool accent = has_accent(word);
    const std::string whole(word);
    if (word.ends_with("ão")) return without_last(word, 3) + "ões";
    if (word.ends_with('m')) return without_last(word, 1) + "ns";
    if (ends_with_any(word, {"r", "z"})) return whole + "es";
    if (word.ends_with("ês")) return without_last(word, 3) + "eses";
    if (word.ends_with("ás")) return without_last(word, 3) + "ases";
    if (word.ends_with("ís")) return without_last(word, 3) + "íses";
    if (ends_with_any(word, {"s", "x"})) return whole;
    if (word.ends_with("al") || word.ends_with("ul")) return without_last(word, 1) + "is";
    if (word.ends_with("el")) return without_last(word, 2) + (accent ? "eis" : "éis");
    if (word.ends_with("ol")) return without_last(word, 2) + (accent ? "ois" : "óis");
    if (word.ends_with("il")) return without_last(word, 2) + (accent ? "eis" : "is");
    return whole + "s";
}

std::string portuguese_plural(std::string_view noun) {
    std::vector<std::string> words = words_of(noun);
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0 && is_portuguese_preposition(words[i])) break;
        words[i] = portuguese_plural_of_word(words[i]);
    }
    return joined(words);
}

std::string portuguese_adjective_plural(std::string_view adjective) {
    std::vector<std::string> words = words_of(adjective);
    const bool followed = std::any_of(words.begin() + 1, words.end(),
                                      [](const std::string& word) { return is_portuguese_preposition(word); });
    std::string& word = followed ? words.front() : words.back();
    word = portuguese_plural_of_word(word);
    return joined(words);
}

} // namespace headlight::language
