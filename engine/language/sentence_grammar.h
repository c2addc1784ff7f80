#pragma once

#include "engine/language/lexicon.h"

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::language {

// A synchronous grammar: rules that make an English and a Portuguese phrase at once, phrases within phrases.
// The notation is explained at the head of assets/grammars/everyday.txt.

inline constexpr std::size_t most_classes = 192;
inline constexpr std::size_t most_features = 64; // bits
using ClassSet = std::bitset<most_classes>;      // of the lexicon's leaves

// Features are bits. Those of one dimension (singular, plural) exclude one another; two sets unify where no
// dimension is asked for twice in different ways.
class FeatureTable {
public:
    FeatureTable(); // with the dimensions that the lexicon knows: number, gender, person, count, …

    bool
    add(const std::vector<std::string>& names); // a dimension; false, and nothing, where there is no bit left
    std::optional<std::uint64_t> bit(std::string_view name) const;
    std::uint64_t of(std::string_view name) const { return *bit(name); } // of a name that there is

    bool unify(std::uint64_t& to, std::uint64_t with) const; // false, and `to` unchanged, where they exclude
    bool agree(std::uint64_t a, std::uint64_t b) const;

private:
    std::vector<std::string> names_; // by bit
    std::vector<std::uint64_t> dimensions_;
};

// What a slot of a verb, noun or adjective is said in: "present", "comparative", "ask-past".
enum class Form {
    plain,
    // verbs, English
    base,
    present,
    past,
    ing,
    participle,
    not_present,
    not_past,
    ask_present,
    ask_past,
    asked,
    // verbs, Portuguese; present, past and participle are there, too
    infinitive,
    imperfect,
    gerund,
    subjunctive,
    past_subjunctive,
    future_subjunctive,
    conditional,
    imperative,
    // adjectives
    comparative,
    superlative,
    superlative_front,
    superlative_behind,
    front,
    behind,
    is,
    was,
    to_be,
    be_subjunctive,
    // nouns
    article,
    place,
    // noun phrases: he, him, his
    subject_pronoun,
    object_pronoun,
    possessive
};

enum class SlotKind { rule, noun, verb, adjective, word, figure };
enum class Relation {
    none,
    about,
    with,
    without,
    recalling,
    like
}; // {adjective for noun}, {verb with np}, …

struct Slot {
    std::string name; // with its digit: "np2"
    SlotKind kind = SlotKind::rule;
    std::size_t rule = 0;     // index of the rule
    Part part = Part::adverb; // of a word that is none of the others, with its class
    std::string word_class;
    std::optional<ClassSet> classes;
    std::uint64_t features = 0;
    bool is_head = false;
    Relation relation = Relation::none;
    std::size_t related = 0; // slot
};

struct RulePiece {
    std::string text;                            // as it stands; or
    std::optional<std::size_t> slot;             // a slot's value in a form; or
    std::vector<std::vector<std::string>> forms; // written out: parts by /, in them genders by |
    Form form = Form::plain;
    std::optional<std::size_t> agrees; // with the value of this slot
};

struct Alternative {
    std::uint64_t features = 0;
    std::optional<ClassSet> classes; // only for these
    std::vector<Slot> slots;         // in the order in which they are drawn
    std::vector<RulePiece> english, portuguese;
    Arrow arrow = Arrow::both;
    double weight = 1;
    std::size_t line = 0;
    std::size_t height = 0; // of the least that it can become: rules within rules
};

struct Rule {
    std::string name;
    std::optional<ClassSet> classes; // where whoever draws names none
    std::vector<Alternative> alternatives;
    std::size_t line = 0;
};

struct SentenceGrammar {
    FeatureTable features;
    std::vector<Rule> rules;
    std::map<std::string, std::size_t, std::less<>> rule_at;
    // Words of the lexicon that go together, beside its own classes: nouns by number (their class is that of
    // the group, numbered after the lexicon's), adjectives and verbs by number and by name.
    std::vector<std::pair<std::string, std::vector<std::size_t>>> noun_groups;
    std::vector<ClassSet> group_leaves;
    std::map<std::string, std::vector<std::size_t>, std::less<>> adjective_groups, verb_groups;
    std::vector<std::string> left_out, events; // verbs of the lexicon as written there; adjectives
    struct Objects {
        ClassSet classes;
        std::uint64_t features = 0;
    };
    std::map<std::string, Objects, std::less<>>
        objects;                      // what these English verbs are said of; “any”: any noun
    std::vector<double> class_weight; // by leaf

    // Errors (file, line, …): sentences_*.
    static Result<SentenceGrammar> parse(std::string_view text, const std::string& file,
                                         const Lexicon& lexicon);
    static Result<SentenceGrammar> read(const std::string& path, const Lexicon& lexicon);

    const Rule* find(std::string_view name) const;
    // What is left of `classes` where a line is for `line` only. A group stays whole if one of its nouns is
    // of them.
    ClassSet narrowed(const ClassSet& classes, const ClassSet& line) const;
    // With the lexicon's classes of the groups' nouns.
    ClassSet with_leaves_of_groups(const ClassSet& classes) const;
};

// A verb's entry as grammars name it: without the forms behind slashes.
std::string name_of_verb(const Entry& entry);

// Reads the two sides of one line of a sentence grammar. Nothing but its file's reader needs this.

Result<std::uint64_t> features_named(const std::vector<std::string>& names, const FeatureTable& table,
                                     const notation::Place& place);
Result<ClassSet> classes_named(const std::vector<std::string>& names, const Lexicon& lexicon,
                               const SentenceGrammar& grammar, const notation::Place& place);

class RuleReader {
public:
    using Forms = std::map<std::string, std::string, std::less<>>; // named forms: "is" → "am/is/are"
    RuleReader(const SentenceGrammar& grammar, const Lexicon& lexicon, const Forms& forms, notation::Place place)
        : grammar_(grammar), lexicon_(lexicon), forms_(forms), place_(std::move(place)) {}

    Result<Done> read(const notation::Sides& sides, Alternative& into);

private:
    struct Braces { // what stands between { and }
        std::string name, form, agrees, relation, related;
        std::vector<std::string> classes, features;
        bool is_head = false;
    };
    Result<Done> read_side(std::string_view text, std::vector<RulePiece>& pieces);
    Result<Done> read_braces(std::string_view inside, RulePiece& piece);
    Result<Braces> take_apart(std::string_view inside) const;
    Result<std::size_t> slot_of(const Braces& braces);
    Result<Done> order_slots(Alternative& alternative) const;

    const SentenceGrammar& grammar_;
    const Lexicon& lexicon_;
    const Forms& forms_;
    notation::Place place_;
    Alternative* into_ = nullptr;
    std::vector<std::string> related_; // by slot, the name that it is drawn for
};

} // namespace headlight::language
