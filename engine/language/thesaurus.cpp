#include "engine/language/thesaurus.h"

#include "engine/base/lasting.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <cmath>

namespace headlight::language {

namespace {

// Of classes that join more than so many others the members have little in common: things, places.
constexpr std::size_t most_joined = 8;
constexpr std::string_view joins_anything = "topic"; // what one talks about
constexpr double lines_of_a_file = 10'000;
// Of what two kinds of adjectives describe so much must be common.
constexpr double enough_described = 0.5;
// Of a verb's objects: one that may be left out and the other verb does not have; one of the same heading
// that is of another class (eat, drink).
constexpr double no_object = 0.05, other_object = 0.02;
constexpr double less_common = 0.01; // for each power of ten of the weight: as much as a hundred lines
constexpr double other_sex = 0.1;
// A word has the meanings that are at most so many times rarer than its commonest: “like” is a verb, not what
// is counted below a picture.
constexpr double much_rarer = 3;
constexpr std::size_t quarter = 4;

// Others of their kind say something else: “if” is no word for “because”.
bool has_none_like_it(const Entry& entry) {
    return entry.part == Part::conjunction || entry.part == Part::question || entry.part == Part::auxiliary
           || entry.part == Part::interjection || entry.part == Part::contraction
           || entry.word_class == "relative";
}

// Of which others may be found under other headings.
bool is_open(Part part) {
    return part == Part::noun || part == Part::verb || part == Part::adjective || part == Part::adverb;
}

bool is_one_heading(const Entry& a, const Entry& b) {
    return a.part == b.part && a.word_class == b.word_class && a.file == b.file;
}

double lines_between(const Entry& a, const Entry& b) {
    return std::abs(double(a.line) - double(b.line)) / lines_of_a_file;
}

// A word that is one of these and something else (Portuguese “para”) is nearly always one of these.
bool is_closed(Part part) {
    return part == Part::preposition || part == Part::determiner || part == Part::pronoun
           || part == Part::conjunction;
}

std::vector<std::string> fixed_words(const std::vector<VerbPiece>& pieces) {
    std::vector<std::string> words;
    for (const VerbPiece& piece : pieces)
        if (!piece.slot) words.push_back(piece.word);
    return words;
}

} // namespace

Result<Thesaurus> Thesaurus::read(const std::string& folder) {
    Result<Lexicon> lexicon = Lexicon::read(folder);
    if (!lexicon) return lexicon.error();
    return Thesaurus(*std::move(lexicon));
}

Thesaurus::Thesaurus(Lexicon lexicon)
    : lexicon_(std::move(lexicon)), verb_of_(lexicon_.entries().size()), genders_(lexicon_.entries().size()) {
    add_nouns();
    add_verbs();
    add_adjectives();
    add_others();
    const auto note = [&](const std::string& name) {
        const std::optional<std::vector<std::size_t>> all = lexicon_.leaves_of(name);
        if (!all) return;
        Leaves& leaves = leaves_[name];
        leaves.assign(lexicon_.leaf_count(), false);
        for (const std::size_t leaf : *all) leaves[leaf] = true;
    };
    for (const std::string& name : lexicon_.joined_classes()) {
        note(name);
        const Leaves& all = leaves(name);
        const std::size_t size = std::size_t(std::count(all.begin(), all.end(), true));
        if (size <= most_joined && name != joins_anything) joined_.emplace_back(name, size);
    }
    std::stable_sort(joined_.begin(), joined_.end(),
                     [](const auto& a, const auto& b) { return a.second < b.second; });
    for (std::size_t i = 0; i < lexicon_.leaf_count(); ++i) note(lexicon_.leaf_name(i));
}

void Thesaurus::add(Side side, const std::string& word, Form form) {
    if (word.empty()) return;
    std::vector<Form>& all = forms_[side][lowercase(word)];
    if (std::find(all.begin(), all.end(), form) == all.end()) all.push_back(form);
}

void Thesaurus::add_nouns() {
    for (const Noun& noun : lexicon_.nouns()) {
        add(english, noun.singular, {noun.entry, 0});
        add(english, noun.plural, {noun.entry, 1});
        genders_[noun.entry] = std::uint8_t(noun.has_gender(false) + 2 * noun.has_gender(true));
        for (std::size_t i = 0; i < noun.portuguese.size(); ++i)
            add(portuguese, noun.portuguese[i], {noun.entry, i});
    }
}

void Thesaurus::add_verbs() {
    for (std::size_t v = 0; v < lexicon_.verbs().size(); ++v) {
        const Verb& verb = lexicon_.verbs()[v];
        verb_of_[verb.entry] = v;
        const EnglishVerb& e = verb.english;
        std::size_t kind = 0;
        for (const std::string* form : {&e.base, &e.past, &e.participle, &e.ing, &e.s})
            add(english, *form, {verb.entry, kind++});
        const Conjugation& p = verb.portuguese;
        kind = 0;
        for (const auto& tense : p.finite)
            for (const std::string& form : tense) add(portuguese, form, {verb.entry, kind++});
        for (const std::string* form : {&p.infinitive, &p.gerund, &p.imperative})
            add(portuguese, *form, {verb.entry, kind++});
        for (const std::string& form : p.participles) add(portuguese, form, {verb.entry, kind});
    }
}

void Thesaurus::add_adjectives() {
    for (const Adjective& adjective : lexicon_.adjectives()) {
        std::size_t kind = 0;
        for (const std::string* form : {&adjective.english, &adjective.comparative, &adjective.superlative})
            add(english, *form, {adjective.entry, kind++});
        kind = 0;
        for (const std::string& form : adjective.portuguese) add(portuguese, form, {adjective.entry, kind++});
    }
}

// What is not inflected, as it is written: “este|esta/estes|estas”.
void Thesaurus::add_others() {
    for (std::size_t i = 0; i < lexicon_.entries().size(); ++i) {
        const Entry& entry = lexicon_.entries()[i];
        if (entry.part == Part::noun || entry.part == Part::verb || entry.part == Part::adjective
            || entry.part == Part::name)
            continue;
        for (const auto& [side, written] :
             {std::pair(english, &entry.english), std::pair(portuguese, &entry.portuguese)}) {
            std::vector<std::string> slots;
            const std::string words = notation::take_names(*written, '[', ']', slots);
            std::size_t kind = 0;
            for (const std::string& numbers : notation::split(words, '/'))
                for (const std::string& genders : notation::split(numbers, '|')) {
                    for (const std::string& form : notation::split(genders, ',')) add(side, form, {i, kind});
                    ++kind;
                }
        }
    }
}

const std::vector<Thesaurus::Form>& Thesaurus::forms(Side side, std::string_view word) const {
    static const std::vector<Form>& none = lasting(std::vector<Form>());
    const auto found = forms_[side].find(lowercase(word));
    return found == forms_[side].end() ? none : found->second;
}

std::vector<Thesaurus::Form> Thesaurus::common_forms(Side side, std::string_view word) const {
    std::vector<Form> all = forms(side, word);
    double most = 0;
    for (const Form& form : all) most = std::max(most, lexicon_.entries()[form.entry].weight);
    const auto entry = [this](const Form& form) -> const Entry& { return lexicon_.entries()[form.entry]; };
    const bool is_small_word = std::any_of(all.begin(), all.end(), [&](const Form& form) {
        return is_closed(entry(form).part) && entry(form).weight == most;
    });
    const auto is_meant_less = [&](const Form& form) {
        return entry(form).weight * much_rarer < most || (is_small_word && !is_closed(entry(form).part));
    };
    all.erase(std::remove_if(all.begin(), all.end(), is_meant_less), all.end());
    return all;
}

Thesaurus::Known Thesaurus::known(const std::vector<std::string>& words) const {
    Known known;
    std::array<std::size_t, 2> counts{};
    for (const std::string& word : words) {
        Known::Word one{word, {common_forms(english, word), common_forms(portuguese, word)}};
        for (const Side side : {english, portuguese}) counts[side] += !one.forms[side].empty();
        known.words.push_back(std::move(one));
    }
    for (const Side side : {english, portuguese})
        known.speaks[side] = counts[side] * quarter > words.size() && 2 * counts[side] > counts[1 - side];
    return known;
}

bool Thesaurus::has(std::string_view word, const Known& known) const {
    return (known.speaks[english] && !forms(english, word).empty())
           || (known.speaks[portuguese] && !forms(portuguese, word).empty());
}

bool Thesaurus::are_of_one_word(std::string_view a, std::string_view b, const Known& known) const {
    for (const Side side : {english, portuguese}) {
        if (!known.speaks[side]) continue;
        for (const Form& one : forms(side, a))
            for (const Form& other : forms(side, b))
                if (one.entry == other.entry) return true;
    }
    return false;
}

const Thesaurus::Leaves& Thesaurus::leaves(const std::string& name) const {
    static const Leaves& none = lasting(Leaves());
    const auto found = leaves_.find(name);
    return found == leaves_.end() ? none : found->second;
}

double Thesaurus::overlap(const std::vector<std::string>& a, const std::vector<std::string>& b) const {
    if (a == b) return 1;
    Leaves in_a(lexicon_.leaf_count()), in_b = in_a;
    const auto mark = [&](const std::vector<std::string>& names, Leaves& in) {
        for (const std::string& name : names) {
            const Leaves& its = leaves(name);
            for (std::size_t i = 0; i < its.size(); ++i)
                if (its[i]) in[i] = true;
        }
    };
    mark(a, in_a);
    mark(b, in_b);
    double both = 0, either = 0;
    for (std::size_t i = 0; i < in_a.size(); ++i) {
        both += in_a[i] && in_b[i];
        either += in_a[i] || in_b[i];
    }
    return either > 0 ? both / either : 0;
}

std::optional<double> Thesaurus::between_nouns(std::size_t x, std::size_t y) const {
    const Entry &a = lexicon_.entries()[x], &b = lexicon_.entries()[y];
    const std::optional<std::size_t> in_a = lexicon_.leaf(a.word_class), in_b = lexicon_.leaf(b.word_class);
    if (!in_a || !in_b) return {};
    const bool is_other = genders_[x] != 0 && genders_[y] != 0 && (genders_[x] & genders_[y]) == 0;
    for (const auto& [name, size] : joined_)
        if (const Leaves& all = leaves(name); all[*in_a] && all[*in_b])
            return double(size) / 100 + (is_other ? other_sex : 0);
    return {};
}

std::optional<double> Thesaurus::between_adjectives(const Entry& a, const Entry& b) const {
    const double common = overlap(a.described, b.described);
    return common < enough_described ? std::nullopt : std::optional(1 - common);
}

std::optional<double> Thesaurus::between_verbs(const Verb& a, const Verb& b, Side side) const {
    if (fixed_words(side == english ? a.english_rest : a.portuguese_rest)
        != fixed_words(side == english ? b.english_rest : b.portuguese_rest))
        return {};
    if (a.is_be != b.is_be || a.is_impersonal != b.is_impersonal || a.is_reflexive != b.is_reflexive)
        return {};
    const bool is_near = is_one_heading(lexicon_.entries()[a.entry], lexicon_.entries()[b.entry]);
    double common = overlap(a.subject, b.subject);
    for (std::size_t i = 0; i < std::max(a.slots.size(), b.slots.size()); ++i) {
        if (i >= a.slots.size() || i >= b.slots.size()) {
            if (!(i < a.slots.size() ? a : b).slots[i].optional) return {};
            common *= no_object;
            continue;
        }
        const std::vector<std::string>&in_a = a.slots[i].classes, &in_b = b.slots[i].classes;
        const double its = overlap(in_a, in_b);
        const bool are_nouns = !leaves(in_a.front()).empty() && !leaves(in_b.front()).empty();
        common *= its > 0 || !is_near || !are_nouns ? its : other_object;
    }
    return common > 0 ? std::optional(1 - common) : std::nullopt;
}

std::optional<double> Thesaurus::distance(Side side, const Form& x, const Form& y) const {
    const Entry &a = lexicon_.entries()[x.entry], &b = lexicon_.entries()[y.entry];
    const auto kind_of_word = [](Part part) { return part == Part::name ? Part::noun : part; };
    const Part part = kind_of_word(a.part);
    if (part != kind_of_word(b.part) || has_none_like_it(a) || has_none_like_it(b)) return {};
    // Portuguese nouns: another gender is no other kind, but the words around it are of the first.
    const bool only_number = side == portuguese && part == Part::noun;
    if (only_number ? x.kind / 2 != y.kind / 2 : x.kind != y.kind) return {};
    double less = less_common * (2 - std::log10(b.weight));
    if (only_number && x.kind != y.kind) less += 0.5;
    const bool is_near = is_one_heading(a, b);
    if ((is_near || is_open(part))
        && (side == english ? a.portuguese == b.portuguese : a.english == b.english))
        return less;
    if (is_near) less += lines_between(a, b);
    std::optional<double> apart = 0;
    if (part == Part::verb)
        apart = between_verbs(lexicon_.verbs()[verb_of_[x.entry]], lexicon_.verbs()[verb_of_[y.entry]], side);
    else if (!is_near)
        apart = part == Part::noun        ? between_nouns(x.entry, y.entry)
                : part == Part::adjective ? between_adjectives(a, b)
                                          : std::nullopt;
    if (!apart) return {};
    return (is_near ? 1 : 2) + *apart + less;
}

std::vector<std::string> Thesaurus::instead_of(std::string_view word, const Known& known,
                                               std::size_t n) const {
    std::vector<std::pair<double, std::size_t>> found; // and place among the known ones
    std::array<std::vector<Form>, 2> asked;
    for (const Side side : {english, portuguese})
        if (known.speaks[side]) asked[side] = common_forms(side, word);
    for (std::size_t place = 0; place < known.words.size(); ++place) {
        std::optional<double> nearest;
        for (const Side side : {english, portuguese})
            for (const Form& its : asked[side])
                for (const Form& form : known.words[place].forms[side])
                    if (const std::optional<double> apart = distance(side, its, form))
                        nearest = std::min(nearest.value_or(*apart), *apart);
        if (nearest && lowercase(known.words[place].word) != lowercase(word))
            found.emplace_back(*nearest, place);
    }
    std::sort(found.begin(), found.end());
    std::vector<std::string> words;
    for (std::size_t i = 0; i < std::min(n, found.size()); ++i)
        words.push_back(known.words[found[i].second].word);
    return words;
}

} // namespace headlight::language
