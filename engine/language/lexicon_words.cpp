// How the lines of nouns, verbs and adjectives are read.
#include "engine/language/lexicon.h"

#include <algorithm>

namespace headlight::language {

namespace {

using notation::split;

// "o pão" → "pão", and which of o, a, os, as it was.
std::optional<std::size_t> take_article(std::string& noun) {
    constexpr std::string_view articles[] = {"o ", "a ", "os ", "as "};
    for (std::size_t i = 0; i < 4; ++i)
        if (noun.starts_with(articles[i])) {
            noun = notation::trimmed(std::string_view(noun).substr(articles[i].size()));
            return i;
        }
    return std::nullopt;
}

// "o|a dentista": what stands behind the second article goes with the first as well.
void share_word(std::vector<std::string>& parts) {
    if (parts.size() == 2 && (parts[0] == "o" || parts[0] == "os")) parts[0] += parts[1].substr(parts[1].find(' '));
}

// "[animal] bark" → "bark" and the subject's classes.
std::string take_subject(std::string_view text, std::vector<std::string>& subject) {
    if (!text.starts_with('[')) return std::string(text);
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return std::string(text);
    subject = split(text.substr(1, end - 1), ',');
    return std::string(notation::trimmed(text.substr(end + 1)));
}

struct Written { // what follows a verb: words and slots
    std::vector<VerbPiece> pieces;
    std::vector<VerbSlot> slots;
};

Written pieces_of(std::string_view text) {
    Written written;
    while (!(text = notation::trimmed(text)).empty()) {
        if (text.front() != '[') {
            const std::size_t end = std::min(text.find(' '), text.size());
            written.pieces.push_back({std::string(text.substr(0, end)), std::nullopt});
            text.remove_prefix(end);
            continue;
        }
        const std::size_t end = std::min(text.find(']'), text.size());
        std::string_view inside = text.substr(1, end - 1);
        VerbSlot slot;
        slot.optional = inside.ends_with('?');
        if (slot.optional) inside.remove_suffix(1);
        slot.classes = split(inside, ',');
        written.pieces.push_back({"", written.slots.size()});
        written.slots.push_back(std::move(slot));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return written;
}

// [to do], [doing] and [do] are all [do] in Portuguese.
bool correspond(const VerbSlot& english, const VerbSlot& portuguese) {
    const auto plain = [](const VerbSlot& slot) {
        std::vector<std::string> names = slot.classes;
        for (std::string& name : names)
            if (name == "to do" || name == "doing") name = "do";
        std::sort(names.begin(), names.end());
        return names;
    };
    return english.optional == portuguese.optional && plain(english) == plain(portuguese);
}

// "drone" → "drones", "crush" → "crushes", "reality show" → "reality shows"; but "músicas gospel", "pistas de skate".
std::string plural_of_borrowed(const std::string& noun) {
    const std::size_t blank = noun.find(' ');
    if (blank == std::string::npos) return english_plural(noun);
    const std::string first = noun.substr(0, blank);
    if (!first.ends_with('a') && !first.ends_with('o')) return english_plural(noun);
    return portuguese_plural_of_word(first) + noun.substr(blank);
}

std::string first_word(std::string_view text) { return std::string(text.substr(0, text.find(' '))); }

} // namespace

Result<Done> LexiconReader::add_noun(std::size_t at) {
    const Entry& entry = lexicon_.entries_[at];
    Noun noun;
    noun.entry = at;
    std::vector<std::string> english = split(entry.english, '/');
    if (english.size() > 2) return entry_error(entry, "error.lexicon_noun", {entry.english});
    if (english.front().starts_with("the ")) {
        noun.has_the = true;
        english.front() = english.front().substr(4);
    }
    noun.is_uncountable = entry.has_english("uncountable") || entry.part == Part::name;
    noun.english_article = !entry.has_english("no article") && entry.part != Part::name;
    for (const std::string& feature : entry.english_features) // the word's own comes behind that of its heading
        if (feature == "in" || feature == "at" || feature == "on") noun.preposition = feature;
    if (entry.has_english("plural"))
        noun.plural = english.front();
    else {
        noun.singular = english.front();
        if (english.size() > 1)
            noun.plural = english[1];
        else if (!noun.is_uncountable && !noun.has_the)
            noun.plural = english_plural(english.front());
    }

    const std::size_t slash = entry.portuguese.find('/');
    std::vector<std::string> singular = split(std::string_view(entry.portuguese).substr(0, slash), '|');
    std::vector<std::string> plural;
    if (slash != std::string::npos) plural = split(std::string_view(entry.portuguese).substr(slash + 1), '|');
    if (singular.size() > 2 || plural.size() > 2) return entry_error(entry, "error.lexicon_noun", {entry.portuguese});
    share_word(singular);
    share_word(plural);
    noun.is_portuguese_uncountable = entry.has_portuguese("uncountable");
    noun.portuguese_article = !entry.has_portuguese("no article");
    const bool bare = entry.has_portuguese("masculine") || entry.has_portuguese("feminine")
                      || entry.part == Part::name;
    for (std::size_t i = 0; i < singular.size(); ++i) {
        const std::optional<std::size_t> article = take_article(singular[i]);
        if (!article) {
            if (!bare && noun.portuguese_article) return entry_error(entry, "error.lexicon_article", {singular[i]});
            noun.portuguese[entry.has_portuguese("feminine")] = singular[i];
            noun.portuguese_article = false;
            if (entry.part == Part::name && !entry.has_portuguese("feminine") && !entry.has_portuguese("masculine"))
                noun.portuguese[1] = singular[i]; // a surname has either gender
            continue;
        }
        noun.portuguese[*article] = singular[i];
        if (*article > 1) continue;
        if (i < plural.size() || !plural.empty()) {
            std::string form = plural[std::min(i, plural.size() - 1)];
            const std::optional<std::size_t> its = take_article(form);
            if (!its || *its != 2 + *article) return entry_error(entry, "error.lexicon_article", {form});
            noun.portuguese[*its] = form;
        } else {
            noun.portuguese[2 + *article] =
                entry.has_portuguese("foreign") ? plural_of_borrowed(singular[i]) : portuguese_plural(singular[i]);
        }
    }
    lexicon_.nouns_.push_back(std::move(noun));
    return Done{};
}

Result<Done> LexiconReader::add_verb(std::size_t at) {
    const Entry& entry = lexicon_.entries_[at];
    Verb verb;
    verb.entry = at;
    std::vector<std::string> subject;
    const std::string english = take_subject(entry.english, verb.subject);
    const std::string portuguese = take_subject(entry.portuguese, subject);
    if (subject != verb.subject) return entry_error(entry, "error.lexicon_slots", {entry.english, entry.portuguese});
    std::vector<std::string> forms = split(first_word(english), '/');
    const std::string base = forms.front();
    forms.erase(forms.begin());
    if (const auto once = irregular_.find(base); forms.empty() && once != irregular_.end()) forms = once->second;
    verb.is_be = base == "be";
    verb.english = verb.is_be ? EnglishVerb{"be", "was", "been", "being", "is"} : english_verb(base, forms);

    std::string infinitive = first_word(portuguese);
    const std::string rest = portuguese.substr(infinitive.size());
    verb.is_reflexive = infinitive.ends_with("-se");
    if (verb.is_reflexive) infinitive.resize(infinitive.size() - 3);
    std::optional<Conjugation> conjugation = lexicon_.conjugations_->conjugate(infinitive);
    if (!conjugation) return entry_error(entry, "error.lexicon_conjugation", {infinitive});
    verb.portuguese = std::move(*conjugation);

    Written left = pieces_of(std::string_view(english).substr(first_word(english).size()));
    Written right = pieces_of(rest);
    std::vector<bool> taken(left.slots.size());
    bool all = left.slots.size() == right.slots.size();
    for (VerbPiece& piece : right.pieces) { // two slots of one class correspond in their order
        if (!all || !piece.slot) continue;
        const VerbSlot& wanted = right.slots[*piece.slot];
        std::size_t i = 0;
        while (i < left.slots.size() && (taken[i] || !correspond(left.slots[i], wanted))) ++i;
        all = i < left.slots.size();
        if (!all) break;
        taken[i] = true;
        piece.slot = i;
    }
    if (!all) return entry_error(entry, "error.lexicon_slots", {entry.english, entry.portuguese});
    for (const VerbSlot& slot : left.slots)
        if (const Result<Done> known = check_classes(slot.classes, entry); !known) return known.error();
    if (const Result<Done> known = check_classes(verb.subject, entry); !known) return known.error();
    verb.slots = std::move(left.slots);
    verb.english_rest = std::move(left.pieces);
    verb.portuguese_rest = std::move(right.pieces);
    verb.is_apart = entry.has_english("apart");
    verb.is_state = entry.has_english("state") || verb.is_be;
    verb.is_impersonal = entry.has_english("impersonal");
    verb.is_subjunctive = entry.has_portuguese("subjunctive");
    lexicon_.verbs_.push_back(std::move(verb));
    return Done{};
}

Result<Done> LexiconReader::add_adjective(std::size_t at) {
    const Entry& entry = lexicon_.entries_[at];
    Adjective adjective;
    adjective.entry = at;
    std::string english = entry.english, portuguese = entry.portuguese;
    std::vector<std::string> other;
    english = notation::take_names(english, '[', ']', adjective.takes);
    portuguese = notation::take_names(portuguese, '[', ']', other);
    if (adjective.takes != other) return entry_error(entry, "error.lexicon_slots", {entry.english, entry.portuguese});
    if (!other.empty()) {
        const std::size_t left = english.find_last_of(' '), right = portuguese.find_last_of(' ');
        if (left == std::string::npos || right == std::string::npos)
            return entry_error(entry, "error.lexicon_slots", {entry.english, entry.portuguese});
        adjective.preposition = english.substr(left + 1);
        adjective.portuguese_preposition = portuguese.substr(right + 1);
        english.resize(left);
        portuguese.resize(right);
    }
    const std::vector<std::string> degrees = split(english, '/');
    if (degrees.size() != 1 && degrees.size() != 3) return entry_error(entry, "error.lexicon_degrees", {english});
    adjective.english = degrees.front();
    if (degrees.size() == 3) {
        adjective.comparative = degrees[1];
        adjective.superlative = degrees[2];
    } else if (!entry.has_english("absolute")) {
        const auto derived = entry.has_english("more") ? std::nullopt : english_degrees(adjective.english);
        adjective.comparative = derived ? (*derived)[0] : "more " + adjective.english;
        adjective.superlative = derived ? (*derived)[1] : "most " + adjective.english;
    }
    for (const std::string& feature : entry.portuguese_features)
        if (feature.starts_with("comparative ")) adjective.portuguese_comparative = feature.substr(12);
    adjective.stands_before = entry.has_portuguese("before");
    adjective.is_estar = entry.has_portuguese("estar");

    if (entry.has_portuguese("invariant") || is_portuguese_preposition(first_word(portuguese))) {
        adjective.portuguese.fill(portuguese);
    } else {
        const std::size_t slash = portuguese.find('/');
        std::vector<std::string> singular = split(std::string_view(portuguese).substr(0, slash), '|');
        std::vector<std::string> plural;
        if (slash != std::string::npos) plural = split(std::string_view(portuguese).substr(slash + 1), '|');
        const std::string masculine = singular.front();
        if (singular.size() == 1)
            singular.push_back(masculine.ends_with('o') ? masculine.substr(0, masculine.size() - 1) + "a" : masculine);
        if (plural.empty())
            for (const std::string& form : singular) plural.push_back(portuguese_adjective_plural(form));
        if (plural.size() == 1) plural.push_back(plural.front());
        if (singular.size() != 2 || plural.size() != 2)
            return entry_error(entry, "error.lexicon_adjective", {portuguese});
        adjective.portuguese = {singular[0], singular[1], plural[0], plural[1]};
    }
    lexicon_.adjectives_.push_back(std::move(adjective));
    return Done{};
}

} // namespace headlight::language
