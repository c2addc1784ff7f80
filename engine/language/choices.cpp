#include "engine/language/drawing.h"

#include <algorithm>

namespace headlight::language {

namespace {

// Less steep than the lexicon's weights, because a model has to see rare words as well; verbs decide whether a sentence
// makes sense, so the usual ones come more often. (Written out: powers differ in the last digit between machines.)
double of_words(double weight) { return weight < 2 ? 1 : weight < 9 ? 1.9 : weight < 29 ? 4 : weight < 99 ? 7.7 : 16; }
double of_verbs(double weight) { return weight < 2 ? 1 : weight < 9 ? 2.4 : weight < 29 ? 6.3 : weight < 99 ? 15 : 40; }

ClassSet set_of(const std::vector<std::string>& names, const Lexicon& lexicon) {
    ClassSet set;
    for (const std::string& name : names)
        if (const auto leaves = lexicon.leaves_of(name))
            for (const std::size_t leaf : *leaves) set.set(leaf);
    return set;
}

bool is_phrase(const std::string& name) { // what is no class of nouns
    return name == "do" || name == "to do" || name == "doing" || name == "that" || name == "how" || name == "say"
           || name == "number";
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

void Weighted::add(std::size_t what, double weight) {
    items_.push_back(what);
    sums_.push_back(total() + weight);
}

bool Weighted::has(std::size_t what) const { return std::find(items_.begin(), items_.end(), what) != items_.end(); }

std::size_t Weighted::draw(Random& random) const {
    const double at = random.uniform() * total();
    const auto found = std::upper_bound(sums_.begin(), sums_.end(), at);
    return items_[std::min(std::size_t(found - sums_.begin()), items_.size() - 1)];
}

std::optional<std::size_t> Weighted::draw(Random& random, const std::function<bool(std::size_t)>& fits) const {
    if (empty()) return std::nullopt;
    for (int i = 0; i < 12; ++i)
        if (const std::size_t what = draw(random); fits(what)) return what;
    Weighted fitting; // seldom: few of them do
    double before = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
        if (fits(items_[i])) fitting.add(items_[i], sums_[i] - before);
        before = sums_[i];
    }
    if (fitting.empty()) return std::nullopt;
    return fitting.draw(random);
}

Choices::Choices(const Lexicon& lexicon, const SentenceGrammar& grammar, Direction direction) {
    const std::vector<Entry>& entries = lexicon.entries();
    const std::size_t leaves = lexicon.leaf_count();
    nouns.resize(leaves + grammar.noun_groups.size());
    verbs_of.resize(leaves);
    verbs_with.resize(leaves);
    adjectives.resize(leaves);
    people = set_of({"person"}, lexicon);
    ser = *lexicon.conjugations().conjugate("ser");
    estar = *lexicon.conjugations().conjugate("estar");
    const auto all_of = [&](const ClassSet& set, std::vector<Weighted>& lists, std::size_t what, double weight) {
        for (std::size_t leaf = 0; leaf < leaves; ++leaf)
            if (set[leaf]) lists[leaf].add(what, weight);
    };
    for (std::size_t i = 0; i < lexicon.nouns().size(); ++i) {
        const Entry& entry = entries[lexicon.nouns()[i].entry];
        if (!serves(entry.arrow, direction)) continue;
        const std::size_t leaf = *lexicon.leaf(entry.word_class);
        nouns[leaf].add(i, of_words(entry.weight) * grammar.class_weight[leaf]);
    }
    for (std::size_t group = 0; group < grammar.noun_groups.size(); ++group)
        for (const std::size_t i : grammar.noun_groups[group].second)
            if (const Entry& entry = entries[lexicon.nouns()[i].entry]; serves(entry.arrow, direction))
                nouns[leaves + group].add(i, of_words(entry.weight));
    const auto add_groups = [&](const auto& groups, auto& lists, const auto& all) {
        for (const auto& [name, members] : groups)
            for (const std::size_t i : members)
                if (const Entry& entry = entries[all[i].entry]; serves(entry.arrow, direction))
                    lists[name].add(i, of_words(entry.weight));
    };
    add_groups(grammar.adjective_groups, adjectives_in, lexicon.adjectives());
    add_groups(grammar.verb_groups, verbs_in, lexicon.verbs());
    for (std::size_t i = 0; i < lexicon.verbs().size(); ++i) {
        const Verb& verb = lexicon.verbs()[i];
        const Entry& entry = entries[verb.entry];
        const std::string name = name_of_verb(entry);
        bool open = false;
        std::size_t nominal = 0;
        first_slot.push_back(slot_classes.size());
        const std::string head = verb.english.base;
        for (const VerbSlot& slot : verb.slots) {
            const bool phrase = is_phrase(slot.classes.front());
            open = open || (phrase && slot.classes.front() != "number" && slot.classes.front() != "how");
            nominal += !phrase;
            std::uint64_t features = grammar.features.of("specific");
            ClassSet set = phrase ? ClassSet() : set_of(slot.classes, lexicon);
            if (const auto any = grammar.objects.find("any"); slot.classes.front() == "any" && any != grammar.objects.end())
                set = any->second.classes;
            for (const std::string& key : {head, name})
                if (const auto said_of = grammar.objects.find(key); said_of != grammar.objects.end() && !phrase
                    && grammar.narrowed(said_of->second.classes, set).any()) {
                    set = grammar.narrowed(said_of->second.classes, set);
                    features = said_of->second.features;
                }
            slot_classes.push_back(set);
            slot_features.push_back(features);
        }
        const auto& table = grammar.features;
        const bool is_state = verb.is_state || verb.portuguese.infinitive == "estar" || verb.portuguese.infinitive == "ter";
        verb_features.push_back(table.of(open ? "open" : "simple")
                                | table.of(is_state && !contains(grammar.events, name) ? "state" : "action")
                                | table.of(verb.is_be ? "linking" : "ordinary")
                                | (verb.is_impersonal ? table.of("impersonal") : 0));
        if (!serves(entry.arrow, direction) || contains(grammar.left_out, name)) continue;
        const double weight = of_verbs(entry.weight);
        if (verb.is_impersonal)
            weather.add(i, weight);
        else if (verb.subject.empty())
            verbs.add(i, weight);
        else
            all_of(set_of(verb.subject, lexicon), verbs_of, i, weight);
        if (verb.subject.empty()) verbs_in[entry.word_class].add(i, weight);
        if (!verb.is_impersonal && verb.subject.empty() && verb.slots.size() == 1 && nominal == 1)
            all_of(grammar.with_leaves_of_groups(slot_classes.back()), verbs_with, i, weight);
    }
    for (std::size_t i = 0; i < lexicon.adjectives().size(); ++i) {
        const Entry& entry = entries[lexicon.adjectives()[i].entry];
        if (!serves(entry.arrow, direction)) continue;
        const double weight = entry.weight;
        adjectives_in[entry.word_class].add(i, weight);
        if (contains(grammar.left_out, lexicon.adjectives()[i].english)) continue;
        ClassSet described = set_of(entry.described, lexicon);
        const auto& also = grammar.adjective_groups.find("of people");
        const bool of_people = also != grammar.adjective_groups.end()
                               && std::find(also->second.begin(), also->second.end(), i) != also->second.end();
        // What is said of anything (national, probable) is seldom said of people.
        if (entry.described == std::vector<std::string>{"any"} && !of_people) described &= ~people;
        all_of(described, adjectives, i, weight);
    }
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (serves(entries[i].arrow, direction))
            words[{entries[i].part, entries[i].word_class}].add(i, of_words(entries[i].weight));
}

} // namespace headlight::language
