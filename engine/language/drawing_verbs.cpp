// Verbs with what they take: the lexicon's frames become verb phrases, on either side.
#include "engine/language/drawing.h"

#include <algorithm>

namespace headlight::language {

namespace {

constexpr std::string_view tilde = "~"; // “me~mim”: before a verb, and after a preposition

std::string behind_preposition(const std::string& portuguese) {
    const std::size_t at = portuguese.find(tilde);
    return at == std::string::npos ? portuguese : portuguese.substr(at + 1);
}

std::string before_verb(const std::string& portuguese) { return portuguese.substr(0, portuguese.find(tilde)); }

// “ficar nervoso”: an adjective behind such a verb agrees with the subject.
bool links(const Conjugation& verb) {
    return verb.infinitive == "estar" || verb.infinitive == "ficar" || verb.infinitive == "ser";
}

std::optional<std::array<std::string, 4>> forms_behind_link(const std::string& word, const Lexicon& lexicon) {
    for (const Adjective& adjective : lexicon.adjectives())
        if (adjective.portuguese[0] == word) return adjective.portuguese;
    if (!word.ends_with("ado") && !word.ends_with("ido")) return std::nullopt;
    const std::string stem = word.substr(0, word.size() - 1);
    return std::array{stem + "o", stem + "a", stem + "os", stem + "as"};
}

const std::string& kind_of(const VerbSlot& slot) { return slot.classes.front(); }

bool is_verb_phrase(const VerbSlot& slot) {
    return kind_of(slot) == "do" || kind_of(slot) == "to do" || kind_of(slot) == "doing";
}

bool is_clause(const VerbSlot& slot) {
    return is_verb_phrase(slot) || kind_of(slot) == "that" || kind_of(slot) == "how" || kind_of(slot) == "say"
           || kind_of(slot) == "number";
}

// The last of the words “put [thing] [place] = colocar [thing] em [place]”: English has no preposition of its own
// there, the place brings it along: in the kitchen, at school.
bool is_located(const Verb& verb, std::size_t slot, const Entry& entry) {
    if (entry.arrow != Arrow::both || is_clause(verb.slots[slot])) return false;
    const auto own = [slot](const VerbPiece& piece) { return piece.slot == slot; };
    const auto english = std::find_if(verb.english_rest.begin(), verb.english_rest.end(), own);
    const auto portuguese = std::find_if(verb.portuguese_rest.begin(), verb.portuguese_rest.end(), own);
    const bool bare = english == verb.english_rest.begin() || (english - 1)->slot;
    return bare && portuguese != verb.portuguese_rest.begin() && (portuguese - 1)->word == "em"
           && (kind_of(verb.slots[slot]) == "place" || kind_of(verb.slots[slot]) == "building");
}

} // namespace

std::optional<Value> Drawing::draw_verb(const Slot& slot, const Value* related, std::uint64_t features) {
    const Weighted* group = nullptr;
    if (!slot.word_class.empty()) {
        const auto found = choices_.verbs_in.find(slot.word_class);
        if (found == choices_.verbs_in.end()) return std::nullopt;
        group = &found->second;
    }
    const bool object = slot.relation != Relation::none && slot.relation != Relation::about;
    if (object && !related->leaf) return std::nullopt;
    const auto fits = [&](std::size_t verb) {
        if (object && group != nullptr && !choices_.verbs_with[*related->leaf].has(verb)) return false;
        const Entry& entry = lexicon_.entries()[lexicon_.verbs()[verb].entry];
        if (slot.relation == Relation::without) { // “the book that I read”: what is left out leaves nothing behind
            const Verb& each = lexicon_.verbs()[verb];
            if (!each.portuguese_rest.front().slot || each.english_rest.size() != 1) return false;
        }
        if (slot.relation == Relation::recalling && is_located(lexicon_.verbs()[verb], 0, entry)) return false;
        return grammar_.features.agree(choices_.verb_features[verb], features)
               && (depth_ < 7 || !is(choices_.verb_features[verb], "open"));
    };
    const Weighted* list = is(features, "impersonal") ? &choices_.weather : &choices_.verbs;
    const bool person = related == nullptr || !related->leaf || related->agreement.is_human;
    if (slot.relation == Relation::about && !person) list = &choices_.verbs_of[*related->leaf];
    if (object) list = &choices_.verbs_with[*related->leaf];
    if (group != nullptr) list = group;
    const std::optional<std::size_t> chosen = list->draw(random_, fits);
    if (!chosen) return std::nullopt;
    return fill_verb(*chosen, slot, related);
}

std::optional<Value> Drawing::draw_object(std::size_t verb, std::size_t slot, bool located) {
    const ClassSet& classes = choices_.slot_classes[choices_.first_slot[verb] + slot];
    if (classes.none()) return std::nullopt;
    return draw(*grammar_.find(located ? "located" : "object"), classes,
                choices_.slot_features[choices_.first_slot[verb] + slot]);
}

std::optional<Value> Drawing::fill_verb(std::size_t index, const Slot& slot, const Value* related) {
    const Verb& verb = lexicon_.verbs()[index];
    const Entry& entry = lexicon_.entries()[verb.entry];
    Value value;
    value.verb = &verb;
    value.features = choices_.verb_features[index];
    if (verb.is_reflexive) value.clitic = std::string(1, mark::reflexive);

    std::vector<Value> objects(verb.slots.size());
    std::vector<bool> left_out(verb.slots.size()), located(verb.slots.size());
    const Value* someone = nullptr; // whom one asks to do something
    for (std::size_t i = 0; i < verb.slots.size(); ++i) {
        const VerbSlot& taken = verb.slots[i];
        if (slot.relation == Relation::without) {
            left_out[i] = true;
            continue;
        }
        if (slot.relation == Relation::with) {
            objects[i] = *related;
            continue;
        }
        if (slot.relation == Relation::recalling) {
            constexpr std::string_view pronouns[] = {"o~ele", "a~ela", "os~eles", "as~elas"};
            objects[i].english = said(*related, Language::english, Form::object_pronoun, nullptr, choices_.ser, choices_.estar);
            objects[i].portuguese = pronouns[related->agreement.portuguese_form()];
            continue;
        }
        if (taken.optional && random_.uniform() < 0.25) {
            left_out[i] = true;
            continue;
        }
        std::optional<Value> object;
        if (is_verb_phrase(taken)) {
            object = draw(*grammar_.find("action"), std::nullopt, grammar_.features.of("simple"));
        } else if (kind_of(taken) == "that") {
            object = draw(*grammar_.find("saying"), std::nullopt,
                          verb.is_subjunctive ? *grammar_.features.bit("subjunctive") : *grammar_.features.bit("indicative"));
        } else if (kind_of(taken) == "how") {
            object = draw(*grammar_.find("how"));
        } else if (kind_of(taken) == "say") {
            object = draw(*grammar_.find("quoted"));
        } else if (kind_of(taken) == "number") {
            Slot number;
            number.kind = SlotKind::word;
            number.part = Part::number;
            number.word_class = "cardinal";
            object = draw_word(number, grammar_.features.of("plural"));
        } else {
            located[i] = is_located(verb, i, entry);
            // With a verb behind, the person that does it is one: no personal infinitive is needed.
            const bool acts = std::any_of(verb.slots.begin() + std::ptrdiff_t(i), verb.slots.end(), is_verb_phrase);
            const ClassSet& classes = choices_.slot_classes[choices_.first_slot[index] + i];
            object = acts ? draw(*grammar_.find("object"), classes,
                                 grammar_.features.of("singular") | grammar_.features.of("third"))
                          : draw_object(index, i, located[i]);
        }
        if (!object) return std::nullopt;
        objects[i] = std::move(*object);
        if (!is_clause(taken) && someone == nullptr) someone = &objects[i];
    }
    const auto phrase = [&](std::size_t i, Language language) {
        const bool to = kind_of(verb.slots[i]) == "to do", doing = kind_of(verb.slots[i]) == "doing";
        const Agreement* with = someone != nullptr ? &someone->agreement : nullptr;
        const bool english = language == Language::english;
        const Form form = english ? (doing ? Form::ing : Form::base)
                          : verb.is_subjunctive ? Form::subjunctive
                                                : Form::infinitive;
        const std::string text = said(objects[i], language, form, with, choices_.ser, choices_.estar);
        return (english && to ? "to " : "") + text;
    };

    bool apart = false;
    for (const VerbPiece& piece : verb.english_rest) {
        if (!piece.slot) {
            const bool ones = piece.word == "one's" || piece.word == "its";
            append_words(value.english, ones ? std::string(1, mark::ones) : piece.word);
            continue;
        }
        if (left_out[*piece.slot]) continue;
        const VerbSlot& taken = verb.slots[*piece.slot];
        const std::string text = is_verb_phrase(taken) ? phrase(*piece.slot, Language::english)
                                 : kind_of(taken) == "how"
                                     ? said(objects[*piece.slot], Language::english, Form::plain, nullptr, choices_.ser, choices_.estar)
                                     : objects[*piece.slot].english;
        const bool pronoun = objects[*piece.slot].portuguese.find(tilde) != std::string::npos;
        if (verb.is_apart && pronoun && !apart) { // turn it on
            value.english = text + (value.english.empty() ? "" : " ") + value.english;
            apart = true;
            continue;
        }
        append_words(value.english, text);
    }
    for (std::size_t at = 0; at < verb.portuguese_rest.size(); ++at) {
        const VerbPiece& piece = verb.portuguese_rest[at];
        if (!piece.slot) {
            const auto adjective = at == 0 && links(verb.portuguese) ? forms_behind_link(piece.word, lexicon_) : std::nullopt;
            const bool next_located = piece.word == "em" && at + 1 < verb.portuguese_rest.size()
                                      && verb.portuguese_rest[at + 1].slot && located[*verb.portuguese_rest[at + 1].slot];
            if (!next_located) append_words(value.portuguese, adjective ? mark::forms(*adjective) : piece.word);
            continue;
        }
        const std::size_t i = *piece.slot;
        if (left_out[i]) continue;
        const VerbSlot& taken = verb.slots[i];
        if (is_verb_phrase(taken)) {
            append_words(value.portuguese, phrase(i, Language::portuguese));
            continue;
        }
        if (kind_of(taken) == "how") {
            const Agreement* with = someone != nullptr ? &someone->agreement : nullptr;
            append_words(value.portuguese, said(objects[i], Language::portuguese, Form::plain, with, choices_.ser, choices_.estar));
            continue;
        }
        const std::string& text = objects[i].portuguese;
        const bool pronoun = text.find(tilde) != std::string::npos;
        if (pronoun && at == 0 && value.clitic.empty()) {
            value.clitic = before_verb(text);
            continue;
        }
        append_words(value.portuguese, behind_preposition(text));
    }
    return value;
}

} // namespace headlight::language
