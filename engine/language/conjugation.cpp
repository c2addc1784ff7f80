#include "engine/language/conjugation.h"
#include "engine/language/lexicon.h"

#include <algorithm>

namespace headlight::language {

namespace {

constexpr std::string_view tense_names[] = {"present", "preterite", "imperfect", "subjunctive",
                                            "future",  "gerund",    "participle"};

std::size_t forms_of(std::string_view tense) {
    return tense == "future" || tense == "gerund" || tense == "participle" ? 1 : 4;
}

std::string without(std::string_view text, std::size_t bytes) {
    return std::string(text.substr(0, text.size() - bytes));
}

// "-cendido/-ceso": each hyphen at a beginning is the stem.
std::string with_stem(std::string_view form, std::string_view stem) {
    std::string whole;
    for (std::size_t i = 0; i < form.size(); ++i)
        if (form[i] == '-' && (i == 0 || form[i - 1] == '/'))
            whole += stem;
        else
            whole += form[i];
    return whole;
}

std::array<std::string, 4> endings(const std::string& stem, const std::array<std::string_view, 4>& ends) {
    std::array<std::string, 4> forms;
    for (std::size_t i = 0; i < 4; ++i) forms[i] = stem + std::string(ends[i]);
    return forms;
}

// Of "comeram" the stem of "comesse": "come"; its last vowel takes an accent in "comêssemos".
std::array<std::string, 4> past_subjunctive(const std::string& stem, std::string_view open_e) {
    std::string accented;
    if (stem.ends_with("í"))
        accented = stem;
    else if (stem.ends_with('a'))
        accented = without(stem, 1) + "á";
    else if (stem.ends_with('e'))
        accented = without(stem, 1) + std::string(open_e);
    else if (stem.ends_with('i'))
        accented = without(stem, 1) + "í";
    else
        accented = without(stem, 1) + "ô";
    return {stem + "sse", stem + "sse", accented + "ssemos", stem + "ssem"};
}

} // namespace

Result<Conjugations> Conjugations::parse(std::string_view text, const std::string& file) {
    Conjugations read;
    Rows* rows = nullptr;
    for (const notation::Line& line : notation::lines_of(text)) {
        const notation::Place place{file, line.number};
        std::vector<std::string> words = words_of(line.text);
        if (!line.indented && words.front() == "pattern" && words.size() > 1 && words[1].starts_with('-')) {
            Pattern pattern;
            pattern.ending = words[1].substr(1);
            if (pattern.ending.ends_with(':')) pattern.ending.pop_back();
            pattern.verbs.assign(words.begin() + 2, words.end());
            read.patterns_.push_back(std::move(pattern));
            rows = &read.patterns_.back().rows;
        } else if (!line.indented && words.front() == "verb" && words.size() == 2) {
            rows = &read.verbs_[words[1]];
        } else if (line.indented && rows != nullptr) {
            const std::string tense = words.front();
            if (std::find(std::begin(tense_names), std::end(tense_names), tense) == std::end(tense_names))
                return place.error("error.lexicon_tense", {tense});
            words.erase(words.begin());
            if (words.size() != forms_of(tense))
                return place.error("error.lexicon_tense_forms",
                                   {tense, std::to_string(words.size()), std::to_string(forms_of(tense))});
            (*rows)[tense] = std::move(words);
        } else {
            return place.error("error.lexicon_conjugation_line", {std::string(line.text)});
        }
    }
    std::stable_sort(read.patterns_.begin(), read.patterns_.end(), [](const Pattern& a, const Pattern& b) {
        return a.ending.size() != b.ending.size() ? a.ending.size() > b.ending.size()
                                                  : !a.verbs.empty() && b.verbs.empty();
    });
    return read;
}

std::optional<Conjugation> Conjugations::conjugate(std::string_view infinitive) const {
    std::map<std::string, std::pair<std::vector<std::string>, std::size_t>, std::less<>> found; // with depth
    if (const auto own = verbs_.find(infinitive); own != verbs_.end())
        for (const auto& [tense, forms] : own->second) found.emplace(tense, std::pair{forms, std::size_t(99)});
    for (const Pattern& pattern : patterns_) {
        const bool fits = infinitive.ends_with(pattern.ending)
                          && (pattern.verbs.empty()
                              || std::find(pattern.verbs.begin(), pattern.verbs.end(), infinitive)
                                     != pattern.verbs.end());
        if (!fits) continue;
        const std::string_view stem = infinitive.substr(0, infinitive.size() - pattern.ending.size());
        for (const auto& [tense, written] : pattern.rows) {
            if (found.contains(tense)) continue;
            std::vector<std::string> forms;
            for (const std::string& form : written) forms.push_back(with_stem(form, stem));
            found.emplace(tense, std::pair{std::move(forms), pattern.ending.size()});
        }
    }
    for (const char* needed : {"present", "preterite", "imperfect", "gerund", "participle"})
        if (!found.contains(needed)) return std::nullopt;

    Conjugation verb;
    verb.infinitive = infinitive;
    const auto take = [&](Tense tense, const char* name) {
        std::copy_n(found.at(name).first.begin(), 4, verb.finite[std::size_t(tense)].begin());
    };
    take(Tense::present, "present");
    take(Tense::preterite, "preterite");
    take(Tense::imperfect, "imperfect");
    const auto written = found.find("subjunctive");
    if (written != found.end() && written->second.second >= found.at("present").second) {
        take(Tense::subjunctive, "subjunctive");
    } else {
        const std::string stem = without(verb.in(Tense::present, 0), 1);
        verb.finite[std::size_t(Tense::subjunctive)] =
            endings(stem, infinitive.ends_with("ar") ? std::array<std::string_view, 4>{"e", "e", "emos", "em"}
                                                     : std::array<std::string_view, 4>{"a", "a", "amos", "am"});
    }
    const std::string& third = verb.in(Tense::preterite, 3); // "falaram"
    const bool open = !verb.in(Tense::preterite, 1).ends_with("eu") || infinitive == "dar";
    verb.finite[std::size_t(Tense::past_subjunctive)] = past_subjunctive(without(third, 3), open ? "é" : "ê");
    const std::string base = without(third, 2);
    const std::string plain = base.ends_with("ír") ? without(base, 3) + "ir" : base;
    verb.finite[std::size_t(Tense::future_subjunctive)] = {plain, plain, plain + "mos", base + "em"};
    const auto future = found.find("future");
    const std::string stem = future != found.end() ? future->second.first.front() : std::string(infinitive);
    verb.finite[std::size_t(Tense::future)] = endings(stem, {"ei", "á", "emos", "ão"});
    verb.finite[std::size_t(Tense::conditional)] = endings(stem, {"ia", "ia", "íamos", "iam"});
    verb.imperative = verb.in(Tense::subjunctive, 1);
    verb.gerund = found.at("gerund").first.front();
    const std::string participles = found.at("participle").first.front();
    const std::size_t slash = participles.find('/');
    verb.participles.push_back(participles.substr(0, slash));
    if (slash != std::string::npos) verb.participles.push_back(participles.substr(slash + 1));
    return verb;
}

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
