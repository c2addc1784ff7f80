#include "engine/task/story_grammar.h"

#include "engine/io/file.h"
#include "engine/task/plain_text.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <array>
#include <optional>

namespace headlight {

namespace {

constexpr std::array<std::string_view, 3> genders = {"he", "she", "it"};
constexpr std::array<std::array<std::string_view, 4>, 3> pronouns = {
    {{"he", "him", "his", "himself"}, {"she", "her", "her", "herself"}, {"it", "it", "its", "itself"}}};

// Which of he, him, his, himself; nothing of another word.
std::optional<std::size_t> pronoun_form(std::string_view word) {
    const auto found = std::find(pronouns[0].begin(), pronouns[0].end(), word);
    return found == pronouns[0].end() ? std::nullopt
                                      : std::optional(std::size_t(found - pronouns[0].begin()));
}

std::vector<std::string> cells_of(std::string_view line) {
    std::vector<std::string> cells;
    for (const std::string_view part : split_at(line, '|')) cells.emplace_back(trimmed(part));
    return cells;
}

// "Anna (she)" → "Anna", and "she".
std::optional<std::string> take_pronoun(std::string& text) {
    for (const std::string_view gender : genders) {
        const std::string written = " (" + std::string(gender) + ")";
        if (!text.ends_with(written)) continue;
        text.resize(text.size() - written.size());
        return std::string(gender);
    }
    return {};
}

std::string without_article(const std::string& text, std::string_view instead) {
    for (const std::string_view article : {"a ", "an ", "the ", "some "})
        if (text.starts_with(article)) return std::string(instead) + text.substr(article.size());
    return text;
}

// Of the innermost pair of brackets that is closed first: [open, close].
std::optional<std::pair<std::size_t, std::size_t>> innermost(std::string_view text, char open, char close) {
    const std::size_t end = text.find(close);
    if (end == text.npos) return {};
    const std::size_t begin = text.rfind(open, end);
    return begin == text.npos ? std::nullopt : std::optional(std::pair(begin, end));
}

// A sentence begins with a capital letter, whatever was drawn there; not where talk goes on: “"Why?" asked
// Tom.”
std::string with_capitals(std::string text) {
    bool begins = true;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_mark = text[i] == '.' || text[i] == '!' || text[i] == '?';
        if (is_mark) {
            const bool closes = i + 1 < text.size() && text[i + 1] == '"';
            const std::size_t blank = i + (closes ? 2 : 1);
            begins = blank < text.size() && text[blank] == ' '
                     && (!closes || (blank + 1 < text.size() && text[blank + 1] == '"'));
            if (begins) i = blank;
        } else if (text[i] != '"') {
            if (begins && text[i] >= 'a' && text[i] <= 'z') text[i] = char(text[i] - 'a' + 'A');
            begins = false;
        }
    }
    return text;
}

} // namespace

// One story as it is told: what was drawn, by the names of its slots.
class StoryGrammar::Telling {
public:
    Telling(const StoryGrammar& grammar, Random& random) : grammar_(grammar), random_(random) {}

    // The line of a mistake, or nothing. Paragraphs behind it, the title first.
    std::optional<std::size_t> tell(const std::vector<Line>& story, std::vector<std::string>& told) {
        // First come all slots that draw, also those behind the first use of their pronoun.
        for (const Line& line : story)
            if (!bind(line.text)) return line.number;
        for (const Line& line : story) {
            std::optional<std::string> filled = fill(line.text);
            if (!filled) return line.number;
            told.push_back(*std::move(filled));
        }
        return {};
    }

private:
    bool bind(std::string_view line) {
        while (const auto slot = innermost(line, '{', '}')) {
            const std::string inside(line.substr(slot->first + 1, slot->second - slot->first - 1));
            line.remove_prefix(slot->second + 1);
            const std::size_t equals = inside.find('=');
            if (equals == inside.npos) continue;
            const std::string left = lowercase(inside.substr(0, equals));
            const std::vector<std::string_view> parts = split_at(left, '.');
            const bool of_first = parts.size() == 2 && parts[0] != "the" && parts[0] != "bare";
            const std::string key(of_first ? parts.front() : parts.back());
            const auto list = grammar_.lists_.find(lowercase(inside.substr(equals + 1)));
            if (list == grammar_.lists_.end()) return false;
            if (find(key)) continue;
            std::vector<const Entry*> free;
            for (const Entry& entry : list->second)
                if (std::none_of(bound_.begin(), bound_.end(),
                                 [&](const auto& one) { return one.second->text == entry.text; }))
                    free.push_back(&entry);
            if (free.empty()) return false;
            bound_.emplace_back(key, free[std::size_t(random_.below(Index(free.size())))]);
        }
        return true;
    }

    std::optional<std::string> fill(std::string line) {
        while (const auto choice = innermost(line, '[', ']')) {
            const auto [begin, end] = *choice;
            const std::string inside = line.substr(begin + 1, end - begin - 1);
            const std::vector<std::string_view> parts = split_at(inside, '|');
            line.replace(begin, end - begin + 1, parts[std::size_t(random_.below(Index(parts.size())))]);
        }
        constexpr int most = 200; // an entry may itself hold slots, but not for ever
        for (int i = 0; const auto slot = innermost(line, '{', '}'); ++i) {
            const auto [begin, end] = *slot;
            const std::optional<std::string> said = say(line.substr(begin + 1, end - begin - 1));
            if (!said || i == most) return {};
            line.replace(begin, end - begin + 1, *said);
        }
        return with_capitals(std::move(line));
    }

    const Entry* find(std::string_view key) const {
        for (const auto& [name, entry] : bound_)
            if (name == key) return entry;
        return nullptr;
    }
    // "himself" of whom the entry is.
    static std::string pronoun(const Entry& entry, std::size_t form) {
        const auto gender = std::find(genders.begin(), genders.end(), entry.pronoun);
        return std::string(pronouns[std::size_t(gender - genders.begin())][form]);
    }

    std::optional<std::string> say(const std::string& inside) const {
        const std::size_t equals = inside.find('=');
        const auto is_big = [&](std::size_t at) {
            return at < inside.size() && inside[at] >= 'A' && inside[at] <= 'Z';
        };
        const bool big = is_big(0) || (equals != inside.npos && is_big(equals + 1));
        const std::string left = lowercase(inside.substr(0, equals));
        const std::vector<std::string_view> parts = split_at(left, '.');
        const std::optional<std::string> said = say(parts);
        return said && big ? with_capital(*said) : said;
    }
    std::optional<std::string> say(const std::vector<std::string_view>& parts) const {
        const std::optional<std::size_t> first = pronoun_form(parts.front()),
                                         last = pronoun_form(parts.back());
        if (parts.size() == 1) {
            if (const Entry* entry = find(parts[0])) return entry->text;
            for (const auto& [name, entry] : bound_)
                if (first && entry->pronoun != "it") return pronoun(*entry, *first);
            return {};
        }
        if (parts.size() != 2) return {};
        const Entry *one = find(parts[0]), *other = find(parts[1]);
        if (first && other) return pronoun(*other, *first);
        if (last && one) return pronoun(*one, *last);
        if (parts[0] == "bare" && other) return without_article(other->text, "");
        if (parts[0] == "the" && other) return without_article(other->text, "the ");
        if (!one) return {};
        const auto column = one->columns.find(parts[1]);
        return column == one->columns.end() ? std::nullopt : std::optional(column->second);
    }

    const StoryGrammar& grammar_;
    Random& random_;
    std::vector<std::pair<std::string, const Entry*>> bound_; // in the order in which they were drawn
};

bool StoryGrammar::add_entry(Entries& entries, const std::string& pronoun,
                             const std::vector<std::string>& columns, std::string_view line) const {
    if (line.starts_with("+ ")) {
        const auto other = lists_.find(line.substr(2));
        if (other == lists_.end() || &other->second == &entries) return false;
        entries.insert(entries.end(), other->second.begin(), other->second.end());
        return true;
    }
    std::vector<std::string> cells = cells_of(line);
    if (cells.size() != columns.size() + 1) return false;
    Entry entry{std::move(cells.front()), pronoun, {}};
    if (auto own = take_pronoun(entry.text)) entry.pronoun = *std::move(own);
    for (std::size_t i = 0; i < columns.size(); ++i) entry.columns[columns[i]] = cells[i + 1];
    entries.push_back(std::move(entry));
    return true;
}

Result<StoryGrammar> StoryGrammar::read(const std::string& file) {
    constexpr Index most_bytes = 4 << 20;
    const Result<std::string> text = read_file(file, most_bytes);
    if (!text) return text.error();
    if (!is_valid_utf8(*text)) return Error{"error.text_not_utf8", {file}};
    StoryGrammar grammar;
    Entries* entries = nullptr; // of the present list; else lines belong to the last story
    std::string pronoun;
    std::vector<std::string> columns;
    std::size_t number = 0;
    for (const std::string_view line : split_at(*text, '\n')) {
        ++number;
        const Error mistake{"error.story_line", {file, std::to_string(number)}};
        if (trimmed(line).empty() || line.starts_with("#")) continue;
        if (line.front() == ' ') {
            if (entries) {
                if (!grammar.add_entry(*entries, pronoun, columns, trimmed(line))) return mistake;
            } else if (!grammar.stories_.empty()) {
                grammar.stories_.back().push_back({std::string(trimmed(line)), number});
            } else {
                return mistake;
            }
        } else if (line.starts_with("list ")) {
            columns = cells_of(line.substr(5));
            std::string name = columns.front();
            columns.erase(columns.begin());
            pronoun = take_pronoun(name).value_or("it");
            if (name.empty() || grammar.lists_.contains(name)) return mistake;
            entries = &grammar.lists_[name];
        } else if (line.starts_with("story ")) {
            entries = nullptr;
            grammar.stories_.emplace_back();
        } else {
            return mistake;
        }
    }
    constexpr std::uint64_t times = 8;
    for (const std::vector<Line>& story : grammar.stories_)
        for (std::uint64_t seed = 0; seed < times; ++seed) {
            Random random(seed);
            std::vector<std::string> told;
            if (const auto line = Telling(grammar, random).tell(story, told))
                return Error{"error.story_line", {file, std::to_string(*line)}};
        }
    return grammar;
}

std::vector<std::string> StoryGrammar::draw(Random& random) const {
    std::vector<std::string> told;
    if (stories_.empty()) return told;
    const std::vector<Line>& story = stories_[std::size_t(random.below(Index(stories_.size())))];
    (void)Telling(*this, random).tell(story, told); // tried when it was read
    if (!told.empty()) told.erase(told.begin());
    return told;
}

} // namespace headlight
