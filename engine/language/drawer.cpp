#include "engine/language/drawer.h"

#include "engine/language/drawing.h"

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

} // namespace headlight::language
