#include "engine/task/grammar.h"

#include "engine/io/file.h"
#include "engine/task/grammar.h"
#include "engine/task/plain_text.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <charconv>

namespace headlight::grammar {

namespace {

using namespace notation;

// "words animal" → "animal", when the line begins with that word.
std::optional<std::string_view> after(std::string_view word, std::string_view line) {
    if (!line.starts_with(word) || line.size() == word.size() || line[word.size()] != ' ')
        return std::nullopt;
    return trimmed(line.substr(word.size()));
}

std::vector<std::string> split_names(std::string_view text, char separator) {
    std::vector<std::string> names;
    for (std::string_view part : split_at(text, separator))
        if (const std::string_view name = trimmed(part); !name.empty()) names.emplace_back(name);
    return names;
}

// "o gato" → "gato", masculine.
std::optional<Agreement> take_article(std::string_view& noun) {
    constexpr std::array<std::string_view, 4> articles{"o ", "a ", "os ", "as "};
    for (std::size_t i = 0; i < articles.size(); ++i) {
        if (!noun.starts_with(articles[i])) continue;
        noun = trimmed(noun.substr(articles[i].size()));
        return Agreement(i);
    }
    return std::nullopt;
}

class GrammarReader {
public:
    GrammarReader(const std::string& file, const Grammar& known) {
        grammar_.file = file;
        grammar_.lists = known.lists;
    }

    Grammar read(std::string_view text) {
        for (const Line& line : logical_lines(text)) read_line(line);
        finish_block();
        if (grammar_.blocks.empty()) place(1).fail("error.grammar_no_phrases");
        return std::move(grammar_);
    }

private:
    enum class Inside { nothing, words, phrases };

    struct Hold {
        std::vector<std::string> lists;
        std::size_t line;
    };

    Place place(std::size_t line) const { return {grammar_.file, line}; }

    void read_line(const Line& line) {
        const bool is_pair = has_arrow(line.text) && !line.text.starts_with("words ");
        if (const auto heading = after("words", line.text); heading && !is_pair)
            return begin_words(*heading, line);
        if (const auto heading = after("phrases", line.text); heading && !is_pair)
            return begin_phrases(*heading, line);
        if (inside_ == Inside::nothing) place(line.number).fail("error.grammar_outside", {line.text});
        if (inside_ == Inside::words) return read_word(line);
        if (const auto share = after("share", line.text); share && !is_pair) return read_share(*share, line);
        if (const auto hold = after("hold", line.text); hold && !is_pair) {
            holds_.push_back({split_names(*hold, ' '), line.number});
            return;
        }
        grammar_.blocks.back().phrases.push_back(parse_phrase(line, grammar_));
    }

    // "who (speak, am = falo, estou)": the name, and names for the columns after the first.
    void begin_words(std::string_view heading, const Line& line) {
        finish_block();
        inside_ = Inside::words;
        WordList list;
        list.line = line.number;
        const std::size_t open = heading.find('(');
        list.name = std::string(trimmed(heading.substr(0, open)));
        if (list.name.empty() || list.name.find_first_of(" .:|/{}") != std::string::npos)
            place(line.number).fail("error.grammar_list_name", {list.name});
        if (const auto known = find_list(grammar_, list.name))
            place(line.number)
                .fail("error.grammar_list_twice", {list.name, std::to_string(grammar_.lists[*known].line)});
        if (open != std::string_view::npos) {
            const std::string_view columns = heading.substr(open);
            const std::size_t equals = columns.find('=');
            if (columns.back() != ')' || equals == std::string_view::npos)
                place(line.number).fail("error.grammar_columns_heading", {std::string(columns)});
            list.column_names.english = split_names(columns.substr(1, equals - 1), ',');
            list.column_names.portuguese =
                split_names(columns.substr(equals + 1, columns.size() - equals - 2), ',');
        }
        grammar_.lists.push_back(std::move(list));
    }

    void begin_phrases(std::string_view name, const Line& line) {
        finish_block();
        inside_ = Inside::phrases;
        PhraseBlock block;
        block.name = std::string(name);
        block.line = line.number;
        grammar_.blocks.push_back(std::move(block));
    }

    void read_word(const Line& line) {
        WordList& list = grammar_.lists.back();
        if (const auto other = after("+", line.text)) return include(list, *other, line);
        const Place here = place(line.number);
        const Sides sides = split_sides(line.text, here);
        Entry entry;
        entry.arrow = sides.arrow;
        entry.line = line.number;
        entry.columns.english = read_columns(sides.text.english, list, Language::english, here);
        std::string_view portuguese = sides.text.portuguese;
        entry.agreement = take_article(portuguese);
        entry.columns.portuguese = read_columns(portuguese, list, Language::portuguese, here);
        list.entries.push_back(std::move(entry));
    }

    std::vector<Forms> read_columns(std::string_view text, const WordList& list, Language language,
                                    const Place& here) const {
        // In a list of one column a comma is a comma.
        const std::size_t expected = 1 + list.column_names.in(language).size();
        if (expected == 1) return {parse_forms(text, here)};
        std::vector<Forms> columns;
        for (std::string_view column : split_at(text, ','))
            columns.push_back(parse_forms(trimmed(column), here));
        if (columns.size() != expected)
            here.fail("error.grammar_column_count", {std::string(text), std::to_string(columns.size()),
                                                     list.name, std::to_string(expected)});
        return columns;
    }

    // "+ other": all words of another list too.
    void include(WordList& list, std::string_view name, const Line& line) {
        const std::optional<std::size_t> other = find_list(grammar_, name);
        if (!other || &grammar_.lists[*other] == &list)
            place(line.number).fail("error.grammar_unknown_list", {std::string(name)});
        const WordList& from = grammar_.lists[*other];
        if (from.column_names.english != list.column_names.english
            || from.column_names.portuguese != list.column_names.portuguese)
            place(line.number).fail("error.grammar_other_columns", {from.name, list.name});
        list.entries.insert(list.entries.end(), from.entries.begin(), from.entries.end());
    }

    void read_share(std::string_view text, const Line& line) {
        constexpr std::size_t largest = 1000;
        std::size_t& share = grammar_.blocks.back().share;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), share);
        if (error != std::errc() || end != text.data() + text.size() || share == 0 || share > largest)
            place(line.number).fail("error.grammar_share", {std::string(text), std::to_string(largest)});
    }

    // A hold counts for the phrases of its block that have all of its slots; at least one must.
    void finish_block() {
        if (inside_ != Inside::phrases) return;
        PhraseBlock& block = grammar_.blocks.back();
        if (block.phrases.empty()) place(block.line).fail("error.grammar_empty_block", {block.name});
        for (const Hold& hold : holds_) {
            const bool served = std::count_if(block.phrases.begin(), block.phrases.end(),
                                              [&](Phrase& phrase) { return apply(hold, phrase); })
                                > 0;
            if (!served) place(hold.line).fail("error.grammar_hold_unused", {block.name});
        }
        holds_.clear();
    }

    bool apply(const Hold& hold, Phrase& phrase) const {
        std::vector<std::size_t> slots;
        for (const std::string& name : hold.lists) {
            const std::optional<std::size_t> list = find_list(grammar_, name);
            if (!list) place(hold.line).fail("error.grammar_unknown_list", {name});
            const auto slot = std::find(phrase.slots.begin(), phrase.slots.end(), *list);
            if (slot == phrase.slots.end()) return false;
            slots.push_back(std::size_t(slot - phrase.slots.begin()));
        }
        phrase.holds.push_back(std::move(slots));
        return true;
    }

    Grammar grammar_;
    Inside inside_ = Inside::nothing;
    std::vector<Hold> holds_; // of the block being read
};

std::size_t line_of_invalid_utf8(std::string_view text) {
    std::size_t number = 1;
    for (std::string_view line : split_at(text, '\n')) {
        if (!is_valid_utf8(line)) return number;
        ++number;
    }
    return 0;
}

} // namespace

bool serves(Arrow arrow, Direction direction) {
    if (arrow == Arrow::both) return true;
    return (arrow == Arrow::to_portuguese) == (direction == Direction::english_to_portuguese);
}

Result<Grammar> parse(std::string_view text, const std::string& file, const Grammar& known) {
    if (const std::size_t line = line_of_invalid_utf8(text))
        return Error{"error.grammar_not_utf8", {file, std::to_string(line)}};
    try {
        return GrammarReader(file, known).read(text);
    } catch (const Fault& fault) {
        return fault.error;
    }
}

Result<Grammar> read(const std::string& path, const Grammar& known) {
    constexpr Index most_bytes = 4 << 20;
    const Result<std::string> text = read_file(path, most_bytes);
    if (!text) return text.error();
    return parse(*text, path, known);
}

} // namespace headlight::grammar
