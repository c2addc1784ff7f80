#include "engine/io/tokenizer_json.h"

#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

using namespace headlight;

namespace {

using Strings = std::vector<std::string>;

// A tokenizer.json with these parts and the words the, cat, é, manga.
std::string file_with(const std::string& normalizer, const std::string& pre_tokenizer,
                      const std::string& decoder = "null") {
    return R"({"version":"1.0","truncation":null,"padding":null,"added_tokens":[],"normalizer":)" + normalizer
           + R"(,"pre_tokenizer":)" + pre_tokenizer + R"(,"post_processor":null,"decoder":)" + decoder
           + R"(,"model":{"type":"WordLevel","vocab":{"[UNK]":0,"the":1,"cat":2,"é":3,"manga":4},)"
             R"("unk_token":"[UNK]"}})";
}

Tokenizer tokenizer_with(const std::string& normalizer, const std::string& pre_tokenizer) {
    const Result<Tokenizer> tokenizer = tokenizer_from_json(file_with(normalizer, pre_tokenizer), "t.json");
    CAPTURE(normalizer);
    CAPTURE(pre_tokenizer);
    REQUIRE(tokenizer);
    // Whatever is read is written and read again as the same.
    const Result<Tokenizer> again = tokenizer_from_json(tokenizer_to_json(*tokenizer), "again.json");
    REQUIRE(again);
    CHECK(*again == *tokenizer);
    return *tokenizer;
}

Strings cut(const std::string& pre_tokenizer, const std::string& text) {
    return tokenizer_with("null", pre_tokenizer).normalized_words(text);
}

Strings normalize(const std::string& normalizer, const std::string& text) {
    return tokenizer_with(normalizer, "null").normalized_words(text);
}

// The part that the Error names; empty: the file is understood.
std::string refused_part(const std::string& text) {
    const Result<Tokenizer> tokenizer = tokenizer_from_json(text, "t.json");
    if (tokenizer) return "";
    CHECK(tokenizer.error().key == "error.tokenizer_unsupported");
    CHECK(tokenizer.error().arguments.at(0) == "t.json");
    return tokenizer.error().arguments.at(1);
}

std::string error_of(const std::string& text) {
    const Result<Tokenizer> tokenizer = tokenizer_from_json(text, "t.json");
    return tokenizer ? "" : tokenizer.error().key;
}

std::string with_model(const std::string& model, const std::string& added = "[]") {
    return R"({"added_tokens":)" + added + R"(,"model":)" + model + "}";
}

} // namespace

TEST_CASE("tokenizers of words and of characters come back from their files as they were") {
    const TemporaryFolder folder;
    const Strings texts = {"The animal didn’t cross “the” street, ok?", "guarda-chuva é manga"};
    for (const Tokenizer& tokenizer :
         {Tokenizer::words(texts, {true, 0}), Tokenizer::words(texts, {false, 0}),
          Tokenizer::characters("abc é\"\\\n"), Tokenizer::characters("aB", true)}) {
        REQUIRE(write_tokenizer(folder / "tokenizer.json", tokenizer));
        const Result<Tokenizer> read = read_tokenizer(folder / "tokenizer.json");
        REQUIRE(read);
        CHECK(*read == tokenizer);
        for (const std::string& text : texts) CHECK(read->encode_ids(text) == tokenizer.encode_ids(text));
    }
}

TEST_CASE("the file of a tokenizer of words is what the library of Hugging Face writes") {
    CHECK(tokenizer_to_json(Tokenizer::words(Strings{"b a"})) == R"({
 "version": "1.0",
 "truncation": null,
 "padding": null,
 "added_tokens": [
  {
   "id": 0,
   "content": "<pad>",
   "single_word": false,
   "lstrip": false,
   "rstrip": false,
   "normalized": false,
   "special": true
  },
  {
   "id": 1,
   "content": "<s>",
   "single_word": false,
   "lstrip": false,
   "rstrip": false,
   "normalized": false,
   "special": true
  },
  {
   "id": 2,
   "content": "</s>",
   "single_word": false,
   "lstrip": false,
   "rstrip": false,
   "normalized": false,
   "special": true
  },
  {
   "id": 3,
   "content": "<unk>",
   "single_word": false,
   "lstrip": false,
   "rstrip": false,
   "normalized": false,
   "special": true
  }
 ],
 "normalizer": {
  "type": "Sequence",
  "normalizers": [
   {
    "type": "NFC"
   },
   {
    "type": "Lowercase"
   },
   {
    "type": "Replace",
    "pattern": {
     "String": "’"
    },
    "content": "'"
   }
  ]
 },
 "pre_tokenizer": {
  "type": "Split",
  "pattern": {
   "Regex": "\\w+(?:['\\-]\\w+)*|[^\\w\\s]"
  },
  "behavior": "Removed",
  "invert": true
 },
 "post_processor": null,
 "decoder": null,
 "model": {
  "type": "WordLevel",
  "vocab": {
   "<pad>": 0,
   "<s>": 1,
   "</s>": 2,
   "<unk>": 3,
   "a": 4,
   "b": 5
  },
  "unk_token": "<unk>"
 }
}
)");
}

TEST_CASE("the tokenizer of a checkpoint made elsewhere opens, without special tokens but its unknown one") {
    const Result<Tokenizer> tokenizer =
        read_tokenizer(HEADLIGHT_SOURCE_DIR "/tests/data/nano-sort/tokenizer.json");
    REQUIRE(tokenizer);
    CHECK(tokenizer->encode_ids("C B A") == std::vector<TokenId>{2, 1, 0});
    CHECK(tokenizer->vocabulary().specials() == SpecialTokens{no_token, no_token, no_token, 0});
    CHECK(tokenizer->decode(std::vector<TokenId>{0, 1, 2}) == "A B C");
    CHECK_FALSE(tokenizer->encode("D")[0].known);
}

TEST_CASE("each pre-tokenizer cuts as its own in the library does") {
    const std::string text = "the cat's  well-known… ok?!\n$5";
    CHECK(cut(R"({"type":"Whitespace"})", text)
          == Strings{"the", "cat", "'", "s", "well", "-", "known", "…", "ok", "?!", "$", "5"});
    CHECK(cut(R"({"type":"WhitespaceSplit"})", text) == Strings{"the", "cat's", "well-known…", "ok?!", "$5"});
    CHECK(cut(R"({"type":"BertPreTokenizer"})", text)
          == Strings{"the", "cat", "'", "s", "well", "-", "known", "…", "ok", "?", "!", "$", "5"});
    CHECK(cut(R"({"type":"Punctuation"})", "a b, c") == Strings{"a b", ",", " c"});
    CHECK(cut(R"({"type":"Punctuation","behavior":"Isolated"})", "!") == Strings{"!"});
    CHECK(cut("null", text) == Strings{text});
    CHECK(cut(R"({"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},{"type":"Punctuation"}]})",
              "a, b")
          == Strings{"a", ",", "b"});
    for (const char* pattern : {R"([\\s\\S])", "(?s).", "."})
        CHECK(cut(std::string(R"({"type":"Split","pattern":{"Regex":")") + pattern
                      + R"("},"behavior":"Isolated","invert":false})",
                  "a é")
              == Strings{"a", " ", "é"});
}

TEST_CASE("each normalizer changes text as its own in the library does") {
    CHECK(normalize(R"({"type":"NFC"})", "e\u0301") == Strings{"é"});
    CHECK(normalize(R"({"type":"NFD"})", "é") == Strings{"e\u0301"});
    CHECK(normalize(R"({"type":"NFKC"})", "ﬁ") == Strings{"fi"});
    CHECK(normalize(R"({"type":"NFKD"})", "ﬁé") == Strings{"fie\u0301"});
    CHECK(normalize(R"({"type":"Lowercase"})", "ÀB") == Strings{"àb"});
    CHECK(normalize(R"({"type":"StripAccents"})", "e\u0301é") == Strings{"eé"});
    CHECK(normalize(R"({"type":"Replace","pattern":{"String":"ab"},"content":"x"})", "aabab")
          == Strings{"axx"});
    CHECK(normalize(R"({"type":"Sequence","normalizers":[{"type":"NFD"},{"type":"StripAccents"}]})", "ção")
          == Strings{"cao"});
    const std::string bert = R"({"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,)"
                             R"("strip_accents":null,"lowercase":true})";
    CHECK(normalize(bert, "Ção\t漢\u0007") == Strings{"cao  漢 "});
    CHECK(normalize(R"({"type":"BertNormalizer","lowercase":false})", "Ç") == Strings{"Ç"});
    CHECK(normalize(R"({"type":"BertNormalizer","lowercase":false,"strip_accents":true})", "Ç")
          == Strings{"C"});
}

TEST_CASE("what a normalizer changed is still shown as it was typed") {
    const Tokenizer tokenizer =
        tokenizer_with(R"({"type":"Sequence","normalizers":[{"type":"NFKC"},{"type":"Lowercase"}]})",
                       R"({"type":"Whitespace"})");
    const std::vector<Piece> pieces = tokenizer.encode("ﬁne ＴＨＥ e\u0301");
    REQUIRE(pieces.size() == 3);
    CHECK(pieces[0].text == "ﬁne");
    CHECK(pieces[1].text == "ＴＨＥ");
    CHECK(pieces[1].id == 1);
    CHECK(pieces[2].text == "e\u0301");
    CHECK(pieces[2].id == 3);
}

TEST_CASE("what is not supported is an error that names the part") {
    const std::string whitespace = R"({"type":"Whitespace"})";
    CHECK(refused_part(file_with(R"({"type":"Nmt"})", whitespace)) == "normalizer");
    CHECK(refused_part(file_with("7", whitespace)) == "normalizer");
    CHECK(refused_part(
              file_with(R"({"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Nmt"}]})", whitespace))
          == "normalizer.normalizers[1]");
    CHECK(refused_part(file_with(R"({"type":"Precompiled"})", whitespace))
          == "normalizer.precompiled_charsmap");
    CHECK(refused_part(file_with(R"({"type":"Precompiled","precompiled_charsmap":"????"})", whitespace))
          == "normalizer.precompiled_charsmap");
    CHECK(refused_part(file_with(R"({"type":"Replace","pattern":{"String":""},"content":"x"})", whitespace))
          == "normalizer.pattern");
    CHECK(refused_part(file_with("null", R"({"type":"UnicodeScripts"})")) == "pre_tokenizer");
    CHECK(refused_part(file_with("null", R"({"type":"Metaspace","prepend_scheme":"last"})"))
          == "pre_tokenizer.prepend_scheme");
    CHECK(refused_part(file_with("null", R"({"type":"Punctuation","behavior":"Doubled"})"))
          == "pre_tokenizer.behavior");
    CHECK(refused_part(file_with("null", whitespace, R"({"type":"CTC"})")) == "decoder");
    CHECK(refused_part(with_model(R"({"type":"Markov","vocab":{"a":0}})")) == "model.type");
    CHECK(refused_part(with_model(R"({"type":"WordLevel","vocab":[]})")) == "model.vocab");
    CHECK(refused_part(with_model(R"({"type":"BPE","vocab":{"a":0}})")) == "model.merges");
    CHECK(
        refused_part(with_model(R"({"type":"BPE","vocab":{"a":0},"merges":[],"end_of_word_suffix":"</w>"})"))
        == "model.end_of_word_suffix");
    CHECK(refused_part("{}") == "model");
    CHECK(refused_part("[]") == "{…}");
    CHECK(refused_part(with_model(R"({"vocab":{"<unk>":0}})", R"([{"id":1,"content":"x","lstrip":1}])"))
          == "added_tokens[0].lstrip");
    CHECK(refused_part(with_model(R"({"vocab":{"<unk>":0}})", "{}")) == "added_tokens");
    const Result<Tokenizer> named = tokenizer_from_json(file_with(R"({"type":"Nmt"})", whitespace), "t.json");
    CHECK(named.error().arguments.at(2) == "\"Nmt\"");
}

TEST_CASE("an expression that is none is an error that says why") {
    const Result<Tokenizer> tokenizer = tokenizer_from_json(
        file_with("null", R"({"type":"Split","pattern":{"Regex":"(a"},"behavior":"Isolated"})"), "t.json");
    REQUIRE_FALSE(tokenizer);
    CHECK(tokenizer.error().key == "error.tokenizer_pattern");
    CHECK(tokenizer.error().arguments.at(1) == "(a");
}

TEST_CASE("each behaviour of Split cuts as in the library") {
    const auto split = [](const char* behavior, const char* inverted) {
        return std::string(R"({"type":"Split","pattern":{"Regex":"[-.]"},"behavior":")") + behavior
               + R"(","invert":)" + inverted + "}";
    };
    const std::string text = "a-b--c.";
    CHECK(cut(split("Removed", "false"), text) == Strings{"a", "b", "c"});
    CHECK(cut(split("Isolated", "false"), text) == Strings{"a", "-", "b", "-", "-", "c", "."});
    CHECK(cut(split("MergedWithPrevious", "false"), text) == Strings{"a-", "b-", "-", "c."});
    CHECK(cut(split("MergedWithNext", "false"), text) == Strings{"a", "-b", "-", "-c", "."});
    CHECK(cut(split("Contiguous", "false"), text) == Strings{"a", "-", "b", "--", "c", "."});
    CHECK(cut(split("Removed", "true"), text) == Strings{"-", "-", "-", "."});
    CHECK(cut(R"({"type":"Split","pattern":{"String":"--"},"behavior":"Removed"})", text)
          == Strings{"a-b", "c."});
    CHECK(cut(R"({"type":"Digits","individual_digits":true})", "a12") == Strings{"a", "1", "2"});
    CHECK(cut(R"({"type":"Digits"})", "a12²b") == Strings{"a", "12²", "b"});
    CHECK(cut(R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true})", "a  b")
          == Strings{"▁a", "▁", "▁b"});
    CHECK(cut(R"({"type":"ByteLevel","add_prefix_space":true,"use_regex":true})", "é b")
          == Strings{"ĠÃ©", "Ġb"});
}

TEST_CASE("models with impossible vocabularies or merges are errors") {
    const auto bpe = [](const std::string& vocab, const std::string& merges) {
        return with_model(R"({"type":"BPE","vocab":)" + vocab + R"(,"merges":)" + merges + "}");
    };
    CHECK(error_of(bpe(R"({"a":0,"b":1,"ab":2})", R"(["a b"])")) == "");
    CHECK(error_of(bpe(R"({"a":0,"b":1,"ab":2})", R"([["a","b"]])")) == "");
    CHECK(error_of(bpe(R"({"a":0,"b":1,"ab":2})", R"(["a b","a b"])")) == "");
    for (const char* merges : {R"(["ab"])", R"(["a c"])", R"(["b a"])", R"([["a"]])", R"([["a","b","ab"]])",
                               "[5]", R"([{"a":"b"}])", R"([["a",1]])", "[null]"})
        CHECK_MESSAGE(error_of(bpe(R"({"a":0,"b":1,"ab":2})", merges)) == "error.tokenizer_merge", merges);
    CHECK(error_of(bpe("{}", "[]")) == "error.tokenizer_empty");
    CHECK(error_of(bpe(R"({"a":0,"b":0})", "[]")) == "error.tokenizer_id");
    CHECK(error_of(bpe(R"({"a":-1})", "[]")) == "error.tokenizer_id");
    CHECK(error_of(bpe(R"({"a":{"b":[1]}})", "[]")) == "error.tokenizer_id");
    CHECK(error_of(bpe(R"({"a":4000000000})", "[]")) == "error.tokenizer_id");
    CHECK(error_of(bpe(R"({"a":0,"b":7})", "[]")) == ""); // ids without a token
    const auto unigram = [](const std::string& vocab) {
        return with_model(R"({"type":"Unigram","unk_id":0,"vocab":)" + vocab + "}");
    };
    CHECK(error_of(unigram(R"([["<unk>",0],["a",-1.5]])")) == "");
    CHECK(error_of(unigram(R"([["<unk>",0],["a","b"]])")) == "error.tokenizer_score");
    CHECK(error_of(unigram(R"([["<unk>",0],["a"]])")) == "error.tokenizer_score");
    CHECK(error_of(unigram(R"([["<unk>",0],7])")) == "error.tokenizer_score");
    CHECK(error_of(unigram(R"([["<unk>",0],["<unk>",-1]])")) == "error.tokenizer_token_twice");
    CHECK(error_of(unigram("[]")) == "error.tokenizer_empty");
    CHECK(error_of(unigram(R"([["<unk>",NaN]])")) == "error.json_syntax");
    CHECK(error_of(with_model(R"({"type":"WordPiece","vocab":{"a":0}})")) == "error.tokenizer_no_unknown");
    CHECK(refused_part(with_model(R"({"type":"Unigram","unk_id":5,"vocab":[["a",0]]})")) == "model.unk_id");
}

TEST_CASE("a vocabulary of 150,000 tokens opens in a moment") {
    std::string vocab = R"({"a":0,"b":1)", merges;
    std::vector<std::string> words = {"a", "b"};
    for (std::size_t i = 0; words.size() < 150'000; ++i)
        for (const char* letter : {"a", "b"}) {
            words.push_back(words[i] + letter);
            vocab += ",\"" + words.back() + "\":" + std::to_string(words.size() - 1);
            merges += (merges.empty() ? "\"" : ",\"") + words[i] + " " + letter + "\"";
        }
    const std::string file =
        with_model(R"({"type":"BPE","vocab":)" + vocab + R"(},"merges":[)" + merges + "]}");
    const Result<Tokenizer> tokenizer = tokenizer_from_json(file, "t.json");
    REQUIRE(tokenizer);
    CHECK(tokenizer->vocabulary().size() == 150'000);
    CHECK(tokenizer->encode("abba").size() == 2); // ab, ba: no merge has both
}

TEST_CASE("replacements that would multiply a text are refused") {
    std::string steps;
    for (int i = 0; i < 10; ++i)
        steps += std::string(i == 0 ? "" : ",") + R"({"type":"Replace","pattern":{"String":"a"},"content":")"
                 + std::string(50, 'a') + R"("})";
    CHECK(refused_part(file_with(R"({"type":"Sequence","normalizers":[)" + steps + "]}", "null"))
          == "normalizer");
    std::string many;
    for (int i = 0; i < 100; ++i) many += std::string(i == 0 ? "" : ",") + R"({"type":"NFC"})";
    CHECK(refused_part(file_with(R"({"type":"Sequence","normalizers":[)" + many + "]}", "null"))
          == "normalizer.normalizers");
}

TEST_CASE("ids number the tokens from zero, none twice and none left out") {
    CHECK(error_of(with_model(R"({"vocab":{"<unk>":0,"a":1}})")) == "");
    CHECK(error_of(with_model(R"({"vocab":{"<unk>":0,"a":2}})")) == "error.tokenizer_id");
    CHECK(error_of(with_model(R"({"vocab":{"<unk>":0,"a":0}})")) == "error.tokenizer_id");
    CHECK(error_of(with_model(R"({"vocab":{"<unk>":0,"a":-1}})")) == "error.tokenizer_id");
    CHECK(error_of(with_model(R"({"vocab":{"<unk>":0,"a":"1"}})")) == "error.tokenizer_id");
    CHECK(error_of(with_model(R"({"vocab":{"<unk>":0,"a":99999999999}})")) == "error.tokenizer_id");
    CHECK(error_of(with_model(R"({"vocab":{"<unk>":0,"a":1,"a":2}})")) == "error.json_key_twice");
    CHECK(error_of(with_model(R"({"vocab":{"a":0}})")) == "error.tokenizer_no_unknown");
    CHECK(error_of(with_model(R"({"vocab":{"a":0},"unk_token":"b"})")) == "error.tokenizer_no_unknown");
    CHECK(error_of(with_model(R"({"vocab":{}})")) == "error.tokenizer_no_unknown");
}

TEST_CASE("added tokens continue the vocabulary or repeat it, and may not contradict it") {
    const std::string model = R"({"vocab":{"<unk>":0,"a":1}})";
    const Result<Tokenizer> tokenizer = tokenizer_from_json(
        with_model(model, R"([{"id":2,"content":"</s>","special":true},{"id":1,"content":"a"},)"
                          R"({"id":3,"content":"[X]","special":false}])"),
        "t.json");
    REQUIRE(tokenizer);
    CHECK(tokenizer->vocabulary().specials() == SpecialTokens{no_token, no_token, 2, 0});
    CHECK(tokenizer->encode_ids("[X]</s>") == std::vector<TokenId>{3, 2});
    CHECK(tokenizer->decode(std::vector<TokenId>{3, 2}) == "[X]");
    CHECK(error_of(with_model(model, R"([{"id":3,"content":"a"}])")) == "error.tokenizer_id");
    CHECK(error_of(with_model(model, R"([{"id":0,"content":"b"}])")) == "error.tokenizer_id");
    CHECK(error_of(with_model(model, R"([{"id":7,"content":"b"}])")) == "error.tokenizer_id");
    CHECK(error_of(with_model(model, R"([{"content":"b"}])")) == "error.tokenizer_id");
    const Result<Tokenizer> choosy = tokenizer_from_json(
        with_model(model, R"([{"id":2,"content":"a b","rstrip":true,"single_word":true}])"), "t.json");
    REQUIRE(choosy);
    CHECK(choosy->encode_ids("a b  a") == std::vector<TokenId>{2, 1});
    CHECK(choosy->encode_ids("a bx") == std::vector<TokenId>{0});
    CHECK(*tokenizer_from_json(tokenizer_to_json(*choosy), "again.json") == *choosy);
}

TEST_CASE("text that is not JSON is an error with its line and column") {
    const Result<Tokenizer> tokenizer = tokenizer_from_json("{\n \"a\": 1,\n \"ção\" 2\n}", "t.json");
    CHECK(tokenizer.error().key == "error.json_syntax");
    CHECK(tokenizer.error().arguments == Strings{"t.json", "3", "8"});
    CHECK(tokenizer_from_json("", "t.json").error().arguments == Strings{"t.json", "1", "1"});
    CHECK(error_of("{\"a\": \"\xFF\"}") == "error.json_syntax");
    CHECK(error_of(std::string(1'000'000, '{')) == "error.json_too_deep");
}
