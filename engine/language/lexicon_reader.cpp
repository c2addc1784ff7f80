#include "engine/language/lexicon.h"

#include <algorithm>

namespace headlight::language::notation {

Error Place::error(std::string key, std::vector<std::string> details) const {
    std::vector<std::string> arguments{file, std::to_string(line)};
    arguments.insert(arguments.end(), details.begin(), details.end());
    return {std::move(key), std::move(arguments)};
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

std::vector<Line> lines_of(std::string_view text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    std::vector<Line> lines;
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view line = text.substr(begin, end - begin);
        begin = end + 1;
        ++number;
        line = line.substr(0, line.find('#'));
        const std::string_view content = trimmed(line);
        if (!content.empty()) lines.push_back({content, number, line.front() == ' ' || line.front() == '\t'});
    }
    return lines;
}

std::optional<Sides> sides_of(std::string_view text) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        if (word == "=" || word == "=>" || word == "<=") {
            const Arrow arrow = word == "=" ? Arrow::both : word == "=>" ? Arrow::to_portuguese : Arrow::to_english;
            const Sides sides{trimmed(text.substr(0, begin)), trimmed(text.substr(std::min(end, text.size()))), arrow};
            if (sides.english.empty() || sides.portuguese.empty()) return std::nullopt;
            return sides;
        }
        begin = end + 1;
    }
    return std::nullopt;
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        parts.emplace_back(trimmed(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    return parts;
}

std::string take_names(std::string_view text, char open, char close, std::vector<std::string>& names) {
    std::string rest;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t at = std::min(text.find(open, begin), text.size());
        rest += text.substr(begin, at - begin);
        const std::size_t end = text.find(close, at);
        if (at == text.size() || end == std::string_view::npos) {
            rest += text.substr(at);
            break;
        }
        for (std::string& name : split(text.substr(at + 1, end - at - 1), ','))
            if (!name.empty()) names.push_back(std::move(name));
        begin = end + 1;
    }
    std::string single;
    for (const char letter : trimmed(rest)) // what is left has single blanks
        if (letter != ' ' || (!single.empty() && single.back() != ' ')) single += letter;
    return single;
}

std::vector<std::string> forms_in_order(std::string_view text) {
    std::vector<std::string> forms;
    for (const std::string& number : split(text, '/'))
        for (std::string& form : split(number, '|')) forms.push_back(std::move(form));
    return forms;
}

} // namespace headlight::language::notation

namespace headlight::language {

namespace {

using notation::Place;

constexpr std::pair<std::string_view, Part> part_names[] = {
    {"nouns", Part::noun},
    {"verbs", Part::verb},
    {"auxiliaries", Part::auxiliary},
    {"adjectives", Part::adjective},
    {"adverbs", Part::adverb},
    {"pronouns", Part::pronoun},
    {"determiners", Part::determiner},
    {"prepositions", Part::preposition},
    {"conjunctions", Part::conjunction},
    {"questions", Part::question},
    {"numbers", Part::number},
    {"names", Part::name},
    {"interjections", Part::interjection},
    {"contractions", Part::contraction}};

constexpr std::string_view features_of[] = {
    /* noun */ "uncountable|countable|plural|in|at|on|no article|foreign|masculine|feminine",
    /* verb */ "apart|impersonal|state|subjunctive|foreign",
    /* auxiliary */ "state",
    /* adjective */ "ser|estar|before|more|absolute|invariant|foreign",
    /* adverb */ "front|middle|end|foreign",
    /* pronoun */ "singular|plural|masculine|feminine|first|second|third",
    /* determiner */ "singular|plural|masculine|feminine|first|second|third|uncountable",
    /* preposition */ "",
    /* conjunction */ "subjunctive|future subjunctive",
    /* question */ "",
    /* number */ "",
    /* name */ "masculine|feminine|foreign",
    /* interjection */ "foreign",
    /* contraction */ ""};

bool is_feature(Part part, const std::string& name) {
    if (part == Part::number || name.starts_with("comparative ")) return true; // a number's figure
    const std::vector<std::string> known = notation::split(features_of[std::size_t(part)], '|');
    return std::find(known.begin(), known.end(), name) != known.end();
}

std::optional<double> weight_called(std::string_view word) {
    if (word == "rare") return 1;
    if (word == "*") return 10;
    if (word == "**") return 30;
    if (word == "***") return 100;
    return std::nullopt;
}

// "bread = o pão **" → the weight is taken off.
double take_weight(std::string_view& text, double otherwise) {
    const std::size_t blank = text.find_last_of(' ');
    if (blank == std::string_view::npos) return otherwise;
    const std::optional<double> weight = weight_called(text.substr(blank + 1));
    if (weight) text = notation::trimmed(text.substr(0, blank));
    return weight.value_or(otherwise);
}

// ser and estar of an entry stand against that of its heading.
void add_features(std::vector<std::string>& to, const std::vector<std::string>& own) {
    for (const std::string& feature : own) {
        if (feature == "ser" || feature == "estar")
            to.erase(std::remove_if(to.begin(), to.end(),
                                    [](const std::string& f) { return f == "ser" || f == "estar"; }),
                     to.end());
        to.push_back(feature);
    }
}

} // namespace

Error entry_error(const Entry& entry, std::string key, std::vector<std::string> details) {
    return Place{entry.file, entry.line}.error(std::move(key), std::move(details));
}

Result<Done> LexiconReader::read_entries(std::string_view text, const std::string& file) {
    std::optional<Entry> heading;
    for (const notation::Line& line : notation::lines_of(text)) {
        const Place place{file, line.number};
        std::string_view content = line.text;
        if (!line.indented) {
            Entry next;
            next.weight = take_weight(content, 3);
            std::vector<std::string> features;
            std::string rest = notation::take_names(content, '[', ']', next.described);
            rest = notation::take_names(rest, '(', ')', features);
            const std::vector<std::string> words = words_of(rest);
            const auto part = std::find_if(std::begin(part_names), std::end(part_names), [&](const auto& named) {
                return !words.empty() && named.first == words.front();
            });
            if (part == std::end(part_names) || words.size() > 2)
                return place.error("error.lexicon_heading", {std::string(line.text)});
            next.part = part->second;
            next.word_class = words.size() > 1 ? words[1] : "";
            if ((next.part == Part::noun || next.part == Part::name) && next.word_class.empty())
                return place.error("error.lexicon_no_class", {std::string(line.text)});
            for (const std::string& feature : features)
                if (!is_feature(next.part, feature)) return place.error("error.lexicon_feature", {feature});
            next.english_features = next.portuguese_features = features;
            // A Portuguese word says itself whether it has an article: it is written before it.
            auto& right = next.portuguese_features;
            right.erase(std::remove(right.begin(), right.end(), "no article"), right.end());
            next.file = file;
            if ((next.part == Part::noun || next.part == Part::name) && !lexicon_.leaf(next.word_class))
                lexicon_.leaves_.push_back(next.word_class);
            heading = std::move(next);
            continue;
        }
        if (!heading) return place.error("error.lexicon_outside", {std::string(line.text)});
        Entry entry = *heading;
        entry.line = line.number;
        entry.weight = take_weight(content, heading->weight);
        const std::optional<notation::Sides> sides = notation::sides_of(content);
        if (!sides && entry.part == Part::name) {
            for (std::string& name : notation::split(content, ',')) {
                entry.english = entry.portuguese = name;
                lexicon_.entries_.push_back(entry);
            }
            continue;
        }
        if (!sides) return place.error("error.lexicon_no_arrow", {std::string(line.text)});
        entry.arrow = sides->arrow;
        std::vector<std::string> english, portuguese;
        entry.english = notation::take_names(sides->english, '(', ')', english);
        entry.portuguese = notation::take_names(sides->portuguese, '(', ')', portuguese);
        for (const std::vector<std::string>* own : {&english, &portuguese})
            for (const std::string& feature : *own)
                if (!is_feature(entry.part, feature)) return place.error("error.lexicon_feature", {feature});
        add_features(entry.english_features, english);
        add_features(entry.portuguese_features, portuguese);
        lexicon_.entries_.push_back(std::move(entry));
    }
    return Done{};
}

Result<Done> LexiconReader::read_classes(std::string_view text, const std::string& file) {
    for (const notation::Line& line : notation::lines_of(text)) {
        const std::size_t colon = line.text.find(':');
        const Place place{file, line.number};
        if (colon == std::string_view::npos)
            return place.error("error.lexicon_class_line", {std::string(line.text)});
        const std::string name(notation::trimmed(line.text.substr(0, colon)));
        lexicon_.joined_[name] = notation::split(line.text.substr(colon + 1), ',');
        joined_at_[name] = line.number;
    }
    return Done{};
}

Result<Done> LexiconReader::check_classes(const std::vector<std::string>& classes, const Entry& entry) const {
    constexpr std::string_view others[] = {"do", "to do", "doing", "that", "how", "say", "number"};
    for (const std::string& name : classes)
        if (std::find(std::begin(others), std::end(others), name) == std::end(others) && !lexicon_.leaf(name)
            && !lexicon_.joined_.contains(name))
            return entry_error(entry, "error.lexicon_class", {name});
    return Done{};
}

Result<Lexicon> LexiconReader::finish() {
    if (!lexicon_.conjugations_) return Error{"error.lexicon_missing", {"conjugations.txt"}};
    for (const auto& [name, members] : lexicon_.joined_)
        for (const std::string& member : members)
            // A class that joins others names classes of headings, or classes that stand elsewhere in classes.txt;
            // one that contained itself would have no end.
            if (member == name || (!lexicon_.leaf(member) && !lexicon_.joined_.contains(member)))
                return Place{"classes.txt", joined_at_[name]}.error("error.lexicon_class", {member});
    for (const Entry& entry : lexicon_.entries_) { // the forms that are written at one entry serve all of them
        if (entry.part != Part::verb) continue;
        std::string_view text = entry.english;
        if (text.starts_with('[')) text = notation::trimmed(text.substr(text.find(']') + 1));
        const std::vector<std::string> forms = notation::split(text.substr(0, text.find(' ')), '/');
        if (forms.size() > 1) irregular_.emplace(forms.front(), std::vector(forms.begin() + 1, forms.end()));
    }
    for (std::size_t i = 0; i < lexicon_.entries_.size(); ++i) {
        const Entry& entry = lexicon_.entries_[i];
        const Result<Done> described = check_classes(entry.described, entry);
        if (!described) return described.error();
        const Result<Done> done = entry.part == Part::noun || entry.part == Part::name ? add_noun(i)
                                  : entry.part == Part::verb                           ? add_verb(i)
                                  : entry.part == Part::adjective                      ? add_adjective(i)
                                                                                       : Result<Done>(Done{});
        if (!done) return done.error();
    }
    return std::move(lexicon_);
}

} // namespace headlight::language
