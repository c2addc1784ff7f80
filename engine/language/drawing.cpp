#include "engine/language/drawing.h"

#include <algorithm>

namespace headlight::language {

namespace {

// Deeper than this, whatever ends soonest is drawn.
constexpr std::size_t most_depth = 9;
constexpr int tries = 6;

// “muito com fome” is not said: what begins with a preposition has no degrees.
bool has_degrees(const Adjective& adjective) {
    const std::string& portuguese = adjective.portuguese[0];
    return !adjective.comparative.empty() && !is_portuguese_preposition(portuguese.substr(0, portuguese.find(' ')));
}

} // namespace

std::optional<Value> Drawing::draw(const Rule& rule, std::optional<ClassSet> classes, std::uint64_t features) {
    if (!classes) classes = rule.classes;
    std::size_t least = 1000;
    double total = 0;
    const auto fits = [&](const Alternative& alternative) {
        return serves(alternative.arrow, direction_) && grammar_.features.agree(alternative.features, features)
               && (!alternative.classes || !classes || grammar_.narrowed(*classes, *alternative.classes).any());
    };
    for (const Alternative& alternative : rule.alternatives)
        if (fits(alternative)) least = std::min(least, alternative.height);
    const std::size_t limit = depth_ < most_depth ? 1000 : least;
    for (const Alternative& alternative : rule.alternatives)
        if (alternative.height <= limit && fits(alternative)) total += alternative.weight;
    if (total == 0) return std::nullopt;
    ++depth_;
    std::optional<Value> value;
    for (int i = 0; i < tries && !value; ++i) {
        double at = random_.uniform() * total;
        const Alternative* chosen = nullptr;
        for (const Alternative& alternative : rule.alternatives) {
            if (alternative.height > limit || !fits(alternative)) continue;
            chosen = &alternative;
            at -= alternative.weight;
            if (at < 0) break;
        }
        value = expand(*chosen, classes, features);
    }
    --depth_;
    return value;
}

std::optional<Value> Drawing::expand(const Alternative& alternative, std::optional<ClassSet> classes,
                                     std::uint64_t features) {
    if (alternative.classes) classes = classes ? grammar_.narrowed(*classes, *alternative.classes) : *alternative.classes;
    const std::uint64_t wanted = features | alternative.features;
    Values values;
    values.reserve(alternative.slots.size());
    std::optional<std::size_t> head;
    for (std::size_t i = 0; i < alternative.slots.size(); ++i) {
        const Slot& slot = alternative.slots[i];
        std::uint64_t of_slot = slot.features;
        if (slot.is_head) {
            head = i;
            if (!grammar_.features.unify(of_slot, wanted)) return std::nullopt;
        }
        std::optional<ClassSet> within = slot.classes;
        if (slot.is_head && classes) {
            const ClassSet both = within ? grammar_.narrowed(*classes, *within) : *classes;
            if (both.any()) within = both;
        }
        std::optional<Value> value = draw_slot(slot, values, within, of_slot);
        if (!value) return std::nullopt;
        values.push_back(std::move(*value));
    }
    Value whole;
    if (head) {
        const Value& own = values[*head];
        whole.agreement = own.agreement;
        whole.features = own.features | wanted;
        whole.leaf = own.leaf;
        // A verb that is said in no form yet is inflected by whoever uses the phrase.
        const auto is_bare = [&](const RulePiece& piece) { return piece.slot == head && piece.form == Form::plain; };
        const bool bare = own.verb != nullptr
                          && std::any_of(alternative.english.begin(), alternative.english.end(), is_bare);
        if (bare) {
            whole.verb = own.verb;
            whole.clitic = own.clitic;
            whole.english_before = own.english_before;
            whole.portuguese_before = own.portuguese_before;
            whole.english = text_of(alternative.english, values, Language::english, head, &whole.english_before);
            whole.portuguese = text_of(alternative.portuguese, values, Language::portuguese, head, &whole.portuguese_before);
            return whole;
        }
        whole.noun = own.noun;
        whole.is_phrase = own.is_phrase || alternative.english.size() > 1;
    } else {
        whole.features = wanted;
        set_agreement(whole, alternative, values);
    }
    whole.english = text_of(alternative.english, values, Language::english, std::nullopt, nullptr);
    whole.portuguese = text_of(alternative.portuguese, values, Language::portuguese, std::nullopt, nullptr);
    if (!head && (is(alternative.features, "first") || is(alternative.features, "second"))) { // wash your hands
        whole.english = mark::resolved(whole.english, whole.agreement);
        whole.portuguese = mark::resolved(whole.portuguese, whole.agreement);
    }
    return whole;
}

// `around`: of a bare verb, what stands before and behind it.
std::string Drawing::text_of(const std::vector<RulePiece>& pieces, const Values& values, Language language,
                             std::optional<std::size_t> around, std::string* before) const {
    std::string text;
    for (const RulePiece& piece : pieces) {
        const Agreement* with = piece.agrees ? &values[*piece.agrees].agreement : nullptr;
        if (around && piece.slot == around) {
            std::string front = std::move(text);
            append_words(front, *before);
            *before = std::move(front);
            text = language == Language::english ? values[*around].english : values[*around].portuguese;
        } else if (piece.slot) {
            append_words(text, said(values[*piece.slot], language, piece.form, with, choices_.ser, choices_.estar));
        } else if (!piece.forms.empty()) {
            append_words(text, form_written(piece.forms, language, with));
        } else {
            append_words(text, piece.text);
        }
    }
    return text;
}

// In Portuguese I, you and they have a gender that English does not tell: a source may be either, a target is mostly
// masculine.
bool Drawing::feminine_unless_said() {
    return random_.uniform() < (direction_ == Direction::english_to_portuguese ? 0.12 : 0.5);
}

void Drawing::set_agreement(Value& value, const Alternative& alternative, const Values& values) {
    Agreement& agreement = value.agreement;
    agreement.person = is(value.features, "first") ? 1 : is(value.features, "second") ? 2 : 3;
    agreement.plural = agreement.portuguese_plural = is(value.features, "plural");
    bool all_feminine = !values.empty(), all_things = !values.empty();
    for (std::size_t i = 0; i < values.size(); ++i) {
        all_feminine = all_feminine && values[i].agreement.feminine;
        all_things = all_things && !values[i].agreement.is_human;
        if (!value.leaf) value.leaf = values[i].leaf;
        if (values[i].agreement.person < agreement.person && is(value.features, "plural")
            && alternative.slots[i].kind == SlotKind::rule)
            agreement.person = values[i].agreement.person;
    }
    agreement.is_human = !all_things;
    if (!value.leaf && agreement.is_human) value.leaf = lexicon_.leaf("people");
    agreement.feminine = is(value.features, "feminine")    ? true
                         : is(value.features, "masculine") ? false
                         : values.empty()                  ? feminine_unless_said()
                                                           : all_feminine;
}

std::optional<Value> Drawing::draw_slot(const Slot& slot, const Values& before, std::optional<ClassSet> classes,
                                        std::uint64_t features) {
    const Value* related = slot.relation == Relation::none ? nullptr : &before[slot.related];
    if (slot.relation == Relation::like) // of the same gender: “Ana is my aunt”
        features |= grammar_.features.of(related->agreement.feminine ? "feminine" : "masculine");
    switch (slot.kind) {
    case SlotKind::rule: return draw(grammar_.rules[slot.rule], classes, features);
    case SlotKind::noun:
        if (!classes) {
            const auto any = grammar_.objects.find("any");
            classes = any != grammar_.objects.end() ? any->second.classes : ClassSet().set();
        }
        return draw_noun(*classes, features);
    case SlotKind::verb: return draw_verb(slot, related, features);
    case SlotKind::adjective: return draw_adjective(slot, related, features);
    case SlotKind::word: return draw_word(slot, features);
    case SlotKind::figure: { // what is copied: mostly small
        Value value;
        value.english = value.portuguese = std::to_string(2 + random_.below(random_.below(4) == 0 ? 98 : 29));
        value.features = grammar_.features.of("plural");
        return value;
    }
    }
    return std::nullopt;
}

std::optional<Value> Drawing::draw_noun(const ClassSet& classes, std::uint64_t features) {
    double total = 0;
    for (std::size_t leaf = 0; leaf < choices_.nouns.size(); ++leaf)
        if (classes[leaf]) total += choices_.nouns[leaf].total();
    if (total == 0) return std::nullopt;
    double at = random_.uniform() * total;
    std::size_t leaf = 0;
    for (std::size_t i = 0; i < choices_.nouns.size(); ++i) {
        if (!classes[i] || choices_.nouns[i].empty()) continue;
        leaf = i;
        at -= choices_.nouns[i].total();
        if (at < 0) break;
    }
    const bool wants_plural = is(features, "plural"), wants_singular = is(features, "singular");
    const auto countable = [](const Noun& noun) { return !noun.is_uncountable && !noun.singular.empty() && !noun.has_the; };
    const std::optional<std::size_t> chosen = choices_.nouns[leaf].draw(random_, [&](std::size_t i) {
        const Noun& noun = lexicon_.nouns()[i];
        if (wants_plural && noun.plural.empty()) return false;
        if (wants_singular && noun.singular.empty()) return false;
        if (is(features, "countable") && !countable(noun)) return false;
        if (is(features, "uncountable") && (!noun.is_uncountable || noun.singular.empty())) return false;
        if (is(features, "feminine") && !noun.has_gender(true)) return false;
        if (is(features, "masculine") && !noun.has_gender(false)) return false;
        if (is(features, "named") || is(features, "common"))
            return is(features, "named") == (noun.is_uncountable && !noun.english_article);
        return true;
    });
    if (!chosen) return std::nullopt;
    const Noun& noun = lexicon_.nouns()[*chosen];
    Value value;
    value.noun = &noun;
    leaf = *lexicon_.leaf(lexicon_.entries()[noun.entry].word_class); // not that of a group
    value.leaf = leaf;
    Agreement& agreement = value.agreement;
    agreement.plural = wants_plural || noun.singular.empty()
                       || (!wants_singular && !noun.plural.empty() && random_.uniform() < 0.3);
    const bool both = noun.has_gender(true) && noun.has_gender(false);
    agreement.feminine = is(features, "feminine")    ? true
                         : is(features, "masculine") ? false
                         : both                      ? feminine_unless_said()
                                                     : noun.has_gender(true);
    const bool has_singular = !noun.portuguese[agreement.feminine].empty();
    const bool has_plural = !noun.portuguese[2 + agreement.feminine].empty();
    // Some exist in one number only: as costas, a calça for pants.
    agreement.portuguese_plural = (agreement.plural && !noun.singular.empty() && has_plural) || !has_singular;
    agreement.is_human = choices_.people[leaf];
    value.english = agreement.plural ? noun.plural : noun.singular;
    value.portuguese = noun.portuguese[agreement.portuguese_form()];
    value.features = grammar_.features.of(agreement.plural ? "plural" : "singular") | grammar_.features.of("third")
                     | grammar_.features.of(agreement.feminine ? "feminine" : "masculine")
                     | grammar_.features.of(countable(noun) ? "countable" : "uncountable")
                     | grammar_.features.of(noun.is_uncountable && !noun.english_article ? "named" : "common");
    return value;
}

std::optional<Value> Drawing::draw_adjective(const Slot& slot, const Value* related, std::uint64_t features) {
    const Weighted* list = nullptr;
    if (related != nullptr && related->leaf && slot.word_class.empty()) {
        list = &choices_.adjectives[*related->leaf];
    } else {
        const auto found = choices_.adjectives_in.find(slot.word_class.empty() ? "feeling" : slot.word_class);
        if (found != choices_.adjectives_in.end()) list = &found->second;
    }
    if (list == nullptr) return std::nullopt;
    const bool complement = is(features, "complement");
    const std::optional<std::size_t> chosen = list->draw(random_, [&](std::size_t i) {
        const Adjective& adjective = lexicon_.adjectives()[i];
        return adjective.takes.empty() != complement && (!is(features, "graded") || has_degrees(adjective))
               && !(is(features, "lasting") && adjective.is_estar) && !(is(features, "passing") && !adjective.is_estar);
    });
    if (!chosen) return std::nullopt;
    Value value;
    value.adjective = &lexicon_.adjectives()[*chosen];
    value.features = features;
    if (!complement) return value;
    ClassSet set;
    for (const std::string& name : value.adjective->takes)
        if (const auto any = grammar_.objects.find("any"); name == "any" && any != grammar_.objects.end())
            set |= any->second.classes;
        else if (const auto leaves = lexicon_.leaves_of(name))
            for (const std::size_t leaf : *leaves) set.set(leaf);
    const std::optional<Value> object = draw(*grammar_.find("object"), set, grammar_.features.of("specific"));
    if (!object) return std::nullopt;
    value.english = value.adjective->preposition + " " + object->english;
    const std::size_t tilde = object->portuguese.find('~');
    value.portuguese = value.adjective->portuguese_preposition + " "
                       + (tilde == std::string::npos ? object->portuguese : object->portuguese.substr(tilde + 1));
    return value;
}

std::optional<Value> Drawing::draw_word(const Slot& slot, std::uint64_t features) {
    const auto list = choices_.words.find({slot.part, slot.word_class});
    if (list == choices_.words.end()) return std::nullopt;
    const std::optional<std::size_t> chosen = list->second.draw(random_, [&](std::size_t i) {
        const Entry& entry = lexicon_.entries()[i];
        const bool one = entry.english == "one" || entry.english == "zero";
        if (slot.part == Part::number) return !(is(features, "plural") && one);
        // What stands behind a word counts, not the heading's: “also (middle)” below “adverbs sentence (front)”.
        for (auto at = entry.english_features.rbegin(); at != entry.english_features.rend(); ++at)
            for (const char* place : {"front", "middle", "end"})
                if (*at == place) return !is(features, "front") || is(features, place);
        return true;
    });
    if (!chosen) return std::nullopt;
    const Entry& entry = lexicon_.entries()[*chosen];
    Value value;
    value.english = entry.english.substr(0, entry.english.find_first_of("/|"));
    const std::vector<std::string> numbers = notation::split(entry.portuguese, '/');
    for (std::size_t i = 0; i < 4; ++i) {
        const std::vector<std::string> genders = notation::split(numbers[std::min(i / 2, numbers.size() - 1)], '|');
        value.portuguese_forms[i] = genders[std::min(i % 2, genders.size() - 1)];
    }
    value.portuguese = value.portuguese_forms[0];
    value.features = features;
    return value;
}

} // namespace headlight::language
