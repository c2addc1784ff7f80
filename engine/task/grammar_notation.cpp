#include "engine/task/grammar.h"
#include "engine/task/plain_text.h"

#include <algorithm>

namespace headlight::grammar::notation {

namespace {

struct FoundArrow {
    std::size_t begin, size;
    Arrow arrow;
};

// Arrows stand between blanks (or at an end), so that "=" inside a word would be a letter like any other.
std::vector<FoundArrow> find_arrows(std::string_view line) {
    std::vector<FoundArrow> found;
    for (std::size_t begin = 0; begin < line.size();) {
        const std::size_t end = std::min(line.find(' ', begin), line.size());
        const std::string_view word = line.substr(begin, end - begin);
        if (word == "=") found.push_back({begin, 1, Arrow::both});
        if (word == "=>") found.push_back({begin, 2, Arrow::to_portuguese});
        if (word == "<=") found.push_back({begin, 2, Arrow::to_english});
        begin = end + 1;
    }
    return found;
}

} // namespace

void Place::fail(std::string key, std::vector<std::string> details) const {
    std::vector<std::string> arguments{file, std::to_string(line)};
    arguments.insert(arguments.end(), details.begin(), details.end());
    throw Fault{{std::move(key), std::move(arguments)}};
}

std::vector<Line> logical_lines(std::string_view text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    std::vector<Line> lines;
    std::size_t number = 0;
    for (std::string_view raw : split_at(text, '\n')) {
        ++number;
        const std::string_view content = trimmed(raw);
        if (content.empty() || content.front() == '#') continue;
        std::string line(content);
        std::replace(line.begin(), line.end(), '\t', ' ');
        const std::vector<FoundArrow> arrows = find_arrows(line);
        const bool continues = !arrows.empty() && arrows.front().begin == 0 && !lines.empty();
        if (continues)
            lines.back().text += " " + line;
        else
            lines.push_back({std::move(line), number});
    }
    return lines;
}

bool has_arrow(std::string_view line) { return !find_arrows(line).empty(); }

Sides split_sides(std::string_view line, const Place& place) {
    const std::vector<FoundArrow> arrows = find_arrows(line);
    if (arrows.empty()) place.fail("error.grammar_no_arrow", {std::string(line)});
    if (arrows.size() > 1) place.fail("error.grammar_two_arrows", {std::string(line)});
    const FoundArrow& arrow = arrows.front();
    const Sides sides{{trimmed(line.substr(0, arrow.begin)), trimmed(line.substr(arrow.begin + arrow.size))},
                      arrow.arrow};
    if (sides.text.english.empty() || sides.text.portuguese.empty())
        place.fail("error.grammar_empty_side", {std::string(line)});
    return sides;
}

Forms parse_forms(std::string_view text, const Place& place) {
    const std::vector<std::string_view> numbers = split_at(text, '/');
    if (numbers.size() > 2) place.fail("error.grammar_forms", {std::string(text)});
    Forms forms;
    forms.is_single = text.find_first_of("|/") == std::string_view::npos;
    for (std::size_t number = 0; number < numbers.size(); ++number) {
        const std::vector<std::string_view> genders = split_at(numbers[number], '|');
        if (genders.size() > 2) place.fail("error.grammar_forms", {std::string(text)});
        for (std::size_t gender = 0; gender < 2; ++gender) {
            const std::string_view form = trimmed(genders[std::min(gender, genders.size() - 1)]);
            if (form.empty()) place.fail("error.grammar_forms", {std::string(text)});
            forms.by_agreement[2 * number + gender] = std::string(form);
        }
    }
    return forms;
}

std::optional<std::size_t> find_list(const Grammar& grammar, std::string_view name) {
    for (std::size_t i = 0; i < grammar.lists.size(); ++i)
        if (grammar.lists[i].name == name) return i;
    return std::nullopt;
}

// Reading a phrase: text, {slot}, {slot.column}, {slot:noun}, {o|a:noun}, and the proof that whatever is
// drawn for its slots can agree.

namespace {

constexpr std::array<const char*, 4> articles{"o", "a", "os", "as"};

class PhraseReader {
public:
    PhraseReader(const Grammar& grammar, const Line& line)
        : grammar_(grammar), place_{grammar.file, line.number} {}

    Phrase read(std::string_view text) {
        const Sides sides = split_sides(text, place_);
        phrase_.arrow = sides.arrow;
        phrase_.line = place_.line;
        for (Language language : {Language::english, Language::portuguese})
            read_side(sides.text.in(language), language);
        for (std::size_t slot = 0; slot < phrase_.slots.size(); ++slot)
            if (!shows(slot, Language::english) || !shows(slot, Language::portuguese))
                place_.fail("error.grammar_one_sided_slot", {list_of(slot).name});
        return std::move(phrase_);
    }

private:
    const WordList& list_of(std::size_t slot) const { return grammar_.lists[phrase_.slots[slot]]; }

    bool shows(std::size_t slot, Language language) const {
        const std::vector<Piece>& pieces = phrase_.pieces.in(language);
        return std::any_of(pieces.begin(), pieces.end(),
                           [&](const Piece& piece) { return piece.slot == slot; });
    }

    void read_side(std::string_view text, Language language) {
        while (!text.empty()) {
            const std::size_t open = text.find('{');
            add_text(text.substr(0, open), language);
            if (open == std::string_view::npos) return;
            const std::size_t close = text.find('}', open);
            if (close == std::string_view::npos)
                place_.fail("error.grammar_open_brace", {std::string(text.substr(open))});
            add_slot(text.substr(open + 1, close - open - 1), language);
            text.remove_prefix(close + 1);
        }
    }

    void add_text(std::string_view text, Language language) {
        if (text.find('}') != std::string_view::npos)
            place_.fail("error.grammar_stray_brace", {std::string(text)});
        if (text.empty()) return;
        Piece piece;
        piece.forms.by_agreement[0] = std::string(text);
        phrase_.pieces.in(language).push_back(std::move(piece));
    }

    // What stands between braces: "animal", "who.speak", "feeling:animal", "o|a:animal".
    void add_slot(std::string_view text, Language language) {
        const std::vector<std::string_view> halves = split_at(text, ':');
        if (halves.size() > 2 || trimmed(halves[0]).empty())
            place_.fail("error.grammar_slot", {std::string(text)});
        Piece piece;
        if (halves.size() == 2) piece.agrees_with = slot_of(trimmed(halves[1]));
        const std::string_view what = trimmed(halves[0]);
        if (what.find_first_of("|/") != std::string_view::npos) {
            if (!piece.agrees_with) place_.fail("error.grammar_agrees_with_nothing", {std::string(text)});
            piece.forms = parse_forms(what, place_);
            check_agreement(piece.forms, std::string(what), *piece.agrees_with);
        } else {
            read_word(piece, what, language);
        }
        phrase_.pieces.in(language).push_back(std::move(piece));
    }

    void read_word(Piece& piece, std::string_view what, Language language) {
        const std::vector<std::string_view> names = split_at(what, '.');
        piece.slot = slot_of(names[0]);
        const WordList& list = list_of(*piece.slot);
        if (names.size() > 2) place_.fail("error.grammar_slot", {std::string(what)});
        if (names.size() == 2) piece.column = column_of(list, names[1], language);
        for (const Entry& entry : list.entries) {
            const Forms& forms = entry.columns.in(language)[piece.column];
            if (piece.agrees_with)
                check_agreement(forms, forms.single(), *piece.agrees_with);
            else if (!forms.is_single)
                place_.fail("error.grammar_agrees_with_nothing", {std::string(what)});
        }
    }

    std::size_t slot_of(std::string_view name) {
        const std::optional<std::size_t> list = find_list(grammar_, name);
        if (!list) place_.fail("error.grammar_unknown_list", {std::string(name)});
        const auto known = std::find(phrase_.slots.begin(), phrase_.slots.end(), *list);
        if (known != phrase_.slots.end()) return std::size_t(known - phrase_.slots.begin());
        if (grammar_.lists[*list].entries.empty())
            place_.fail("error.grammar_empty_list", {std::string(name)});
        phrase_.slots.push_back(*list);
        return phrase_.slots.size() - 1;
    }

    std::size_t column_of(const WordList& list, std::string_view name, Language language) const {
        const std::vector<std::string>& names = list.column_names.in(language);
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end()) place_.fail("error.grammar_unknown_column", {list.name, std::string(name)});
        return std::size_t(found - names.begin()) + 1;
    }

    void check_agreement(const Forms& forms, const std::string& shown, std::size_t slot) const {
        for (const Entry& noun : list_of(slot).entries) {
            const std::string& word = noun.columns.portuguese[0].single();
            if (!noun.agreement)
                place_.fail("error.grammar_no_article",
                            {shown, word, list_of(slot).name, std::to_string(noun.line)});
            if (!forms.has(*noun.agreement))
                place_.fail("error.grammar_missing_form",
                            {shown, word, articles[std::size_t(*noun.agreement)]});
        }
    }

    const Grammar& grammar_;
    Place place_;
    Phrase phrase_;
};

} // namespace

Phrase parse_phrase(const Line& line, const Grammar& grammar) {
    return PhraseReader(grammar, line).read(line.text);
}

} // namespace headlight::grammar::notation
