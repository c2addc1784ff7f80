#include "engine/language/drawing.h"

#include <algorithm>

namespace headlight::language {

struct Drawer::Choices : language::Choices {
    using language::Choices::Choices;
};

Drawer::Drawer(std::shared_ptr<const Lexicon> lexicon, SentenceGrammar grammar, Direction direction)
    : lexicon_(std::move(lexicon)), grammar_(std::move(grammar)), direction_(direction), wording_(*lexicon_),
      choices_(std::make_unique<const Choices>(*lexicon_, grammar_, direction)) {}

Drawer::Drawer(Drawer&&) noexcept = default;
Drawer::~Drawer() = default;

namespace {

// “I see me”, “did you call you”: nobody says so.
bool is_about_itself(const std::string& english) {
    bool i = false, we = false, me = false, us = false;
    int you = 0;
    for (std::string word : words_of(english)) {
        while (!word.empty() && std::string_view(".,?!").find(word.back()) != std::string_view::npos) word.pop_back();
        const std::string_view bare = std::string_view(word).substr(0, word.find('\''));
        i = i || bare == "I";
        we = we || bare == "we" || bare == "We";
        me = me || bare == "me";
        us = us || bare == "us" || bare == "ours";
        you += bare == "you" || bare == "You";
    }
    return ((i || we) && (me || us)) || you > 1;
}

} // namespace

DrawnPair Drawer::draw(Random& random) const { return draw("sentence", random); }

DrawnPair Drawer::draw(std::string_view rule, Random& random) const {
    const Rule* start = grammar_.find(rule);
    if (start == nullptr) return {};
    // A target says what is usual; a source may write out what is mostly contracted.
    constexpr double written_out = 0.15;
    constexpr int tries = 50;
    DrawnPair pair;
    for (int i = 0; i < tries; ++i) {
        Drawing drawing(*lexicon_, grammar_, *choices_, direction_, random);
        const std::optional<Value> value = drawing.draw(*start);
        if (!value) continue;
        const bool contracted = direction_ == Direction::portuguese_to_english || random.uniform() > written_out;
        const Agreement nobody;
        const std::string english = said(*value, Language::english, Form::plain, &nobody, choices_->ser, choices_->estar);
        const std::string portuguese =
            said(*value, Language::portuguese, Form::plain, &nobody, choices_->ser, choices_->estar);
        pair = {wording_.english(english, contracted), wording_.portuguese(portuguese)};
        if (is_about_itself(pair.english)) continue;
        if (words_of(pair.english).size() <= most_words && words_of(pair.portuguese).size() <= most_words) break;
    }
    return pair;
}

namespace {

bool is_punctuation(std::string_view word) {
    return !word.empty() && std::string_view(".,!?;:'").find(word.front()) != std::string_view::npos;
}

// As it is spoken: an hour, a university.
bool begins_with_vowel_sound(std::string_view word) {
    constexpr std::string_view vowels_that_are_none[] = {"uni", "use", "usu", "usef", "euro", "one", "once", "ukulele", "U"};
    constexpr std::string_view consonants_that_are_none[] = {"hour", "honest", "honor", "heir", "X-ray"};
    const auto begins = [word](std::string_view start) { return word.starts_with(start); };
    if (word.starts_with("unin") || word.starts_with("unim") || word.starts_with("unil")) return true; // uninteresting
    if (std::any_of(std::begin(vowels_that_are_none), std::end(vowels_that_are_none), begins)) return false;
    if (word.starts_with("Euro")) return false;
    if (std::any_of(std::begin(consonants_that_are_none), std::end(consonants_that_are_none), begins)) return true;
    return !word.empty() && std::string_view("aeiouAEIO").find(word.front()) != std::string_view::npos;
}

// Of the letters that begin a word of the two languages: ASCII, and the accented ones from à to þ.
std::string capitalized(std::string text) {
    if (text.empty()) return text;
    if (text.front() >= 'a' && text.front() <= 'z') text.front() = char(text.front() - 'a' + 'A');
    const bool accented = text.size() > 1 && text.front() == '\xC3' && static_cast<unsigned char>(text[1]) >= 0xA0;
    if (accented) text[1] = char(text[1] - 0x20);
    return text;
}

std::string written(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        if (!text.empty() && !is_punctuation(word)) text += ' ';
        text += word;
    }
    return capitalized(text);
}

const char* article_before(std::string_view possessive) {
    for (const std::string_view stem : {"meu", "noss"}) {
        if (!possessive.starts_with(stem)) continue;
        const std::string_view end = possessive.substr(stem.size());
        if (stem == "meu") return end.empty() ? "o" : end == "s" ? "os" : nullptr;
        return end == "o" ? "o" : end == "a" ? "a" : end == "os" ? "os" : end == "as" ? "as" : nullptr;
    }
    return possessive == "minha" ? "a" : possessive == "minhas" ? "as" : nullptr;
}

} // namespace

Wording::Wording(const Lexicon& lexicon) {
    for (const Entry& entry : lexicon.entries()) {
        if (entry.part != Part::contraction) continue;
        // Its two sides are what stands apart and what is written together, in one language.
        const std::size_t plus = entry.english.find(" + ");
        if (plus == std::string::npos) continue;
        const std::string first = entry.english.substr(0, plus);
        const std::vector<std::string> second = notation::forms_in_order(std::string_view(entry.english).substr(plus + 3));
        const std::vector<std::string> together = notation::forms_in_order(entry.portuguese);
        auto& table = entry.word_class == "english" ? english_ : portuguese_;
        for (std::size_t i = 0; i < second.size() && i < together.size(); ++i)
            table[first + " " + second[i]] = together[i];
    }
}

std::string Wording::portuguese(std::string_view text) const {
    std::vector<std::string> words;
    for (std::string& word : words_of(text)) {
        // “vai ir ao cinema” is said “vai ao cinema”.
        const bool goes = word == "ir" && !words.empty()
                          && (words.back() == "vou" || words.back() == "vai" || words.back() == "vamos" || words.back() == "vão");
        if (goes) continue;
        // “meu” stands without an article, but not behind what would be contracted with one: do meu, na minha.
        if (const char* article = article_before(word); article != nullptr && !words.empty()) {
            const auto both = portuguese_.find(words.back() + " " + article);
            if (both != portuguese_.end()) words.back() = both->second;
        }
        const auto found = words.empty() ? portuguese_.end() : portuguese_.find(words.back() + " " + word);
        if (found == portuguese_.end()) {
            words.push_back(std::move(word));
            continue;
        }
        words.pop_back();
        for (std::string& part : words_of(found->second)) words.push_back(std::move(part));
    }
    return written(words);
}

std::string Wording::english(std::string_view text, bool contracted) const {
    std::vector<std::string> all = words_of(text), words;
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::string word = all[i];
        const bool marked = word.ends_with('~');
        if (marked) word.pop_back();
        const bool last = i + 1 == all.size() || is_punctuation(all[i + 1]);
        const bool possible = contracted && !words.empty() && (!last || word == "not")
                              && (word != "have" || marked);
        // “he is not” is said “he isn't”: what follows comes first.
        const bool before_not = i + 1 < all.size() && all[i + 1] == "not" && word != "am";
        const auto found = possible && !before_not ? english_.find(words.back() + " " + word) : english_.end();
        if (found == english_.end()) {
            words.push_back(std::move(word));
            continue;
        }
        words.back() = found->second;
    }
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
        if (words[i] == "a" && begins_with_vowel_sound(words[i + 1])) words[i] = "an";
    return written(words);
}

} // namespace headlight::language
