#include "engine/language/sentence_grammar.h"

#include <algorithm>

namespace headlight::language {

namespace {

constexpr std::pair<std::string_view, Form> form_names[] = {
    {"base", Form::base},
    {"present", Form::present},
    {"past", Form::past},
    {"ing", Form::ing},
    {"participle", Form::participle},
    {"not-present", Form::not_present},
    {"not-past", Form::not_past},
    {"ask-present", Form::ask_present},
    {"ask-past", Form::ask_past},
    {"asked", Form::asked},
    {"infinitive", Form::infinitive},
    {"imperfect", Form::imperfect},
    {"gerund", Form::gerund},
    {"subjunctive", Form::subjunctive},
    {"past-subjunctive", Form::past_subjunctive},
    {"future-subjunctive", Form::future_subjunctive},
    {"conditional", Form::conditional},
    {"imperative", Form::imperative},
    {"comparative", Form::comparative},
    {"superlative", Form::superlative},
    {"superlative-front", Form::superlative_front},
    {"superlative-behind", Form::superlative_behind},
    {"front", Form::front},
    {"behind", Form::behind},
    {"é", Form::is},
    {"era", Form::was},
    {"ser", Form::to_be},
    {"seja", Form::be_subjunctive},
    {"the", Form::article},
    {"o", Form::article},
    {"in", Form::place},
    {"he", Form::subject_pronoun},
    {"him", Form::object_pronoun},
    {"his", Form::possessive}};

constexpr std::pair<std::string_view, Relation> relation_names[] = {{"for", Relation::about},
                                                                    {"with", Relation::with},
                                                                    {"without", Relation::without},
                                                                    {"recalling", Relation::recalling},
                                                                    {"like", Relation::like}};

constexpr std::pair<std::string_view, Part> word_names[] = {{"adverb", Part::adverb},
                                                            {"number", Part::number},
                                                            {"interjection", Part::interjection},
                                                            {"question", Part::question},
                                                            {"determiner", Part::determiner},
                                                            {"preposition", Part::preposition},
                                                            {"conjunction", Part::conjunction}};

std::string_view without_digits(std::string_view name) {
    while (!name.empty() && name.back() >= '0' && name.back() <= '9') name.remove_suffix(1);
    return name;
}

std::vector<std::vector<std::string>> written_forms(std::string_view text) {
    std::vector<std::vector<std::string>> forms;
    for (const std::string& part : notation::split(text, '/')) forms.push_back(notation::split(part, '|'));
    return forms;
}

} // namespace

Result<Done> RuleReader::read(const notation::Sides& sides, Alternative& into) {
    into_ = &into;
    if (const Result<Done> done = read_side(sides.english, into.english); !done) return done;
    const std::size_t english = into.slots.size();
    if (const Result<Done> done = read_side(sides.portuguese, into.portuguese); !done) return done;
    if (into.slots.size() > english)
        return place_.error("error.sentences_one_side", {into.slots.back().name});
    // What is said on one side only would make the other say something else.
    for (std::size_t i = 0; i < into.slots.size(); ++i) {
        const auto uses = [i](const RulePiece& piece) { return piece.slot == i || piece.agrees == i; };
        const bool other = std::any_of(into.slots.begin(), into.slots.end(), [&](const Slot& slot) {
            return slot.relation != Relation::none && slot.related == i;
        });
        if (!other && std::none_of(into.portuguese.begin(), into.portuguese.end(), uses)
            && std::find(related_.begin(), related_.end(), into.slots[i].name) == related_.end())
            return place_.error("error.sentences_one_side", {into.slots[i].name});
    }
    // A verb that agrees in one place does so in all: “is brushing her teeth”.
    for (std::size_t i = 0; i < into.slots.size(); ++i) {
        std::optional<std::size_t> subject;
        for (const std::vector<RulePiece>* side : {&into.english, &into.portuguese})
            for (const RulePiece& piece : *side)
                if (piece.slot == i && piece.agrees && !subject) subject = piece.agrees;
        if (into.slots[i].kind != SlotKind::verb) continue;
        for (std::vector<RulePiece>* side : {&into.english, &into.portuguese})
            for (RulePiece& piece : *side)
                if (piece.slot == i && !piece.agrees) piece.agrees = subject;
    }
    return order_slots(into);
}

// A slot that is drawn for another is drawn after it.
Result<Done> RuleReader::order_slots(Alternative& alternative) const {
    std::vector<std::size_t> order; // old numbers
    std::vector<Slot>& slots = alternative.slots;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (related_[i].empty()) continue;
        const auto at = std::find_if(slots.begin(), slots.end(),
                                     [&](const Slot& slot) { return slot.name == related_[i]; });
        if (at == slots.end()) return place_.error("error.sentences_related", {related_[i]});
        slots[i].related = std::size_t(at - slots.begin());
    }
    std::vector<bool> done(slots.size());
    while (order.size() < slots.size()) {
        const std::size_t before = order.size();
        for (std::size_t i = 0; i < slots.size(); ++i)
            if (!done[i] && (slots[i].relation == Relation::none || done[slots[i].related])) {
                done[i] = true;
                order.push_back(i);
            }
        if (order.size() == before) return place_.error("error.sentences_related", {slots.front().name});
    }
    std::vector<std::size_t> now(slots.size());
    std::vector<Slot> ordered;
    for (std::size_t i = 0; i < order.size(); ++i) {
        now[order[i]] = i;
        ordered.push_back(slots[order[i]]);
    }
    for (Slot& slot : ordered) slot.related = now[slot.related];
    for (std::vector<RulePiece>* side : {&alternative.english, &alternative.portuguese})
        for (RulePiece& piece : *side) {
            if (piece.slot) piece.slot = now[*piece.slot];
            if (piece.agrees) piece.agrees = now[*piece.agrees];
        }
    slots = std::move(ordered);
    return Done{};
}

Result<Done> RuleReader::read_side(std::string_view text, std::vector<RulePiece>& pieces) {
    while (!(text = notation::trimmed(text)).empty()) {
        RulePiece piece;
        if (text.front() != '{') {
            const std::size_t end = std::min(text.find_first_of(" {"), text.size());
            piece.text = text.substr(0, end);
            text.remove_prefix(end);
            if (piece.text.find('}') != std::string::npos) return place_.error("error.sentences_open", {piece.text});
        } else {
            const std::size_t end = text.find('}');
            if (end == std::string_view::npos) return place_.error("error.sentences_open", {std::string(text)});
            if (const Result<Done> done = read_braces(text.substr(1, end - 1), piece); !done) return done;
            text.remove_prefix(end + 1);
        }
        pieces.push_back(std::move(piece));
    }
    return Done{};
}

// "*np(person)[singular] for noun.present:subject"
Result<RuleReader::Braces> RuleReader::take_apart(std::string_view inside) const {
    Braces braces;
    std::string rest = notation::take_names(inside, '(', ')', braces.classes);
    rest = notation::take_names(rest, '[', ']', braces.features);
    if (const std::size_t colon = rest.find(':'); colon != std::string::npos) {
        braces.agrees = notation::trimmed(std::string_view(rest).substr(colon + 1));
        rest = notation::trimmed(std::string_view(rest).substr(0, colon));
    }
    if (rest.starts_with('*')) {
        braces.is_head = true;
        rest.erase(0, 1);
    }
    if (const std::size_t dot = rest.find('.'); dot != std::string::npos) {
        braces.form = notation::trimmed(std::string_view(rest).substr(dot + 1));
        rest = notation::trimmed(std::string_view(rest).substr(0, dot));
    }
    const std::vector<std::string> words = words_of(rest);
    if (words.size() != 1 && words.size() != 3) return place_.error("error.sentences_slot", {std::string(inside)});
    braces.name = words.front();
    if (words.size() == 3) {
        braces.relation = words[1];
        braces.related = words[2];
    }
    return braces;
}

Result<Done> RuleReader::read_braces(std::string_view inside, RulePiece& piece) {
    const std::string_view written = inside.substr(0, inside.find(':'));
    const std::string name(notation::trimmed(written));
    const auto named = forms_.find(name);
    if (named != forms_.end() || written.find_first_of("|/") != std::string_view::npos) {
        piece.forms = written_forms(named != forms_.end() ? std::string_view(named->second) : written);
        if (piece.forms.size() > 4) return place_.error("error.sentences_slot", {std::string(inside)});
        const std::string with(written.size() == inside.size() ? "" : notation::trimmed(inside.substr(written.size() + 1)));
        const auto slot = std::find_if(into_->slots.begin(), into_->slots.end(),
                                       [&](const Slot& each) { return each.name == with; });
        if (slot != into_->slots.end())
            piece.agrees = std::size_t(slot - into_->slots.begin());
        else if (!with.empty()) {
            // English may name what comes later in the sentence: "Is {np} …".
            Braces later;
            later.name = with;
            const Result<std::size_t> made = slot_of(later);
            if (!made) return place_.error("error.sentences_agrees", {std::string(inside)});
            piece.agrees = *made;
        }
        return Done{};
    }
    const Result<Braces> braces = take_apart(inside);
    if (!braces) return braces.error();
    const Result<std::size_t> slot = slot_of(*braces);
    if (!slot) return slot.error();
    piece.slot = *slot;
    if (!braces->form.empty()) {
        const auto form = std::find_if(std::begin(form_names), std::end(form_names),
                                       [&](const auto& each) { return each.first == braces->form; });
        if (form == std::end(form_names)) return place_.error("error.sentences_form", {braces->form});
        piece.form = form->second;
    }
    if (!braces->agrees.empty()) {
        Braces other;
        other.name = braces->agrees;
        const Result<std::size_t> with = slot_of(other);
        if (!with) return with.error();
        piece.agrees = *with;
    }
    return Done{};
}

// The slot of this name, which is made where it first stands; what it is asked for may stand at any of its places.
Result<std::size_t> RuleReader::slot_of(const Braces& braces) {
    const std::string kind(without_digits(braces.name));
    auto at = std::find_if(into_->slots.begin(), into_->slots.end(),
                           [&](const Slot& slot) { return slot.name == braces.name; });
    if (at == into_->slots.end()) {
        Slot slot;
        slot.name = braces.name;
        const auto word = std::find_if(std::begin(word_names), std::end(word_names),
                                       [&](const auto& each) { return each.first == kind; });
        if (const auto rule = grammar_.rule_at.find(kind); rule != grammar_.rule_at.end()) {
            slot.kind = SlotKind::rule;
            slot.rule = rule->second;
        } else if (kind == "noun") {
            slot.kind = SlotKind::noun;
        } else if (kind == "verb") {
            slot.kind = SlotKind::verb;
        } else if (kind == "adjective") {
            slot.kind = SlotKind::adjective;
        } else if (kind == "figure") {
            slot.kind = SlotKind::figure;
        } else if (word != std::end(word_names)) {
            slot.kind = SlotKind::word;
            slot.part = word->second;
        } else {
            return place_.error("error.sentences_unknown", {kind});
        }
        into_->slots.push_back(std::move(slot));
        related_.emplace_back();
        at = into_->slots.end() - 1;
    }
    const std::size_t index = std::size_t(at - into_->slots.begin());
    Slot& slot = *at;
    slot.is_head = slot.is_head || braces.is_head;
    if (!braces.features.empty()) {
        const Result<std::uint64_t> bits = features_named(braces.features, grammar_.features, place_);
        if (!bits) return bits.error();
        slot.features |= *bits;
    }
    if (!braces.classes.empty()) {
        if (slot.kind == SlotKind::word || slot.kind == SlotKind::adjective || slot.kind == SlotKind::verb) {
            slot.word_class = braces.classes.front();
            const auto& entries = lexicon_.entries();
            const bool group = (slot.kind == SlotKind::verb && grammar_.verb_groups.contains(slot.word_class))
                               || (slot.kind == SlotKind::adjective
                                   && grammar_.adjective_groups.contains(slot.word_class));
            if (!group && std::none_of(entries.begin(), entries.end(), [&](const Entry& entry) {
                    return entry.word_class == slot.word_class
                           && entry.part == (slot.kind == SlotKind::word ? slot.part : slot.kind == SlotKind::verb ? Part::verb : Part::adjective);
                }))
                return place_.error("error.sentences_class", {slot.word_class});
        } else {
            const Result<ClassSet> set = classes_named(braces.classes, lexicon_, grammar_, place_);
            if (!set) return set.error();
            slot.classes = *set;
        }
    }
    if (!braces.relation.empty()) {
        const auto relation = std::find_if(std::begin(relation_names), std::end(relation_names),
                                           [&](const auto& each) { return each.first == braces.relation; });
        if (relation == std::end(relation_names)) return place_.error("error.sentences_slot", {braces.relation});
        slot.relation = relation->second;
        related_[index] = braces.related;
        // What it is drawn for may stand only here: {verb with np} says the np itself.
        Braces other;
        other.name = braces.related;
        if (const Result<std::size_t> made = slot_of(other); !made) return made.error();
    }
    return index;
}

} // namespace headlight::language
