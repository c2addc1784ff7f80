#include "engine/text/bpe.h"
#include "engine/text/token_model.h"
#include "engine/text/unicode.h"
#include "engine/text/unigram.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>

using namespace headlight;

namespace {

using Strings = std::vector<std::string>;
using Ids = std::vector<TokenId>;

constexpr SpecialTokens none = {no_token, no_token, no_token, no_token};

Vocabulary vocabulary_of(const Strings& tokens) { return Vocabulary(tokens, none, {}); }

template <class Model>
Ids ids_of(const Model& model, const Vocabulary& vocabulary, const std::string& word) {
    std::vector<ModelToken> tokens;
    model.encode(ModelWord(code_points(word)), vocabulary, tokens);
    Ids ids;
    for (const ModelToken& token : tokens) ids.push_back(token.id);
    return ids;
}

// A random word of a few letters, so that pairs repeat.
std::string random_word(std::mt19937& random, std::size_t longest) {
    const Strings letters = {"a", "b", "c", "é", "漢"};
    std::string word;
    const std::size_t length = 1 + random() % longest;
    for (std::size_t i = 0; i < length; ++i) word += letters[random() % letters.size()];
    return word;
}

struct RandomBpe {
    Strings tokens = {"a", "b", "c", "é", "漢"};
    std::vector<std::pair<std::string, std::string>> merges;
    Vocabulary vocabulary;
    Bpe bpe;

    explicit RandomBpe(std::mt19937& random) {
        while (merges.size() < 40) {
            const std::string left = tokens[random() % tokens.size()],
                              right = tokens[random() % tokens.size()];
            if (left.size() + right.size() > 12) continue;
            if (std::find(merges.begin(), merges.end(), std::pair(left, right)) != merges.end()) continue;
            merges.emplace_back(left, right);
            if (std::find(tokens.begin(), tokens.end(), left + right) == tokens.end())
                tokens.push_back(left + right);
        }
        vocabulary = vocabulary_of(tokens);
        std::vector<Bpe::Pair> pairs;
        for (const auto& [left, right] : merges)
            pairs.push_back(
                {*vocabulary.find(left), *vocabulary.find(right), *vocabulary.find(left + right)});
        bpe = Bpe({}, pairs, vocabulary);
    }
};

// The definition: look at all pairs, join the one of lowest rank, the leftmost of these; again.
Strings naive_bpe(const RandomBpe& model, const std::string& word) {
    Strings symbols;
    for (char32_t c : code_points(word)) symbols.push_back(utf8(std::u32string(1, c)));
    while (true) {
        std::size_t best_rank = model.merges.size(), best = 0;
        for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
            const auto found =
                std::find(model.merges.begin(), model.merges.end(), std::pair(symbols[i], symbols[i + 1]));
            const auto rank = std::size_t(found - model.merges.begin());
            if (rank < best_rank) {
                best_rank = rank;
                best = i;
            }
        }
        if (best_rank == model.merges.size()) return symbols;
        symbols[best] += symbols[best + 1];
        symbols.erase(symbols.begin() + std::ptrdiff_t(best) + 1);
    }
}

// Every way to cut a word, and the best sum of scores among them.
double naive_best_sum(const Strings& pieces, const std::vector<double>& scores, double unknown,
                      std::u32string_view word) {
    if (word.empty()) return 0;
    double best = -std::numeric_limits<double>::infinity();
    bool has_single = false;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::u32string piece = code_points(pieces[i]);
        if (!word.starts_with(piece)) continue;
        has_single = has_single || piece.size() == 1;
        best = std::max(best, scores[i] + naive_best_sum(pieces, scores, unknown, word.substr(piece.size())));
    }
    if (!has_single) best = std::max(best, unknown + naive_best_sum(pieces, scores, unknown, word.substr(1)));
    return best;
}

} // namespace

TEST_CASE("byte-pair encoding joins as its definition says") {
    std::mt19937 random(1);
    for (int round = 0; round < 30; ++round) {
        const RandomBpe model(random);
        for (int i = 0; i < 30; ++i) {
            const std::string word = random_word(random, 24);
            CAPTURE(word);
            Ids naive;
            for (const std::string& symbol : naive_bpe(model, word))
                naive.push_back(*model.vocabulary.find(symbol));
            CHECK(ids_of(model.bpe, model.vocabulary, word) == naive);
        }
    }
}

TEST_CASE("the film of byte-pair encoding ends with its tokens") {
    std::mt19937 random(2);
    const RandomBpe model(random);
    for (int i = 0; i < 50; ++i) {
        const ModelWord word(code_points(random_word(random, 24)));
        std::vector<ModelToken> tokens;
        BpeFilm film;
        model.bpe.encode(word, model.vocabulary, tokens, &film);
        CHECK(film.symbols.size() == word.size());
        const std::vector<BpeSymbol> last = film.symbols_after(film.merges.size());
        REQUIRE(last.size() == tokens.size());
        for (std::size_t k = 0; k < last.size(); ++k) {
            CHECK(last[k].id == tokens[k].id);
            CHECK(last[k].begin == tokens[k].begin);
            CHECK(last[k].end == tokens[k].end);
        }
        CHECK(film.symbols_after(0).size() == word.size());
    }
}

TEST_CASE("a word of a hundred thousand characters is joined in a moment") {
    const Vocabulary vocabulary = vocabulary_of({"a", "aa", "aaaa"});
    const Bpe bpe({}, {{0, 0, 1}, {1, 1, 2}}, vocabulary);
    CHECK(ids_of(bpe, vocabulary, std::string(100'001, 'a')).size() == 25'001);
    WordPiece pieces;
    pieces.unknown = 0;
    pieces.longest_word = 1'000'000;
    pieces.longest_token = 4;
    CHECK(ids_of(pieces, vocabulary, std::string(100'000, 'a')) == Ids{0}); // there is no ##a
}

TEST_CASE("characters without a token become bytes, the unknown token, or nothing") {
    const Vocabulary vocabulary = vocabulary_of({"<unk>", "a", "<0xC3>", "<0xA9>"});
    BpeOptions options;
    const auto ids = [&](const std::string& word) {
        return ids_of(Bpe(options, {}, vocabulary), vocabulary, word);
    };
    CHECK(ids("aéa") == Ids{1, 1});
    options.unknown = 0;
    CHECK(ids("aéüa") == Ids{1, 0, 0, 1});
    options.fuse_unknown = true;
    CHECK(ids("aéüa") == Ids{1, 0, 1});
    options.byte_fallback = true; // needs all 256 bytes of a character's own, and ü has none of its second
    CHECK(ids("aéüa") == Ids{1, 2, 3, 0, 1});
}

TEST_CASE("WordPiece takes the longest beginning, and a word with a missing piece is unknown") {
    const Vocabulary vocabulary = vocabulary_of({"[UNK]", "un", "##believ", "##able", "##a", "unb"});
    WordPiece pieces;
    pieces.unknown = 0;
    pieces.longest_token = WordPiece::longest_token_of(vocabulary);
    CHECK(ids_of(pieces, vocabulary, "unable") == Ids{1, 3});
    CHECK(ids_of(pieces, vocabulary, "unbelievable") == Ids{0}); // “unb” leaves ##elievable
    CHECK(ids_of(pieces, vocabulary, "una") == Ids{1, 4});
    pieces.longest_word = 5;
    CHECK(ids_of(pieces, vocabulary, "unable") == Ids{0});

    pieces.longest_word = 100;
    WordPieceFilm film;
    std::vector<ModelToken> tokens;
    pieces.encode(ModelWord(U"una"), vocabulary, tokens, &film);
    REQUIRE(film.attempts.size() == 3);
    CHECK(film.attempts[0].piece == "una");
    CHECK_FALSE(film.attempts[0].found);
    CHECK(film.attempts[1].piece == "un");
    CHECK(film.attempts[2].piece == "##a");
    CHECK(film.attempts[2].found);
}

TEST_CASE("the unigram model finds the best of all ways to cut") {
    std::mt19937 random(3);
    for (int round = 0; round < 40; ++round) {
        Strings texts = {"a", "b"};
        while (texts.size() < 12) {
            const std::string text = random_word(random, 4);
            if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
        }
        std::vector<double> scores;
        std::vector<Unigram::Piece> pieces;
        Strings tokens = {"<unk>"};
        for (const std::string& text : texts) {
            scores.push_back(-double(random() % 1000) / 100);
            pieces.push_back({scores.back(), TokenId(tokens.size())});
            tokens.push_back(text);
        }
        const Vocabulary vocabulary = vocabulary_of(tokens);
        Unigram::Options options;
        options.unknown = 0;
        options.unknown_score = *std::min_element(scores.begin(), scores.end()) - 10;
        const Unigram unigram(options, texts, pieces, vocabulary);
        for (int i = 0; i < 20; ++i) {
            const std::u32string word = code_points(random_word(random, 9));
            UnigramFilm film;
            std::vector<ModelToken> found;
            unigram.encode(ModelWord(word), vocabulary, found, &film);
            CHECK(film.best_sum.back()
                  == doctest::Approx(naive_best_sum(texts, scores, options.unknown_score, word)));
            double sum = 0;
            for (const UnigramFilm::Candidate& candidate : film.candidates)
                if (candidate.on_path) sum += candidate.score;
            CHECK(sum == doctest::Approx(film.best_sum.back()));
            REQUIRE_FALSE(found.empty());
            CHECK(found.front().begin == 0);
            CHECK(found.back().end == word.size());
            for (std::size_t k = 1; k < found.size(); ++k) CHECK(found[k].begin == found[k - 1].end);
        }
    }
}

TEST_CASE("a run of unknown characters is one unknown token, and the longer piece wins a tie") {
    const Vocabulary vocabulary = vocabulary_of({"<unk>", "a", "aa"});
    Unigram::Options options;
    options.unknown = 0;
    options.unknown_score = -12;
    const Unigram unigram(options, {"a", "aa"}, {{-1, 1}, {-2, 2}}, vocabulary);
    CHECK(ids_of(unigram, vocabulary, "xyaz") == Ids{0, 1, 0});
    CHECK(ids_of(unigram, vocabulary, "aa") == Ids{2});
}
