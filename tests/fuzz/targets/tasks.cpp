// What a person trains on: sentence pairs, labelled lines, texts, phrase grammars.
#include "tests/fuzz/folder_input.h"
#include "tests/fuzz/targets.h"

#include "engine/task/grammar.h"
#include "engine/task/pairs.h"
#include "engine/train/training_state.h"

namespace headlight::fuzz {

namespace {

const std::vector<std::string> line_words = {"\t",  "\t\t",     "\n",   "a\tb\n", "#",
                                             " \n", "\xC2\xA0", "good", "bad"};

void use(const Result<std::unique_ptr<Task>>& task, const std::string& file, const Judge& judge) {
    if (!judge.accepts(task, file)) return;
    Random random(1);
    for (int i = 0; i < 3; ++i) (void)(*task)->sample(random);
    judge.expect(!(*task)->all_training().empty(), "a task without anything to train on");
    (void)(*task)->held_out();
    (void)(*task)->longest_source();
}

void read_pair_file(std::string_view input, const Judge& judge) {
    static InputFolder folder;
    const std::string file = folder.file("pairs.tsv", input).string();
    for (const RefusedLine& refused : parse_pairs(input).refused)
        judge.error({refused.reason, {file, std::to_string(refused.line)}}, file);
    use(make_own_task(own_pairs, file, TokenizerKind::words), file, judge);
}

void read_label_file(std::string_view input, const Judge& judge) {
    static InputFolder folder;
    const std::string file = folder.file("labels.tsv", input).string();
    use(make_own_task("sentiment", file, TokenizerKind::words), file, judge);
}

void read_text_file(std::string_view input, const Judge& judge) {
    static InputFolder folder;
    const std::string file = folder.file("text.txt", input).string();
    const auto unit = static_cast<TokenizerKind>(input.size() % 3);
    constexpr Index few_tokens = 300;
    use(make_own_task("next-word", file, unit, unit == TokenizerKind::bpe ? few_tokens : 0), file, judge);
}

void read_grammar(std::string_view input, const Judge& judge) {
    const std::string file = "grammar.txt";
    const Result<grammar::Grammar> read = grammar::parse(input, file);
    if (!judge.accepts(read, file)) return;
    using grammar::Direction;
    for (Direction direction : {Direction::english_to_portuguese, Direction::portuguese_to_english})
        (void)judge.accepts(grammar::speak(*read, direction), file);
}

} // namespace

Target pairs_target() {
    return {.name = "pairs",
            .examples = {"assets/lessons/19-pairs-30.tsv"},
            .words = line_words,
            .read = read_pair_file,
            .runs = 500};
}

Target labels_target() {
    return {.name = "labels", .words = line_words, .read = read_label_file, .runs = 500};
}

Target text_target() {
    return {.name = "text",
            .examples = {"tests/data/tokenizers/lines.txt"},
            .words = {"\n\n", ". ", "The ", "\xC3\xA9", "\xE4\xBD\xA0"},
            .read = read_text_file,
            .longest = 50'000,
            .runs = 150};
}

Target grammar_target() {
    return {.name = "grammar",
            .examples = {"assets/grammars/*"},
            .words = {" = ",
                      " => ",
                      " <= ",
                      "|",
                      "/",
                      "{animal}",
                      "{o|a:animal}",
                      "{who.falo}",
                      "words x\n",
                      "phrases y\n",
                      "hold animal place\n",
                      "o ",
                      "a ",
                      "{",
                      "}",
                      ":",
                      ".",
                      ", ",
                      "share 3\n",
                      "+ animal\n",
                      "  "},
            .read = read_grammar,
            .longest = 100'000,
            .runs = 60};
}

} // namespace headlight::fuzz
