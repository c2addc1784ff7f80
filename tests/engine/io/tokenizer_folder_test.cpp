// Ids are compared with those that the libraries gave: tests/data/tokenizers/make_fixtures.py,
// reference_ids.js.
#include "engine/io/tokenizer_folder.h"

#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <limits>

using namespace headlight;

namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

const fs::path data = fs::path(HEADLIGHT_SOURCE_DIR) / "tests/data/tokenizers";

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    REQUIRE_MESSAGE(file, path.string());
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Strings lines_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    REQUIRE_MESSAGE(file, path.string());
    Strings lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

std::string ids_of(const Tokenizer& tokenizer, const std::string& line) {
    std::string ids;
    for (TokenId id : tokenizer.model_input(line).ids) ids += (ids.empty() ? "" : " ") + std::to_string(id);
    return ids;
}

void check_ids(const Tokenizer& tokenizer, const fs::path& expected) {
    const Strings lines = lines_of(data / "lines.txt"), ids = lines_of(expected);
    REQUIRE(lines.size() == ids.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        CAPTURE(expected.string());
        CAPTURE(lines[i]);
        CHECK(ids_of(tokenizer, lines[i]) == ids[i]);
    }
}

Tokenizers read(const fs::path& folder) {
    const Result<Tokenizers> tokenizers = read_tokenizers(folder);
    REQUIRE_MESSAGE(tokenizers, (tokenizers ? "" : tokenizers.error().key));
    return *tokenizers;
}

std::string error_of(const TemporaryFolder& folder) {
    const Result<Tokenizers> tokenizers = read_tokenizers(folder.path());
    return tokenizers ? "" : tokenizers.error().key;
}

// A message of Protocol Buffers, by hand.
std::string field(int number, const std::string& bytes) {
    std::string length;
    for (std::size_t n = bytes.size(); length.empty() || n > 0; n >>= 7)
        length += char((n & 127) | (n > 127 ? 128 : 0));
    return char(number << 3 | 2) + length + bytes;
}
std::string number_field(int number, int value) { return {char(number << 3), char(value)}; }
std::string piece(const std::string& text, float score, int type = 1) {
    std::string bytes(4, '\0');
    std::memcpy(bytes.data(), &score, 4);
    return field(1, field(1, text) + char(2 << 3 | 5) + bytes + number_field(3, type));
}

std::string spm_error(const std::string& bytes) {
    const TemporaryFolder folder;
    folder.write("config.json", "{}");
    folder.write("tokenizer.model", bytes);
    return error_of(folder);
}

} // namespace

TEST_CASE("text becomes the ids that the library of Hugging Face gives, and ids its text") {
    for (const char* family : {"gpt2", "llama3", "qwen2", "smollm2", "llama2", "llama_metaspace", "bert",
                               "bert_cased", "unigram"}) {
        const Tokenizer tokenizer = read(data / family).source;
        check_ids(tokenizer, data / family / "ids.txt");
        const Strings lines = lines_of(data / "lines.txt");
        const Strings decoded = nlohmann::json::parse(contents(data / family / "decoded.json"));
        for (std::size_t i = 0; i < lines.size(); ++i)
            CHECK(tokenizer.decode(tokenizer.model_input(lines[i]).ids) == decoded[i]);
    }
}

TEST_CASE("files without a tokenizer.json give the same ids") {
    check_ids(read(data / "gpt2_files").source, data / "gpt2/ids.txt");
    check_ids(read(data / "bert_file").target, data / "bert/ids.txt");
}

TEST_CASE("files of SentencePiece give its ids, Marian's those of its vocabulary") {
    for (const char* folder : {"pieces_unigram", "pieces_bpe", "pieces_bpe_plain"})
        check_ids(read(data / folder).source, data / folder / "ids.txt");
    const Tokenizers marian = read(data / "marian");
    check_ids(marian.source, data / "marian/source_ids.txt");
    check_ids(marian.target, data / "marian/target_ids.txt");
    CHECK(marian.target.decode(marian.target.model_input("the cat  is blue").ids) == "the cat is blue");
    CHECK(marian.source.vocabulary().specials().eos == 0);
}

TEST_CASE("a pair of sentences is put into one input, each token with its type") {
    const Tokenizer tokenizer = read(data / "bert").source;
    const ModelInput input = tokenizer.model_input("the", "word");
    const std::size_t first = tokenizer.encode("the").size(), second = tokenizer.encode("word").size();
    REQUIRE(input.ids.size() == first + second + 3);
    CHECK(input.ids.front() == 2);
    CHECK(input.ids[first + 1] == 3);
    CHECK(input.types[first + 1] == 0);
    CHECK(input.types.back() == 1);
    CHECK(input.pieces.front() == ModelInput::added);
    CHECK(input.pieces[1] == 0);
}

TEST_CASE("our own models are fed the source with its end and the target from its beginning") {
    const Tokenizers own = read(fs::path(HEADLIGHT_SOURCE_DIR) / "assets/models/copy");
    CHECK(own.source.model_input("ab").ids.back() == 2);
    CHECK(own.target.model_input("ab").ids.front() == 1);
    CHECK(own.source.model_input("ab").ids.size() == 3);
}

TEST_CASE("a folder without a tokenizer, or without any sense, is an error") {
    const TemporaryFolder folder;
    CHECK(error_of(folder) == "error.file_missing"); // config.json
    folder.write("config.json", "{\"model_type\": \"gpt2\"}");
    CHECK(error_of(folder) == "error.tokenizer_missing");
    folder.write("tokenizer.model", "");
    CHECK(error_of(folder) == "error.tokenizer_empty");
    folder.write("vocab.txt", "the\n");
    CHECK(error_of(folder) == "error.tokenizer_no_unknown");
    folder.write("vocab.json", "{}");
    folder.write("merges.txt", "#version: 0.2\n");
    CHECK(error_of(folder) == "error.tokenizer_empty");
    folder.write("vocab.json", "{\"a\": 0, \"b\": -1}");
    CHECK(error_of(folder) == "error.tokenizer_id");
    folder.write("vocab.json", "{\"a\": 0, \"b\": 2000000000}");
    CHECK(error_of(folder) == "error.tokenizer_id");
    folder.write("vocab.json", "{\"a\": 0, \"b\": 1, \"ab\": 2}");
    CHECK(error_of(folder) == "");
    for (const char* merge : {"a c", "a", "a b ab", "b a"}) {
        folder.write("merges.txt", std::string("#version: 0.2\n") + merge + "\n");
        CHECK(error_of(folder) == "error.tokenizer_merge");
    }
    folder.write("merges.txt", "a b\na b\n\n"); // one that stands twice
    CHECK(error_of(folder) == "");
    folder.write("tokenizer_config.json", "[]");
    CHECK(error_of(folder) == "error.config_not_object");
    CHECK(read_tokenizers(folder / "nowhere").error().key == "error.model_folder_missing");
}

TEST_CASE("a file of SentencePiece that is cut short or makes no sense is an error, not a crash") {
    const std::string good = piece("<unk>", 0, 2) + piece("a", -1) + piece("▁", -2);
    CHECK(spm_error(good) == "");
    for (std::size_t length = 1; length < good.size(); ++length)
        CHECK_NOTHROW(spm_error(good.substr(0, length)));
    CHECK(spm_error(good.substr(0, good.size() - 1)) == "error.sentencepiece_broken");
    CHECK(spm_error(good + std::string(12, '\xFF')) == "error.sentencepiece_broken");
    CHECK(spm_error(good + piece("a", -3)) == "error.sentencepiece_piece");
    CHECK(spm_error(good + piece("", -3)) == "error.sentencepiece_piece");
    CHECK(spm_error(good + piece("\xFF", -3)) == "error.sentencepiece_piece");
    CHECK(spm_error(good + piece("b", -3, 7)) == "error.sentencepiece_piece");
    CHECK(spm_error(good + piece("b", std::numeric_limits<float>::quiet_NaN()))
          == "error.sentencepiece_piece");
    CHECK(spm_error(good + piece("b", std::numeric_limits<float>::infinity()))
          == "error.sentencepiece_piece");
    CHECK(spm_error(good + piece("b", 0, 2)) == "error.tokenizer_no_unknown");
    CHECK(spm_error(piece("a", 0)) == "error.tokenizer_no_unknown");
    CHECK(spm_error(good + field(2, number_field(3, 4))) == "error.tokenizer_unsupported");
    CHECK(spm_error(good + field(3, field(2, "abc"))) == "error.sentencepiece_charsmap");
    CHECK(spm_error(good + field(3, field(2, "\xFF\xFF\xFF\x7F"))) == "error.sentencepiece_charsmap");
    // A spoilt file never does more than fail.
    const std::string whole = contents(data / "marian/source.spm");
    for (std::size_t i = 0; i < whole.size(); i += 97) {
        std::string spoilt = whole;
        spoilt[i] = char(spoilt[i] ^ 0x55);
        CHECK_NOTHROW(spm_error(spoilt));
        CHECK_NOTHROW(spm_error(whole.substr(0, i)));
    }
}

TEST_CASE("a table of characters that leads in circles finds an end") {
    std::string trie;
    const auto unit = [&](std::uint32_t value) {
        for (int i = 0; i < 4; ++i) trie += char(value >> (8 * i));
    };
    for (int i = 0; i < 256; ++i) unit(0x100u | std::uint32_t(i)); // every byte leads back, with a leaf
    const std::string table = std::string{'\0', '\4', '\0', '\0'} + trie + "x";
    const TemporaryFolder folder;
    folder.write("config.json", "{}");
    folder.write("tokenizer.model", piece("<unk>", 0, 2) + piece("a", -1) + field(3, field(2, table)));
    const Result<Tokenizers> tokenizers = read_tokenizers(folder.path());
    REQUIRE(tokenizers);
    CHECK(tokenizers->source.encode(std::string(100'000, 'a')).size() <= 100'001);
}
