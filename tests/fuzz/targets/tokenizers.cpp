// Tokenizers: tokenizer.json by itself, and the folders of every family with the files that it has.
#include "tests/fuzz/folder_input.h"
#include "tests/fuzz/targets.h"

#include "engine/io/tokenizer_folder.h"
#include "engine/io/tokenizer_json.h"
#include "engine/text/cutting.h"
#include "engine/text/unicode.h"

#include <algorithm>

namespace headlight::fuzz {

namespace {

const std::vector<std::string> words_of_tokenizers = {"{\"type\": \"NFC\"}",
                                                      "\"NFKD\"",
                                                      "\"Lowercase\"",
                                                      "\"StripAccents\"",
                                                      "\"Strip\"",
                                                      "\"Replace\"",
                                                      "\"Prepend\"",
                                                      "\"BertNormalizer\"",
                                                      "\"Whitespace\"",
                                                      "\"Punctuation\"",
                                                      "\"Digits\"",
                                                      "\"Split\"",
                                                      "\"ByteLevel\"",
                                                      "\"Metaspace\"",
                                                      "\"WordLevel\"",
                                                      "\"BPE\"",
                                                      "\"WordPiece\"",
                                                      "\"Unigram\"",
                                                      "\"TemplateProcessing\"",
                                                      "\"Sequence\"",
                                                      "\"pattern\": {\"Regex\": \"(a|aa)+$\"}",
                                                      "\"pattern\": {\"Regex\": \"(?R)\"}",
                                                      "\"pattern\": {\"String\": \"\"}",
                                                      "\"content\": \"\"",
                                                      "\"unk_token\": null",
                                                      "\"byte_fallback\": true",
                                                      "\"max_input_chars_per_word\": 0",
                                                      "\"continuing_subword_prefix\": \"\"",
                                                      "\"fuse_unk\": true",
                                                      "\"ignore_merges\": true",
                                                      "\"added_tokens\": []",
                                                      "\"single_word\": true",
                                                      "\"lstrip\": true",
                                                      "\"rstrip\": true",
                                                      "\"normalized\": true",
                                                      "\"dropout\": 1.0",
                                                      "[\"a\", -1e308]",
                                                      "\"behavior\": \"Isolated\"",
                                                      "\"behavior\": \"MergedWithNext\"",
                                                      "\"invert\": true",
                                                      "#version: 0.2\n"};

// What every tokenizer promises, of a few texts.
void use(const Tokenizer& tokenizer, const Judge& judge) {
    static const std::vector<std::string> texts = {"",
                                                   " ",
                                                   "the cat sat on the mat, 1234567 times!",
                                                   "Olá, você não comeu a maçã?  <s> [MASK] </s> >>por<< ▁a",
                                                   "\xff\xfe a\xE2\x96 \xF0\x9F\x90\x88",
                                                   std::string(2000, 'a'),
                                                   "A\r\n\tB\n\n\n c e\xCC\x81"};
    for (const std::string& text : texts) {
        const Result<std::vector<Piece>> pieces = tokenizer.try_encode(text);
        if (!judge.accepts(pieces)) continue;
        std::vector<TokenId> ids;
        for (const Piece& piece : *pieces) {
            judge.expect(piece.id >= 0 && piece.id < tokenizer.vocabulary().size(),
                         "an id outside the vocabulary");
            judge.expect(piece.typed.begin <= piece.typed.end && piece.typed.end <= text.size(),
                         "typed outside the text");
            ids.push_back(piece.id);
        }
        (void)tokenizer.decode(ids);
        for (TokenId id : std::vector<TokenId>(
                 ids.begin(), ids.begin() + std::min<std::ptrdiff_t>(Index(ids.size()), 20))) {
            judge.expect(is_valid_utf8(token_label(tokenizer, id)), "a label that is not UTF-8");
            (void)token_bytes(tokenizer, id);
        }
        const ModelInput fed = tokenizer.model_input(text, "b");
        for (const TokenId id : fed.ids)
            judge.expect(id >= 0 && id < tokenizer.vocabulary().size(),
                         "the model is fed an id outside the vocabulary");
        if (text.size() < 100)
            for (const CutStretch& stretch : cut(tokenizer, text).stretches)
                for (const CutWord& word : stretch.words) (void)steps_of(word);
    }
    (void)tokenizer.nearest("caat", 3);
}

void read_tokenizer_text(std::string_view input, const Judge& judge) {
    const std::string name = "tokenizer.json";
    if (const auto tokenizer = tokenizer_from_json(input, name); judge.accepts(tokenizer, name))
        use(*tokenizer, judge);
}

void read_tokenizers_of_folder(std::string_view input, const Judge& judge) {
    static InputFolder folder;
    const std::filesystem::path& path = folder.holding(input);
    const Result<Tokenizers> tokenizers = read_tokenizers(path);
    if (!judge.accepts(tokenizers, path.string())) return;
    use(tokenizers->source, judge);
    if (!tokenizers->source.is_same_as(tokenizers->target)) use(tokenizers->target, judge);
}

} // namespace

Target tokenizer_target() {
    return {.name = "tokenizer",
            .has_json = true,
            .examples = {"tests/data/tokenizers/bert/tokenizer.json",
                         "tests/data/tokenizers/gpt2/tokenizer.json",
                         "tests/data/tokenizers/llama2/tokenizer.json",
                         "tests/data/tokenizers/llama3/tokenizer.json",
                         "tests/data/tokenizers/llama_metaspace/tokenizer.json",
                         "tests/data/tokenizers/qwen2/tokenizer.json",
                         "tests/data/tokenizers/smollm2/tokenizer.json",
                         "tests/data/tokenizers/unigram/tokenizer.json", "assets/models/copy/tokenizer.json"},
            .words = words_of_tokenizers,
            .read = read_tokenizer_text,
            .runs = 300};
}

Target tokenizers_target() {
    return {.name = "tokenizers",
            .takes_folder = true,
            .has_json = true,
            .examples = {"tests/data/tokenizers/*"},
            .words = words_of_tokenizers,
            .read = read_tokenizers_of_folder,
            .runs = 300};
}

} // namespace headlight::fuzz
