// Reads the two sides of one line of a sentence grammar. Nothing but its file's reader needs this.
#pragma once

#include "engine/language/sentence_grammar.h"

namespace headlight::language {

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
