#include "engine/language/senses.h"

#include "engine/text/unicode.h"

#include <algorithm>
#include <array>
#include <set>

namespace headlight::language {

namespace {

// "in front of [any]" → "in front of"
std::string without_slots(std::string_view text) {
    std::vector<std::string> slots;
    return notation::take_names(text, '[', ']', slots);
}

std::vector<std::string> all_forms(const Conjugation& verb) {
    std::set<std::string> forms{verb.infinitive, verb.gerund, verb.imperative};
    for (const auto& tense : verb.finite) forms.insert(tense.begin(), tense.end());
    // Personal infinitives, and participles that agree.
    for (const char* end : {"mos", "em"}) forms.insert(verb.infinitive + end);
    for (const std::string& participle : verb.participles) {
        forms.insert(participle);
        if (!participle.ends_with('o')) continue;
        const std::string stem = participle.substr(0, participle.size() - 1);
        for (const char* end : {"a", "os", "as"}) forms.insert(stem + end);
    }
    forms.erase("");
    return {forms.begin(), forms.end()};
}

std::string joined(const std::string& first, const std::string& rest) {
    return rest.empty() ? first : first + " " + rest;
}

} // namespace

std::size_t Senses::begin_sense(bool content, bool noun) {
    is_content_.push_back(content);
    is_noun_.push_back(noun);
    return is_content_.size() - 1;
}

void Senses::add_english(std::size_t sense, const std::string& form) {
    std::vector<std::string> words;
    for (std::string& word : words_of(lowercase(form))) words.push_back(word == "…" ? "" : std::move(word));
    while (!words.empty() && words.back().empty()) words.pop_back();
    if (words.empty() || words.front().empty()) return;
    english_[words.front()].push_back({sense, words});
}

void Senses::add_portuguese(std::size_t sense, const std::string& form) {
    std::vector<std::string> words;
    for (const WrittenPart& part : parts_of(words_of(form)))
        words.push_back(part.word == "…" ? "" : part.word);
    while (!words.empty() && words.back().empty()) words.pop_back();
    if (words.empty() || words.front().empty()) return;
    portuguese_[words.front()].push_back({sense, words});
}

void Senses::add_nouns(const Lexicon& lexicon) {
    for (const Noun& noun : lexicon.nouns()) {
        const std::size_t sense = begin_sense(true, true);
        add_english(sense, noun.singular);
        if (noun.plural != noun.singular) add_english(sense, noun.plural);
        for (std::size_t i = 0; i < noun.portuguese.size(); ++i)
            if (std::find(noun.portuguese.begin(), noun.portuguese.begin() + std::ptrdiff_t(i),
                          noun.portuguese[i])
                == noun.portuguese.begin() + std::ptrdiff_t(i))
                add_portuguese(sense, noun.portuguese[i]);
    }
}

void Senses::add_adjectives(const Lexicon& lexicon) {
    for (const Adjective& adjective : lexicon.adjectives()) {
        const std::size_t plain = begin_sense(true);
        add_english(plain, adjective.english);
        const std::set<std::string> forms(adjective.portuguese.begin(), adjective.portuguese.end());
        for (const std::string& form : forms) add_portuguese(plain, form);
        if (adjective.comparative.empty() || adjective.comparative.starts_with("more "))
            continue; // more = mais
        const std::size_t more = begin_sense(true);
        add_english(more, adjective.comparative);
        add_english(more, adjective.superlative);
        if (const std::string& own = adjective.portuguese_comparative; !own.empty()) {
            add_portuguese(more, own);
            add_portuguese(more, own + "es");
        } else {
            for (const std::string& form : forms) add_portuguese(more, "mais " + form);
        }
    }
}

void Senses::add_verbs(const Lexicon& lexicon) {
    for (const Verb& verb : lexicon.verbs()) {
        std::set<std::string> english{verb.english.base, verb.english.past, verb.english.participle,
                                      verb.english.ing, verb.english.s};
        if (verb.is_be)
            english = {"be", "am", "'m", "is", "'s", "are", "'re", "was", "were", "been", "being"};
        const std::vector<std::string> portuguese = all_forms(verb.portuguese);
        const auto rest = [](const std::vector<VerbPiece>& pieces) {
            std::string text;
            for (const VerbPiece& piece : pieces) {
                const bool gap = piece.slot || piece.word == "one's" || piece.word == "its";
                text += (text.empty() ? "" : " ") + (gap ? "…" : piece.word);
            }
            while (text.ends_with(" …")) text.resize(text.size() - 4);
            return text == "…" ? std::string() : text;
        };
        const std::string left = rest(verb.english_rest), right = rest(verb.portuguese_rest);
        const auto add = [&](const std::string& behind_english, const std::string& behind_portuguese) {
            const std::size_t sense = begin_sense(true);
            for (const std::string& form : english)
                if (!form.empty()) add_english(sense, joined(form, behind_english));
            for (const std::string& form : portuguese) add_portuguese(sense, joined(form, behind_portuguese));
        };
        add(left, right);
        // “give me the book”: what stands between slots may be left out.
        if (!verb.is_be && (!left.empty() || !right.empty())) add("", "");
    }
}

void Senses::add_others(const Lexicon& lexicon) {
    for (const Entry& entry : lexicon.entries()) {
        switch (entry.part) {
        case Part::adverb:
        case Part::pronoun:
        case Part::determiner:
        case Part::preposition:
        case Part::conjunction:
        case Part::question:
        case Part::number:
        case Part::interjection:
            break;
        default:
            continue;
        }
        const bool content = entry.part == Part::adverb || entry.part == Part::number;
        const std::size_t sense = begin_sense(content);
        for (const std::string& form : notation::forms_in_order(without_slots(entry.english)))
            add_english(sense, form);
        for (const std::string& form : notation::forms_in_order(without_slots(entry.portuguese)))
            add_portuguese(sense, form);
    }
}

void Senses::learn_contractions(const Lexicon& lexicon) {
    for (const Entry& entry : lexicon.entries()) {
        const std::size_t plus = entry.english.find(" + ");
        if (entry.part != Part::contraction || entry.word_class == "english" || plus == std::string::npos)
            continue;
        const std::string first = entry.english.substr(0, plus);
        const std::vector<std::string> second =
            notation::forms_in_order(std::string_view(entry.english).substr(plus + 3));
        const std::vector<std::string> written = notation::forms_in_order(entry.portuguese);
        for (std::size_t i = 0; i < second.size() && i < written.size(); ++i)
            if (written[i].find(' ') == std::string::npos) together_[written[i]] = {first, second[i]};
    }
}

std::vector<Senses::WrittenPart> Senses::parts_of(const std::vector<std::string>& written) const {
    std::vector<WrittenPart> parts;
    for (std::size_t i = 0; i < written.size(); ++i) {
        const std::string small = lowercase(written[i]);
        if (const auto found = together_.find(small); found != together_.end()) {
            for (const std::string& part : found->second) parts.push_back({part, i});
            continue;
        }
        const std::size_t hyphen = small.rfind('-');
        const std::string end = hyphen == std::string::npos ? "" : small.substr(hyphen + 1);
        constexpr std::array clitics{"me", "te", "se", "nos", "lhe", "lhes", "o",
                                     "a",  "os", "as", "lo",  "la",  "los",  "las"};
        if (std::find(clitics.begin(), clitics.end(), end) == clitics.end() || hyphen == 0) {
            parts.push_back({small, i});
            continue;
        }
        std::string stem = small.substr(0, hyphen);
        if (end.front() == 'l'
            && end.substr(0, 2) != "lh") { // vê-lo, achá-la, abri-lo: the infinitive's r is gone
            constexpr std::pair<std::string_view, const char*> vowels[] = {
                {"á", "a"}, {"ê", "e"}, {"í", "i"}, {"ô", "o"}};
            for (const auto& [accented, plain] : vowels)
                if (stem.ends_with(accented))
                    stem.replace(stem.size() - accented.size(), accented.size(), plain);
            stem += 'r';
        }
        parts.push_back({std::move(stem), i});
        parts.push_back({end, i});
    }
    return parts;
}

Result<Senses> Senses::read(const Lexicon& lexicon, std::string_view small_words, const std::string& file) {
    Senses senses;
    senses.learn_contractions(lexicon);
    senses.add_nouns(lexicon);
    senses.add_adjectives(lexicon);
    senses.add_verbs(lexicon);
    senses.add_others(lexicon);
    std::string heading;
    for (const notation::Line& line : notation::lines_of(small_words)) {
        const notation::Place place{file, line.number};
        if (!line.indented) {
            heading = std::string(line.text);
            if (heading != "words" && heading != "left out" && heading != "none english"
                && heading != "none portuguese")
                return place.error("error.gloss_words_line", {heading});
            continue;
        }
        if (heading.starts_with("none")) {
            auto& none = heading == "none english" ? senses.none_english_ : senses.none_portuguese_;
            for (const std::string& word : words_of(line.text)) none[word] = true;
            continue;
        }
        const auto sides = notation::sides_of(line.text);
        if (!sides || heading.empty()) return place.error("error.gloss_words_line", {std::string(line.text)});
        if (heading == "left out") {
            senses.left_out_[std::string(sides->english)] = std::string(sides->portuguese);
            continue;
        }
        const std::size_t sense = senses.begin_sense(false);
        for (const std::string& form : notation::split(sides->english, ',')) senses.add_english(sense, form);
        for (const std::string& form : notation::split(sides->portuguese, ',')) {
            if (form.starts_with("to ")) {
                if (const auto verb = lexicon.conjugations().conjugate(form.substr(3)))
                    for (const std::string& one : all_forms(*verb)) senses.add_portuguese(sense, one);
            } else {
                senses.add_portuguese(sense, form);
            }
        }
    }
    return senses;
}

} // namespace headlight::language
