#include "engine/language/sentence_grammar.h"

#include <algorithm>

namespace headlight::language {

FeatureTable::FeatureTable() {
    add({"singular", "plural"});
    add({"masculine", "feminine"});
    add({"first", "second", "third"});
    add({"countable", "uncountable"});
    add({"named", "common"});               // nouns without an English article: math, Brazil
    add({"action", "state"});               // verbs
    add({"simple", "open"});                // verbs that take another verb or a clause are open
    add({"linking", "ordinary"});           // be hungry, and all others
    add({"impersonal"});                    // it rains
    add({"generic", "specific", "amount"}); // I like dogs, I see the dog
    add({"lasting", "passing"});            // adjectives with ser, with estar
    add({"graded"});                        // adjectives with degrees
    add({"complement"});                    // proud of …
    add({"pronoun", "full"});               // phrases
    add({"middle", "front", "end"});        // adverbs
    add({"indicative", "subjunctive"});     // clauses
}

bool FeatureTable::add(const std::vector<std::string>& names) {
    if (names_.size() + names.size() > most_features) return false;
    std::uint64_t dimension = 0;
    for (const std::string& name : names) {
        dimension |= std::uint64_t(1) << names_.size();
        names_.push_back(name);
    }
    dimensions_.push_back(dimension);
    return true;
}

std::optional<std::uint64_t> FeatureTable::bit(std::string_view name) const {
    const auto at = std::find(names_.begin(), names_.end(), name);
    if (at == names_.end()) return std::nullopt;
    return std::uint64_t(1) << (at - names_.begin());
}

bool FeatureTable::agree(std::uint64_t a, std::uint64_t b) const {
    return std::all_of(dimensions_.begin(), dimensions_.end(), [&](std::uint64_t dimension) {
        return (a & dimension) == 0 || (b & dimension) == 0 || (a & dimension) == (b & dimension);
    });
}

bool FeatureTable::unify(std::uint64_t& to, std::uint64_t with) const {
    if (!agree(to, with)) return false;
    to |= with;
    return true;
}

} // namespace headlight::language
