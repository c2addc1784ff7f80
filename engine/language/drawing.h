#pragma once

#include "engine/language/lexicon.h"
#include "engine/language/sentence_grammar.h"
#include "engine/language/value.h"
#include "engine/tensor/random.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace headlight::language {

// From the words of a drawn sentence to how it is written: contractions, a and an, capital, punctuation.
class Wording {
public:
    explicit Wording(const Lexicon& lexicon); // for its contractions

    // Words and punctuation between blanks. “~” at the end of a word marks an auxiliary that may be contracted
    // (I have~ seen); `contracted`: I'm, doesn't.
    std::string english(std::string_view words, bool contracted) const;
    std::string portuguese(std::string_view words) const;

private:
    std::map<std::string, std::string, std::less<>> english_, portuguese_; // "de o" → "do"
};

struct DrawnPair {
    std::string english, portuguese; // UTF-8, with capital and final stop
};

// Draws sentence pairs from a lexicon and a sentence grammar.
// Never changes once it is made: any number of threads may draw from one.
class Drawer {
public:
    // Only what serves this direction is drawn: no synonym is a target.
    Drawer(std::shared_ptr<const Lexicon> lexicon, SentenceGrammar grammar, Direction direction);
    Drawer(Drawer&&) noexcept;
    ~Drawer();

    DrawnPair draw(Random& random) const;
    // Of this rule alone, for trying out; empty where there is no such rule.
    DrawnPair draw(std::string_view rule, Random& random) const;

private:
    struct Choices;
    std::shared_ptr<const Lexicon> lexicon_;
    SentenceGrammar grammar_;
    Direction direction_;
    Wording wording_;
    std::unique_ptr<const Choices> choices_;
};

inline constexpr std::size_t most_words = 16; // of a drawn sentence, on either side

// How one sentence is drawn: rules from the top down, what is said on both sides from the bottom up. Nothing but
// Drawer needs this.

// Things to choose from, by weight.
class Weighted {
public:
    void add(std::size_t what, double weight);
    bool empty() const { return items_.empty(); }
    bool has(std::size_t what) const;
    double total() const { return sums_.empty() ? 0 : sums_.back(); }
    std::size_t draw(Random& random) const;
    // Of those that `fits` accepts; nothing where there is none.
    std::optional<std::size_t> draw(Random& random, const std::function<bool(std::size_t)>& fits) const;

private:
    std::vector<std::size_t> items_;
    std::vector<double> sums_;
};

// What serves a direction, prepared once.
struct Choices {
    Choices(const Lexicon& lexicon, const SentenceGrammar& grammar, Direction direction);

    std::vector<Weighted> nouns;               // by leaf
    Weighted verbs, weather;                   // of people; impersonal
    std::vector<Weighted> verbs_of, verbs_with; // by leaf of the subject; by leaf of the only object
    std::vector<Weighted> adjectives;          // by leaf of what they describe
    std::map<std::string, Weighted, std::less<>> adjectives_in, verbs_in; // by class or group
    std::map<std::pair<Part, std::string>, Weighted> words;      // entries, by part of speech and class
    std::vector<std::uint64_t> verb_features;  // by verb
    std::vector<ClassSet> slot_classes;        // of all verbs' slots in a row
    std::vector<std::uint64_t> slot_features;
    std::vector<std::size_t> first_slot;       // by verb, into slot_classes
    ClassSet people;
    Conjugation ser, estar;
};

class Drawing {
public:
    Drawing(const Lexicon& lexicon, const SentenceGrammar& grammar, const Choices& choices, Direction direction,
            Random& random)
        : lexicon_(lexicon), grammar_(grammar), choices_(choices), direction_(direction), random_(random) {}

    // Nothing where what was drawn first leaves nothing to go on with: try again.
    std::optional<Value> draw(const Rule& rule, std::optional<ClassSet> classes = std::nullopt,
                              std::uint64_t features = 0);

private:
    using Values = std::vector<Value>;
    std::optional<Value> expand(const Alternative& alternative, std::optional<ClassSet> classes, std::uint64_t features);
    std::optional<Value> draw_slot(const Slot& slot, const Values& before, std::optional<ClassSet> classes,
                                   std::uint64_t features);
    std::optional<Value> draw_noun(const ClassSet& classes, std::uint64_t features);
    std::optional<Value> draw_verb(const Slot& slot, const Value* related, std::uint64_t features);
    std::optional<Value> fill_verb(std::size_t verb, const Slot& slot, const Value* related);
    std::optional<Value> draw_object(std::size_t verb, std::size_t slot, bool located);
    std::optional<Value> draw_adjective(const Slot& slot, const Value* related, std::uint64_t features);
    std::optional<Value> draw_word(const Slot& slot, std::uint64_t features);
    void set_agreement(Value& value, const Alternative& alternative, const Values& values);
    std::string text_of(const std::vector<RulePiece>& pieces, const Values& values, Language language,
                        std::optional<std::size_t> around, std::string* before) const;
    bool feminine_unless_said();
    bool is(std::uint64_t features, std::string_view name) const { return features & grammar_.features.of(name); }

    const Lexicon& lexicon_;
    const SentenceGrammar& grammar_;
    const Choices& choices_;
    Direction direction_;
    Random& random_;
    std::size_t depth_ = 0;
};

} // namespace headlight::language
