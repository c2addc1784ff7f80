#include "engine/io/tokenizer_folder.h"
#include "engine/text/cutting.h"
#include "engine/text/unicode.h"

#include <doctest/doctest.h>

#include <fstream>

using namespace headlight;

namespace {

Tokenizer tokenizer_in(const std::string& folder) {
    const Result<Tokenizers> read =
        read_tokenizers(std::string(HEADLIGHT_SOURCE_DIR "/tests/data/tokenizers/") + folder);
    REQUIRE(read);
    return read->source;
}

std::vector<std::string> lines() {
    std::ifstream file(HEADLIGHT_SOURCE_DIR "/tests/data/tokenizers/lines.txt", std::ios::binary);
    std::vector<std::string> all;
    for (std::string line; std::getline(file, line);) all.push_back(line);
    return all;
}

const std::vector<std::string> folders = {
    "gpt2", "gpt2_files", "llama3", "qwen2",   "smollm2",        "llama2",     "llama_metaspace",
    "bert", "bert_file",  "marian", "unigram", "pieces_unigram", "pieces_bpe", "pieces_bpe_plain"};

std::vector<std::string> labels(const Tokenizer& tokenizer, const std::string& text) {
    std::vector<std::string> all;
    for (const TokenId id : tokenizer.encode_ids(text)) all.push_back(token_label(tokenizer, id));
    return all;
}

} // namespace

TEST_CASE("the film of a text is that of the very tokens that it is encoded as") {
    for (const std::string& folder : folders) {
        const Tokenizer tokenizer = tokenizer_in(folder);
        for (const std::string& line : lines()) {
            CAPTURE(folder);
            CAPTURE(line);
            const Cutting film = cut(tokenizer, line);
            const std::vector<Piece> pieces = tokenizer.encode(line);
            REQUIRE(film.pieces.size() == pieces.size());
            for (std::size_t i = 0; i < pieces.size(); ++i) {
                CHECK(film.pieces[i].id == pieces[i].id);
                CHECK(film.pieces[i].typed == pieces[i].typed);
                CHECK(pieces[i].typed.begin <= pieces[i].typed.end);
                CHECK(pieces[i].typed.end <= line.size());
                if (i > 0) CHECK(pieces[i].word >= pieces[i - 1].word);
            }
            CHECK(film.input.ids == tokenizer.model_input(line).ids);
            std::size_t next = 0; // stretches and words follow one another through the pieces
            for (const CutStretch& stretch : film.stretches) {
                CHECK(stretch.first_piece == next);
                if (stretch.added != no_token) {
                    CHECK(pieces[next++].id == stretch.added);
                    continue;
                }
                for (const CutWord& word : stretch.words) {
                    CHECK(word.first_piece == next);
                    next += word.pieces;
                    CHECK(word.starts.back() == word.text.size());
                }
            }
            CHECK(next == pieces.size());
        }
    }
}

TEST_CASE("each piece knows where it was typed") {
    const Tokenizer tokenizer = tokenizer_in("gpt2");
    const std::string text = "um é 😀 the";
    std::size_t end = 0;
    for (const Piece& piece : tokenizer.encode(text)) { // of bytes nothing is lost and nothing doubled
        CHECK(piece.typed.begin == end);
        end = piece.typed.end;
    }
    CHECK(end == text.size());
    const std::vector<Piece> words = tokenizer_in("bert").encode("  The\u00a0 [MASK] é");
    REQUIRE(words.size() == 3);
    CHECK(words[0].text == "The");
    CHECK(words[0].typed == TypedRange{2, 5});
    CHECK(words[1].text == "\u00a0 [MASK]");
    CHECK(words[2].text == "é");
}

TEST_CASE("tokens are shown so that spaces and single bytes can be seen") {
    CHECK(labels(tokenizer_in("gpt2"), " the") == std::vector<std::string>{"␣the"});
    CHECK(labels(tokenizer_in("gpt2"), "\xF0\x9F\x98\x80")
          == std::vector<std::string>{"⟨F0⟩", "⟨9F⟩", "⟨98⟩", "⟨80⟩"});
    CHECK(labels(tokenizer_in("gpt2"), "<|endoftext|>") == std::vector<std::string>{"<|endoftext|>"});
    CHECK(labels(tokenizer_in("llama2"), "漢").back() == "⟨A2⟩");
    CHECK(labels(tokenizer_in("llama2"), "a").front().starts_with("␣"));
    const Tokenizer larger = tokenizer_in("gpt2").with_vocab_size(1000);
    CHECK(larger.vocabulary().size() == 1000);
    CHECK(token_label(larger, 999) == "#999");
    CHECK(larger.encode_ids("the cat") == tokenizer_in("gpt2").encode_ids("the cat"));
}

TEST_CASE("an expression that takes for ever is given up") {
    TokenizerParts parts;
    const Result<Pattern> hostile = Pattern::regex(R"((?:a+a+)+\d)", "t.json");
    REQUIRE(hostile);
    parts.pre_tokenizer.push_back(PatternSplit{*hostile});
    const Tokenizer tokenizer(parts);
    CHECK(tokenizer.try_encode("ab"));
    const Result<std::vector<Piece>> refused = tokenizer.try_encode(std::string(100, 'a'));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().key == "error.tokenizer_gave_up");
    CHECK(tokenizer.encode(std::string(100, 'a')).size() == 1);
}

TEST_CASE("each character of the normalised text knows where it was typed") {
    for (const std::string& folder : folders) {
        const Tokenizer tokenizer = tokenizer_in(folder);
        for (const std::string& line : lines()) {
            CAPTURE(folder);
            CAPTURE(line);
            for (const CutStretch& stretch : cut(tokenizer, line).stretches) {
                REQUIRE(stretch.origins.size() == code_points(stretch.normalized).size());
                for (const TypedRange& origin : stretch.origins) CHECK(origin.end <= line.size());
            }
        }
    }
    const Cutting film = cut(tokenizer_in("bert"), "É\u00ad x");
    REQUIRE(film.stretches.size() == 1);
    CHECK(film.stretches[0].normalized == "e x");
    CHECK(film.stretches[0].origins[0] == TypedRange{0, 2});
    CHECK(film.stretches[0].origins[1] == TypedRange{4, 5}); // the soft hyphen is gone
}

TEST_CASE("at each moment of a film the pair that is merged next is the best of the neighbours") {
    for (const char* folder : {"gpt2", "llama2", "smollm2", "pieces_bpe"}) {
        const Tokenizer tokenizer = tokenizer_in(folder);
        const Bpe& bpe = std::get<Bpe>(tokenizer.parts().model);
        for (const std::string& line : lines())
            for (const CutStretch& stretch : cut(tokenizer, line).stretches)
                for (const CutWord& word : stretch.words) {
                    CAPTURE(word.text);
                    const BpeFilm& film = std::get<BpeFilm>(word.film);
                    REQUIRE(steps_of(word) == film.merges.size());
                    for (std::size_t m = 0; m <= film.merges.size(); ++m) {
                        const auto pairs = bpe.candidates(ModelWord(code_points(word.text)),
                                                          tokenizer.vocabulary(), film.symbols_after(m));
                        const Bpe::Candidate* best = nullptr;
                        for (const Bpe::Candidate& pair : pairs)
                            if (pair.result != no_token && (!best || pair.rank < best->rank)) best = &pair;
                        if (m == film.merges.size()) {
                            CHECK((best == nullptr || film.whole));
                            continue;
                        }
                        REQUIRE(best);
                        CHECK(best == &pairs[film.merges[m].left]);
                        CHECK(best->rank == film.merges[m].rank);
                        CHECK(best->result == film.merges[m].result);
                    }
                }
    }
}

TEST_CASE("of all candidates that end at a place the film marks the one whose sum is the best") {
    const Tokenizer tokenizer = tokenizer_in("unigram");
    for (const std::string& line : lines())
        for (const CutStretch& stretch : cut(tokenizer, line).stretches)
            for (const CutWord& word : stretch.words) {
                const UnigramFilm& film = std::get<UnigramFilm>(word.film);
                std::vector<int> best(film.best_sum.size(), 0);
                for (const UnigramFilm::Candidate& candidate : film.candidates) {
                    CHECK(candidate.sum <= film.best_sum[candidate.end]);
                    if (!candidate.is_best) continue;
                    ++best[candidate.end];
                    CHECK(candidate.sum == film.best_sum[candidate.end]);
                }
                for (std::size_t at = 1; at < best.size(); ++at) CHECK(best[at] == 1);
            }
}

TEST_CASE("nothing of a text is hidden when it is shown sign by sign") {
    const std::string text = "a \t\u00ade\u0301\u200b\xFF\n";
    std::string shown;
    std::size_t end = 0;
    for (const VisibleSign& sign : visible_signs(text)) {
        CHECK(sign.bytes.begin == end);
        end = sign.bytes.end;
        shown += sign.label;
    }
    CHECK(end == text.size());
    CHECK(shown == "a␣⟨0009⟩⟨00AD⟩e⟨0301⟩⟨200B⟩⟨FF⟩⏎");
    const Tokenizer gpt2 = tokenizer_in("gpt2");
    CHECK(token_bytes(gpt2, gpt2.encode_ids(" the")[0]) == " the");
    const Tokenizer llama = tokenizer_in("llama2");
    CHECK(token_bytes(llama, llama.encode_ids("漢").back()) == "\xA2");
}
