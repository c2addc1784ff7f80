#include "engine/task/drawn_pairs.h"

namespace headlight {

Result<std::unique_ptr<DrawnPairs>> DrawnPairs::open(const std::string& assets, Direction direction) {
    Result<language::Lexicon> lexicon = language::Lexicon::read(assets + "/lexicon");
    if (!lexicon) return lexicon.error();
    const auto shared = std::make_shared<const language::Lexicon>(std::move(*lexicon));
    Result<language::SentenceGrammar> grammar =
        language::SentenceGrammar::read(assets + "/grammars/everyday.txt", *shared);
    if (!grammar) return grammar.error();
    return std::unique_ptr<DrawnPairs>(
        new DrawnPairs(language::Drawer(shared, std::move(*grammar), direction), direction));
}

SentencePair DrawnPairs::draw(Random& random) const {
    language::DrawnPair pair = drawer_.draw(random);
    if (direction_ == Direction::english_to_portuguese) return {std::move(pair.english), std::move(pair.portuguese)};
    return {std::move(pair.portuguese), std::move(pair.english)};
}

} // namespace headlight
