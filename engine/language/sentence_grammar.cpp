#include "engine/language/sentence_grammar.h"

#include "engine/io/file.h"
#include "engine/language/sentence_grammar.h"

#include <algorithm>
#include <charconv>

namespace headlight::language {

namespace {

using notation::Place;

constexpr Index largest_grammar_file = 1 << 24;

std::optional<double> number_of(std::string_view text) {
    double number = 0;
    bool point = false;
    double place = 1;
    if (text.empty()) return std::nullopt;
    for (const char digit : text) {
        if (digit == '.' && !point) {
            point = true;
        } else if (digit >= '0' && digit <= '9') {
            if (point) place /= 10;
            number = point ? number + place * (digit - '0') : number * 10 + (digit - '0');
        } else {
            return std::nullopt;
        }
    }
    return number;
}

// "English = Portuguese : 5" → 5, taken off; 1 where none is written.
std::optional<double> take_weight(std::string_view& text) {
    const std::size_t colon = text.rfind(" : ");
    if (colon == std::string_view::npos) return 1.0;
    const std::optional<double> weight = number_of(notation::trimmed(text.substr(colon + 3)));
    if (weight) text = notation::trimmed(text.substr(0, colon));
    return weight;
}

const std::string& class_of(const Lexicon& lexicon, std::size_t entry) {
    return lexicon.entries()[entry].word_class;
}

class GrammarFileReader {
public:
    GrammarFileReader(const std::string& file, const Lexicon& lexicon) : file_(file), lexicon_(lexicon) {
        grammar_.class_weight.assign(lexicon.leaf_count(), 1.0);
    }

    Result<SentenceGrammar> read(std::string_view text) {
        const std::vector<notation::Line> lines = notation::lines_of(text);
        // Rules may be named before they stand there, so all names are read first.
        for (const notation::Line& line : lines)
            if (!line.indented)
                if (const Result<Done> done = read_name(line); !done) return done.error();
        for (const notation::Line& line : lines) {
            const Result<Done> done = line.indented ? read_line(line) : read_heading(line);
            if (!done) return done.error();
        }
        for (const Rule& rule : grammar_.rules)
            if (rule.alternatives.empty())
                return Place{file_, rule.line}.error("error.sentences_empty_rule", {rule.name});
        if (grammar_.find("sentence") == nullptr) return Place{file_, 1}.error("error.sentences_no_sentence");
        for (const char* needed : {"object", "action", "saying", "how", "located", "quoted"})
            if (grammar_.find(needed) == nullptr)
                return Place{file_, 1}.error("error.sentences_needs_rule", {needed});
        if (const Result<Done> done = measure(); !done) return done.error();
        return std::move(grammar_);
    }

private:
    enum class Inside {
        nothing,
        features,
        forms,
        nouns,
        adjectives,
        verbs,
        left_out,
        events,
        objects,
        seldom,
        rule
    };

    static bool is_rule(std::string_view heading) { return heading.starts_with("rule "); }

    Result<Done> read_name(const notation::Line& line) {
        if (!is_rule(line.text)) return Done{};
        std::vector<std::string> ignored;
        std::string rest = notation::take_names(line.text.substr(5), '(', ')', ignored);
        const std::string name = notation::take_names(rest, '[', ']', ignored);
        if (name.empty() || name.find_first_of(" .:|/{}*0123456789") != std::string::npos)
            return Place{file_, line.number}.error("error.sentences_rule_name", {name});
        if (const auto there = grammar_.rule_at.find(name); there != grammar_.rule_at.end())
            return Place{file_, line.number}.error(
                "error.sentences_rule_twice", {name, std::to_string(grammar_.rules[there->second].line)});
        grammar_.rule_at[name] = grammar_.rules.size();
        grammar_.rules.push_back({name, std::nullopt, {}, line.number});
        return Done{};
    }

    Result<Done> read_heading(const notation::Line& line) {
        const Place place{file_, line.number};
        if (is_rule(line.text)) {
            std::vector<std::string> classes, features;
            std::string rest = notation::take_names(line.text.substr(5), '(', ')', classes);
            const std::string name = notation::take_names(rest, '[', ']', features);
            rule_ = grammar_.rule_at.at(name);
            const Result<std::uint64_t> bits = features_named(features, grammar_.features, place);
            if (!bits) return bits.error();
            heading_features_ = *bits;
            if (!classes.empty()) {
                const Result<ClassSet> set = classes_named(classes, lexicon_, grammar_, place);
                if (!set) return set.error();
                grammar_.rules[rule_].classes = *set;
            }
            inside_ = Inside::rule;
            return Done{};
        }
        if (line.text == "features")
            inside_ = Inside::features;
        else if (line.text == "forms")
            inside_ = Inside::forms;
        else if (line.text == "nouns")
            inside_ = Inside::nouns;
        else if (line.text == "adjectives")
            inside_ = Inside::adjectives;
        else if (line.text == "verbs")
            inside_ = Inside::verbs;
        else if (line.text == "leave out")
            inside_ = Inside::left_out;
        else if (line.text == "events")
            inside_ = Inside::events;
        else if (line.text == "objects")
            inside_ = Inside::objects;
        else if (line.text.starts_with("seldom ") && number_of(line.text.substr(7))) {
            seldom_ = *number_of(line.text.substr(7));
            inside_ = Inside::seldom;
        } else
            return place.error("error.sentences_heading", {std::string(line.text)});
        return Done{};
    }

    Result<Done> read_line(const notation::Line& line) {
        const Place place{file_, line.number};
        const std::string text(line.text);
        switch (inside_) {
        case Inside::nothing:
            return place.error("error.sentences_outside", {text});
        case Inside::features:
            if (grammar_.features.add(notation::split(text, ','))) return Done{};
            return place.error("error.sentences_too_many_features", {std::to_string(most_features)});
        case Inside::forms: {
            const std::optional<notation::Sides> sides = notation::sides_of(text);
            if (!sides) return place.error("error.sentences_no_arrow", {text});
            forms_[std::string(sides->english)] = std::string(sides->portuguese);
            return Done{};
        }
        case Inside::nouns:
        case Inside::adjectives:
        case Inside::verbs:
            return read_group(text, place);
        case Inside::left_out:
            return read_verb(text, grammar_.left_out, place);
        case Inside::events:
            return read_verb(text, grammar_.events, place);
        case Inside::objects: {
            const std::size_t colon = text.find(" : ");
            if (colon == std::string::npos) return place.error("error.sentences_objects", {text});
            std::vector<std::string> features;
            const std::string names =
                notation::take_names(std::string_view(text).substr(colon + 3), '[', ']', features);
            const Result<ClassSet> set =
                classes_named(notation::split(names, ','), lexicon_, grammar_, place);
            if (!set) return set.error();
            if (features.empty()) features.emplace_back("specific");
            const Result<std::uint64_t> bits = features_named(features, grammar_.features, place);
            if (!bits) return bits.error();
            for (const std::string& verb : notation::split(std::string_view(text).substr(0, colon), ','))
                grammar_.objects[verb] = {*set, *bits};
            return Done{};
        }
        case Inside::seldom: {
            const Result<ClassSet> set = classes_named(notation::split(text, ','), lexicon_, grammar_, place);
            if (!set) return set.error();
            for (std::size_t leaf = 0; leaf < grammar_.class_weight.size(); ++leaf)
                if ((*set)[leaf]) grammar_.class_weight[leaf] = seldom_;
            return Done{};
        }
        case Inside::rule:
            break;
        }
        return read_alternative(line.text, place);
    }

    using Index = std::multimap<std::string, std::size_t, std::less<>>;
    // The lexicon's words of the kind that is being read, by their English.
    const Index& words_of_kind() {
        Index& index = inside_ == Inside::nouns        ? nouns_
                       : inside_ == Inside::adjectives ? adjectives_
                                                       : verbs_;
        if (!index.empty()) return index;
        const std::vector<Entry>& entries = lexicon_.entries();
        if (inside_ == Inside::nouns)
            for (std::size_t i = 0; i < lexicon_.nouns().size(); ++i) {
                const Noun& noun = lexicon_.nouns()[i];
                index.emplace(noun.singular.empty() ? noun.plural : noun.singular, i);
            }
        else if (inside_ == Inside::adjectives)
            for (std::size_t i = 0; i < lexicon_.adjectives().size(); ++i) {
                if (lexicon_.adjectives()[i].takes.empty())
                    index.emplace(lexicon_.adjectives()[i].english, i);
            }
        else
            for (std::size_t i = 0; i < lexicon_.verbs().size(); ++i)
                index.emplace(name_of_verb(entries[lexicon_.verbs()[i].entry]), i);
        return index;
    }

    // "friend : friend, best friend, letter (reading)"
    Result<Done> read_group(const std::string& text, const Place& place) {
        const std::size_t colon = text.find(" : ");
        if (colon == std::string::npos) return place.error("error.sentences_group", {text});
        const std::string name = text.substr(0, colon);
        std::vector<std::size_t> found;
        // Commas stand in the brackets of verbs, too.
        std::string word;
        int inside = 0;
        for (const char letter : text.substr(colon + 3) + ",") {
            inside += (letter == '[') - (letter == ']');
            if (letter != ',' || inside > 0) {
                word += letter;
                continue;
            }
            std::vector<std::string> classes;
            const std::string bare = notation::take_names(word, '(', ')', classes);
            word.clear();
            const std::size_t before = found.size();
            const std::vector<Entry>& entries = lexicon_.entries();
            const auto of_class = [&](std::size_t entry) {
                return classes.empty() || entries[entry].word_class == classes.front();
            };
            const auto& index = words_of_kind();
            for (auto [at, end] = index.equal_range(bare); at != end; ++at) {
                const std::size_t i = at->second;
                const std::size_t entry = inside_ == Inside::nouns        ? lexicon_.nouns()[i].entry
                                          : inside_ == Inside::adjectives ? lexicon_.adjectives()[i].entry
                                                                          : lexicon_.verbs()[i].entry;
                if (of_class(entry)) found.push_back(i);
            }
            if (found.size() == before) return place.error("error.sentences_word", {bare});
        }
        if (inside_ == Inside::nouns) {
            const auto there = std::find_if(grammar_.noun_groups.begin(), grammar_.noun_groups.end(),
                                            [&](const auto& each) { return each.first == name; });
            const std::size_t group = std::size_t(there - grammar_.noun_groups.begin());
            if (group == grammar_.group_leaves.size()) grammar_.group_leaves.emplace_back();
            for (const std::size_t i : found)
                grammar_.group_leaves[group].set(
                    *lexicon_.leaf(class_of(lexicon_, lexicon_.nouns()[i].entry)));
            if (there == grammar_.noun_groups.end())
                grammar_.noun_groups.emplace_back(name, std::move(found));
            else
                there->second.insert(there->second.end(), found.begin(), found.end());
            if (lexicon_.leaf_count() + grammar_.noun_groups.size() > most_classes)
                return place.error("error.sentences_too_many_groups", {std::to_string(most_classes)});
            return Done{};
        }
        auto& groups = inside_ == Inside::adjectives ? grammar_.adjective_groups : grammar_.verb_groups;
        groups[name].insert(groups[name].end(), found.begin(), found.end());
        return Done{};
    }

    Result<Done> read_verb(const std::string& text, std::vector<std::string>& verbs, const Place& place) {
        const Inside kind = inside_;
        bool known = false;
        for (const Inside each : {Inside::adjectives, Inside::verbs}) {
            inside_ = each;
            known = known || words_of_kind().contains(text);
        }
        inside_ = kind;
        if (!known) return place.error("error.sentences_verb", {text});
        verbs.push_back(text);
        return Done{};
    }

    Result<Done> read_alternative(std::string_view text, const Place& place) {
        const std::string whole(text);
        Alternative alternative;
        alternative.line = place.line;
        alternative.features = heading_features_;
        const std::optional<double> weight = take_weight(text);
        if (!weight) return place.error("error.sentences_weight", {whole});
        alternative.weight = *weight;
        while (!text.empty() && (text.front() == '[' || text.front() == '(')) { // what it is said of
            const char close = text.front() == '[' ? ']' : ')';
            const std::size_t end = text.find(close);
            if (end == std::string_view::npos) return place.error("error.sentences_open", {whole});
            const std::vector<std::string> names = notation::split(text.substr(1, end - 1), ',');
            if (close == ']') {
                const Result<std::uint64_t> bits = features_named(names, grammar_.features, place);
                if (!bits) return bits.error();
                if (!grammar_.features.unify(alternative.features, *bits))
                    return place.error("error.sentences_features_exclude", {names.front()});
            } else {
                const Result<ClassSet> set = classes_named(names, lexicon_, grammar_, place);
                if (!set) return set.error();
                alternative.classes = *set;
            }
            text = notation::trimmed(text.substr(end + 1));
        }
        const std::optional<notation::Sides> sides = notation::sides_of(text);
        if (!sides) return place.error("error.sentences_no_arrow", {whole});
        alternative.arrow = sides->arrow;
        RuleReader reader(grammar_, lexicon_, forms_, place);
        if (const Result<Done> done = reader.read(*sides, alternative); !done) return done.error();
        grammar_.rules[rule_].alternatives.push_back(std::move(alternative));
        return Done{};
    }

    // The least height of every alternative; a rule that cannot come to an end is a mistake.
    Result<Done> measure() {
        constexpr std::size_t endless = 1000;
        std::vector<std::size_t> of_rule(grammar_.rules.size(), endless);
        const auto of_slot = [&](const Slot& slot) {
            if (slot.kind == SlotKind::rule) return of_rule[slot.rule];
            if (slot.kind == SlotKind::verb) // a verb's own slots
                return std::max(of_rule[grammar_.rule_at.at("object")],
                                of_rule[grammar_.rule_at.at("located")]);
            return std::size_t(0);
        };
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < grammar_.rules.size(); ++i)
                for (Alternative& alternative : grammar_.rules[i].alternatives) {
                    std::size_t height = 0;
                    for (const Slot& slot : alternative.slots) height = std::max(height, of_slot(slot));
                    alternative.height = std::min(height + 1, endless);
                    if (alternative.height < of_rule[i]) {
                        of_rule[i] = alternative.height;
                        changed = true;
                    }
                }
        }
        for (std::size_t i = 0; i < grammar_.rules.size(); ++i)
            if (of_rule[i] >= endless)
                return Place{file_, grammar_.rules[i].line}.error("error.sentences_endless",
                                                                  {grammar_.rules[i].name});
        return Done{};
    }

    std::string file_;
    const Lexicon& lexicon_;
    SentenceGrammar grammar_;
    std::map<std::string, std::string, std::less<>> forms_;
    Inside inside_ = Inside::nothing;
    std::size_t rule_ = 0;
    std::uint64_t heading_features_ = 0;
    double seldom_ = 1;
    Index nouns_, adjectives_, verbs_;
};

} // namespace

Result<std::uint64_t> features_named(const std::vector<std::string>& names, const FeatureTable& table,
                                     const Place& place) {
    std::uint64_t bits = 0;
    for (const std::string& name : names) {
        const std::optional<std::uint64_t> bit = table.bit(name);
        if (!bit) return place.error("error.sentences_feature", {name});
        if (!table.unify(bits, *bit)) return place.error("error.sentences_features_exclude", {name});
    }
    return bits;
}

Result<ClassSet> classes_named(const std::vector<std::string>& names, const Lexicon& lexicon,
                               const SentenceGrammar& grammar, const Place& place) {
    ClassSet set;
    for (const std::string& name : names) {
        const auto group = std::find_if(grammar.noun_groups.begin(), grammar.noun_groups.end(),
                                        [&](const auto& each) { return each.first == name; });
        if (group != grammar.noun_groups.end()) {
            set.set(lexicon.leaf_count() + std::size_t(group - grammar.noun_groups.begin()));
            continue;
        }
        const auto leaves = lexicon.leaves_of(name);
        if (!leaves) return place.error("error.sentences_class", {name});
        for (const std::size_t leaf : *leaves) set.set(leaf);
    }
    return set;
}

std::string name_of_verb(const Entry& entry) {
    std::string name;
    for (const std::string& word : words_of(entry.english)) {
        const bool inside = word.find('[') != std::string::npos || word.find(']') != std::string::npos;
        name += (name.empty() ? "" : " ") + (inside ? word : word.substr(0, word.find('/')));
    }
    return name;
}

ClassSet SentenceGrammar::narrowed(const ClassSet& classes, const ClassSet& line) const {
    ClassSet left = classes & line;
    for (std::size_t group = 0; group < group_leaves.size(); ++group)
        if (const std::size_t bit = class_weight.size() + group;
            classes[bit] && (group_leaves[group] & line).any())
            left.set(bit);
    return left;
}

ClassSet SentenceGrammar::with_leaves_of_groups(const ClassSet& classes) const {
    ClassSet all = classes;
    for (std::size_t group = 0; group < group_leaves.size(); ++group)
        if (classes[class_weight.size() + group]) all |= group_leaves[group];
    return all;
}

const Rule* SentenceGrammar::find(std::string_view name) const {
    const auto at = rule_at.find(name);
    return at == rule_at.end() ? nullptr : &rules[at->second];
}

Result<SentenceGrammar> SentenceGrammar::parse(std::string_view text, const std::string& file,
                                               const Lexicon& lexicon) {
    if (lexicon.leaf_count() > most_classes)
        return Error{"error.lexicon_too_many_classes", {std::to_string(most_classes)}};
    return GrammarFileReader(file, lexicon).read(text);
}

Result<SentenceGrammar> SentenceGrammar::read(const std::string& path, const Lexicon& lexicon) {
    const Result<std::string> text = read_file(path, largest_grammar_file);
    if (!text) return text.error();
    return parse(*text, path, lexicon);
}

} // namespace headlight::language
