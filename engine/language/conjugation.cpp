#include "engine/language/conjugation.h"

#include "engine/language/inflection.h"
#include "engine/language/notation.h"

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

} // namespace headlight::language
