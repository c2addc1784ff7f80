#include "engine/text/words.h"

#include "engine/text/cutting.h"

#include <algorithm>

#include <doctest/doctest.h>

using namespace headlight;

namespace {

std::vector<std::string> words_in(const std::string& text) {
    std::vector<std::string> words;
    for (const TypedRange& range : gloss_words(text)) words.push_back(text.substr(range.begin, range.end - range.begin));
    return words;
}

using Words = std::vector<std::string>;

} // namespace

TEST_CASE("a word that is glossed keeps its apostrophes and hyphens, but what is contracted stands alone") {
    CHECK(words_in("") == Words{});
    CHECK(words_in("  \n") == Words{});
    CHECK(words_in("The animal didn't cross.") == Words{"The", "animal", "didn't", "cross", "."});
    CHECK(words_in("I'm sure it’s Ana's!") == Words{"I", "'m", "sure", "it", "’s", "Ana", "'s", "!"});
    CHECK(words_in("well-known, really?!") == Words{"well-known", ",", "really", "?!"});
    CHECK(words_in("3:30 🙂😀 é") == Words{"3", ":", "30", "🙂😀", "é"});
    CHECK(words_in("'s") == Words{"'", "s"});
    CHECK(words_in("a\xFF\xC3") == Words{"a", "\xFF\xC3"});
}

TEST_CASE("each piece of a word but the first goes on with it, whatever it is cut into") {
    const std::vector<std::string> texts{"the cat sleeps"};
    const Tokenizer source = train_sentence_bpe(texts, 262);
    const Tokenizer target = gloss_tokenizer({"o", "gato", "gosta\u00A0de", ".", "="});
    CHECK(target.encode_ids("o gosta\u00A0de =.").size() == 4);
    CHECK(target.decode(target.encode_ids("o · gosta\u00A0de · · =.")) == "o gosta\u00A0de =.");
    CHECK(target.decode(target.encode_ids("o cachorro")) == "o <unk>");
    const TokenId goes_on = *target.vocabulary().find(gloss_goes_on);
    for (const std::string text : {"The cat likes Zoé.", "don't 12 🙂 'tis", "it's \"so\"... well-known", "a  \xFF b"}) {
        CAPTURE(text);
        const std::vector<Piece> pieces = source.encode(text);
        const std::size_t words = gloss_words(text).size();
        std::vector<TokenId> glosses(words, *target.vocabulary().find("o"));
        const auto said = glosses_of_pieces(text, pieces, glosses, target);
        REQUIRE(said);
        CHECK(said->size() == pieces.size());
        const auto begun = std::size_t(std::count_if(said->begin(), said->end(), [&](TokenId id) { return id != goes_on; }));
        CHECK(begun <= words);
        CHECK(begun + 1 >= words); // “'t” of “'tis” joins a sign and a word
        glosses.push_back(goes_on);
        CHECK_FALSE(glosses_of_pieces(text, pieces, glosses, target));
    }
}
