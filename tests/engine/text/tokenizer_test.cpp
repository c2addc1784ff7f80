#include "engine/text/tokenizer.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace headlight;

namespace {

using Strings = std::vector<std::string>;

Tokenizer words_of(const Strings& texts, bool lowercase = true, Index max_size = 0, Index* cut = nullptr) {
    return Tokenizer::words(texts, {lowercase, max_size}, cut);
}

Strings typed(const std::vector<Piece>& pieces) {
    Strings texts;
    for (const Piece& piece : pieces) texts.push_back(piece.text);
    return texts;
}

bool all_known(const std::vector<Piece>& pieces) {
    return std::all_of(pieces.begin(), pieces.end(), [](const Piece& piece) { return piece.known; });
}

} // namespace

TEST_CASE("a sentence is cut into words and signs, shown as they were typed") {
    const Tokenizer tokenizer = words_of({"The animal didn't cross the street because it was too tired."});
    const std::vector<Piece> pieces = tokenizer.encode("The animal didn’t cross the street, ok?");
    CHECK(typed(pieces) == Strings{"The", "animal", "didn’t", "cross", "the", "street", ",", "ok", "?"});
    CHECK(pieces[0].id == pieces[4].id);
    CHECK(tokenizer.vocabulary().token(pieces[2].id) == "didn't");
    CHECK(pieces[2].known);
    CHECK_FALSE(pieces[7].known);
    CHECK(pieces[7].id == 3);
}

TEST_CASE("inner hyphens and apostrophes belong to the word, outer ones are signs") {
    CHECK(words_of({}).normalized_words("o guarda-chuva d'água -- 'sim' x- e-mail's")
          == Strings{"o", "guarda-chuva", "d'água", "-", "-", "'", "sim", "'", "x", "-", "e-mail's"});
}

TEST_CASE("the special tokens have the first four ids and are never added to a sentence") {
    const Tokenizer tokenizer = words_of({"de nada"});
    CHECK(tokenizer.vocabulary().tokens() == Strings{"<pad>", "<s>", "</s>", "<unk>", "de", "nada"});
    CHECK(tokenizer.encode_ids("De nada") == std::vector<TokenId>{4, 5});
    CHECK(tokenizer.encode("").empty());
    CHECK(tokenizer.encode(" \t\n ").empty());
}

TEST_CASE("a special token that is typed is itself") {
    const Tokenizer tokenizer = words_of({"de nada"});
    CHECK(tokenizer.encode_ids("de<pad> nada </s>") == std::vector<TokenId>{4, 0, 5, 2});
    CHECK_FALSE(tokenizer.encode("<unk>")[0].known);
}

TEST_CASE("composed and decomposed letters are the same token, each shown as typed") {
    const Tokenizer tokenizer = words_of({"caf\u00E9 ma\u00E7\u00E3"});
    const std::vector<Piece> pieces = tokenizer.encode("CAFE\u0301 mac\u0327a\u0303 caf\u00E9");
    REQUIRE(pieces.size() == 3);
    CHECK(all_known(pieces));
    CHECK(pieces[0].id == pieces[2].id);
    CHECK(pieces[0].text == "CAFE\u0301");
    CHECK(pieces[1].text == "mac\u0327a\u0303");
    CHECK(words_of({"cafe\u0301"}) == words_of({"caf\u00E9"}));
}

TEST_CASE("a vocabulary that keeps case falls back to lower case, never to upper") {
    const Tokenizer tokenizer = words_of({"o rei de Roma", "I see"}, false);
    CHECK(tokenizer.encode("O rei de Roma")[0].known);
    CHECK(tokenizer.vocabulary().token(tokenizer.encode("O")[0].id) == "o");
    CHECK_FALSE(tokenizer.encode("roma")[0].known);
    CHECK_FALSE(tokenizer.lowercases());
    CHECK(tokenizer.decode(tokenizer.encode_ids("O rei de Roma")) == "o rei de Roma");
}

TEST_CASE("the most frequent words are kept, ties in alphabetical order, and the cut is counted") {
    const Strings texts = {"c b b a a", "d a"};
    Index cut = -1;
    CHECK(words_of(texts, true, 0, &cut).vocabulary().tokens()
          == Strings{"<pad>", "<s>", "</s>", "<unk>", "a", "b", "c", "d"});
    CHECK(cut == 0);
    CHECK(words_of(texts, true, 7, &cut).vocabulary().tokens()
          == Strings{"<pad>", "<s>", "</s>", "<unk>", "a", "b", "c"});
    CHECK(cut == 1);
    CHECK(words_of(texts, true, 2, &cut).vocabulary().size() == 4);
    CHECK(cut == 4);
}

TEST_CASE("decoding joins words with spaces, attaches signs and leaves special tokens out") {
    const Tokenizer tokenizer = words_of({"Oi , tudo bem ? Sim ; claro : não ! fim ."}, false);
    std::vector<TokenId> ids = {1};
    for (TokenId id : tokenizer.encode_ids("Oi, tudo bem? Sim; claro: não! fim.")) ids.push_back(id);
    ids.push_back(2);
    ids.push_back(0);
    CHECK(tokenizer.decode(ids) == "Oi, tudo bem? Sim; claro: não! fim.");
    CHECK(tokenizer.decode({}) == "");
}

TEST_CASE("characters are tokens each, spaces too, and join directly") {
    const Tokenizer tokenizer = Tokenizer::characters("abc é");
    CHECK(tokenizer.vocabulary().size() == 4 + 5);
    CHECK(tokenizer.is_characters());
    const std::vector<Piece> pieces = tokenizer.encode("ab e\u0301\nz");
    CHECK(typed(pieces) == Strings{"a", "b", " ", "e\u0301", "\n", "z"});
    CHECK(pieces[3].known);
    CHECK_FALSE(pieces[4].known);
    CHECK_FALSE(pieces[5].known);
    CHECK(tokenizer.decode(tokenizer.encode_ids("cab a")) == "cab a");
    CHECK_FALSE(tokenizer.encode("A")[0].id == 3); // falls back to lower case
}

TEST_CASE("an alphabet that repeats a character has it once") {
    CHECK(Tokenizer::characters("aba").vocabulary().size() == 6);
    CHECK(Tokenizer::characters("aA", true).vocabulary().size() == 5);
}

TEST_CASE("bytes that are not UTF-8 are unknown tokens, not a crash") {
    const Tokenizer tokenizer = words_of({"rato"});
    const std::vector<Piece> pieces = tokenizer.encode("rato \xFF rato\xC3");
    CHECK(typed(pieces) == Strings{"rato", "\uFFFD", "rato", "\uFFFD"});
    CHECK(pieces[2].known);
    CHECK(words_of({"\xF0\x9D x"}).vocabulary().size() == 6);
}

TEST_CASE("a sentence of ten thousand characters is cut like any other") {
    const Tokenizer tokenizer = words_of({"o rato roeu"});
    std::string text;
    while (text.size() < 100'000) text += "o rato roeu! ";
    const std::vector<Piece> pieces = tokenizer.encode(text);
    CHECK(pieces.size() == text.size() / 13 * 4);
    CHECK(tokenizer.encode(std::string(100'000, 'x')).size() == 1);
    CHECK(tokenizer.encode(std::string(100'000, '<')).size() == 100'000);
}

TEST_CASE("unknown words are offered the nearest known ones") {
    const Tokenizer tokenizer = words_of({"a rato rata roupa rei Roma maçã mala . ,"}, false);
    CHECK(tokenizer.nearest("ratu", 2) == Strings{"rata", "rato"}); // ties: order of the vocabulary
    CHECK(tokenizer.nearest("maca", 1) == Strings{"maçã"});
    CHECK(tokenizer.nearest("roma", 1) == Strings{"Roma"});
    CHECK(tokenizer.nearest("rom", 1) == Strings{"Roma"});
    CHECK(tokenizer.nearest("xyz", 4).empty()); // another word, no slip of the hand
    CHECK(tokenizer.nearest("ma\u0063\u0327a\u0303", 1) == Strings{"maçã"});
    CHECK(tokenizer.nearest("!", 5) == Strings{",", "."});
    CHECK(tokenizer.nearest("rato", 100) == Strings{"rato", "rata"});
    CHECK(tokenizer.nearest("rato", 0).empty());
    CHECK(tokenizer.nearest("", 3).empty());
    CHECK(tokenizer.nearest(std::string(10'000, 'r'), 3).empty());
    CHECK(tokenizer.nearest("\xFF", 3).size() == 2);
}
