// Byte pairs that are learnt, against the definition: count everything anew before each merge.
#include "engine/text/cutting.h"

#include "engine/io/tokenizer_json.h"
#include "engine/text/bpe.h"
#include "engine/text/unicode.h"

#include <doctest/doctest.h>

#include <chrono>
#include <map>
#include <random>

using namespace headlight;

namespace {

using Merge = std::pair<std::string, std::string>;

std::vector<Merge> merges_of(const Tokenizer& tokenizer) {
    std::vector<Merge> merges;
    for (const Bpe::Pair& pair : std::get<Bpe>(tokenizer.parts().model).merges())
        merges.emplace_back(tokenizer.vocabulary().token(pair.left),
                            tokenizer.vocabulary().token(pair.right));
    return merges;
}

// Algorithm 1 of the paper as it is written; of equally frequent pairs that whose tokens were there first.
std::vector<Merge> naive_merges(const std::string& text, const Tokenizer& bytes, std::size_t wanted) {
    std::vector<std::vector<std::string>> words;
    for (const std::string& word : bytes.normalized_words(text)) {
        std::vector<std::string>& symbols = words.emplace_back();
        for (const char32_t c : code_points(word)) symbols.push_back(utf8(std::u32string(1, c)));
    }
    std::map<std::string, int> ids;
    for (const std::string& token : bytes.vocabulary().tokens()) ids.emplace(token, int(ids.size()));
    std::vector<Merge> merges;
    while (merges.size() < wanted) {
        std::map<std::pair<int, int>, std::pair<int, Merge>> counts;
        for (const auto& symbols : words)
            for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
                auto& [count, merge] = counts[{ids.at(symbols[i]), ids.at(symbols[i + 1])}];
                ++count;
                merge = {symbols[i], symbols[i + 1]};
            }
        int most = 1;
        Merge best;
        for (const auto& [pair, found] : counts) // in order of ids
            if (found.first > most) {
                most = found.first;
                best = found.second;
            }
        if (most < 2) break;
        merges.push_back(best);
        ids.emplace(best.first + best.second, int(ids.size()));
        for (auto& symbols : words)
            for (std::size_t i = 0; i + 1 < symbols.size(); ++i)
                if (symbols[i] == best.first && symbols[i + 1] == best.second) {
                    symbols[i] += symbols[i + 1];
                    symbols.erase(symbols.begin() + std::ptrdiff_t(i) + 1);
                }
    }
    return merges;
}

std::string random_text(std::mt19937& random, int words) {
    const std::vector<std::string> letters = {"a", "b", "é", "aa", "漢"};
    std::string text;
    for (int w = 0; w < words; ++w) {
        for (unsigned i = 0, n = 1 + random() % 6; i < n; ++i) text += letters[random() % letters.size()];
        text += random() % 7 == 0 ? "\n" : " ";
    }
    return text;
}

std::string back(const Tokenizer& tokenizer, const std::string& text) {
    return tokenizer.decode(tokenizer.encode_ids(text));
}

} // namespace

TEST_CASE("the merges are those of counting all pairs anew each time") {
    const Tokenizer bytes = train_byte_level_bpe("", bpe_alphabet);
    CHECK(merges_of(bytes).empty());
    CHECK(bytes.vocabulary().size() == bpe_alphabet);
    std::mt19937 random(3);
    std::vector<std::string> texts{
        "low low low low low lower lower newest newest newest newest newest newest "
        "widest widest widest",
        "aaaa aaaa aaa aa a", "abab abab baba", "x", "o gato, o rato e o pato"};
    for (int i = 0; i < 20; ++i) texts.push_back(random_text(random, 120));
    for (const std::string& text : texts) {
        CAPTURE(text);
        const Tokenizer learnt = train_byte_level_bpe(text, bpe_alphabet + 40);
        const std::vector<Merge> merges = merges_of(learnt), naive = naive_merges(text, bytes, merges.size());
        CHECK(merges == naive);
        if (learnt.vocabulary().size() < bpe_alphabet + 40) // it ended where no pair occurs twice
            CHECK(naive_merges(text, bytes, merges.size() + 1).size() == merges.size());
    }
}

TEST_CASE("what is cut by learnt pairs is decoded as it was, even what was never seen") {
    const Tokenizer learnt = train_byte_level_bpe("the cat sat on the mat. the cat saw the hat.\n", 300);
    CHECK(learnt.vocabulary().size() > bpe_alphabet);
    CHECK(learnt.encode_ids("the cat").size() < 5);
    for (const std::string& text : {std::string("the cat"), std::string("  O gato\tnão \n\n 😀 漢字"),
                                    std::string("a\0b", 3), std::string()})
        CHECK(back(learnt, text) == text);
    CHECK(learnt.encode_ids("ééé").size() >= 3);
    for (const Piece& piece : learnt.encode("ñ")) CHECK(piece.known);
}

TEST_CASE("learnt pairs are written as a tokenizer.json that is read back as the same tokenizer") {
    const Tokenizer learnt = train_byte_level_bpe("the cat sat on the mat, and the hat", 290);
    const std::string json = tokenizer_to_json(learnt);
    const Result<Tokenizer> read = tokenizer_from_json(json, "t.json");
    REQUIRE(read);
    CHECK(*read == learnt);
    CHECK(tokenizer_to_json(*read) == json);
    for (const char* part : {"\"type\": \"BPE\"", "\"merges\"", "\"type\": \"ByteLevel\"", "\"a t\""})
        CHECK_MESSAGE(json.find(part) != std::string::npos, part);
}

TEST_CASE("hostile texts are learnt from in good time, and their tokens are no longer than a stretch") {
    const auto began = std::chrono::steady_clock::now();
    const std::string letter(5 << 20, 'a');
    const Tokenizer of_letter = train_byte_level_bpe(letter);
    for (const std::string& token : of_letter.vocabulary().tokens()) CHECK(token.size() <= 512);
    CHECK(back(of_letter, "aaaaaaaaaaaaaaaab") == "aaaaaaaaaaaaaaaab");
    std::mt19937 random(1);
    std::string noise;
    for (int i = 0; i < 1 << 19; ++i) noise += char('a' + random() % 26);
    CHECK(train_byte_level_bpe(noise, 400).vocabulary().size() == 400);
    for (const std::string& text : {std::string(), std::string("a"), std::string(1000, '\0'),
                                    std::string("\xFF\xFE\x80"), std::string(1000, ' ')}) {
        const Tokenizer learnt = train_byte_level_bpe(text);
        CHECK(learnt.vocabulary().size() >= bpe_alphabet);
        CHECK(back(learnt, "x y") == "x y");
    }
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(60));
}

TEST_CASE("sentences are cut by one vocabulary in which a word is the same wherever it stands") {
    const std::vector<std::string> sentences = {"Ana sees the cat.", "I see Ana.", "Ana vê o gato.",
                                                "Eu vejo Ana.", "The cat sees Ana in 2027."};
    const Tokenizer learnt = train_sentence_bpe(sentences, 290);
    CHECK(learnt.is_byte_level());
    CHECK(learnt.encode_ids("Ana") == std::vector<TokenId>{learnt.encode_ids("I see Ana").back()});
    for (const char* text :
         {"Ana vê o gato.", " two  spaces ", "Zoë 🐶 vai às 19:45 — “já”!", "ǿ漢字", "", " "})
        CHECK(back(learnt, text) == text);
    CHECK(back(learnt, "I\u2019m e\u0301") == "I'm \u00e9"); // as it is written elsewhere
    CHECK(learnt.encode_ids("2027").size() == 5); // a space, and four digits
    for (const Piece& piece : learnt.encode("xyzzy 🦄")) CHECK(piece.known);
    const std::string json = tokenizer_to_json(learnt);
    const Result<Tokenizer> read = tokenizer_from_json(json, "t.json");
    REQUIRE(read);
    CHECK(*read == learnt);
    CHECK(back(*read, "Zoë vê 🐶.") == "Zoë vê 🐶.");
}
