// What a teacher extends: the lexicon, the grammar of everyday sentences; and what evaluating a model has written
// of how far its answers can be trusted.
#include "tests/fuzz/folder_input.h"
#include "tests/fuzz/targets.h"

#include "app/session/translation.h"
#include "engine/language/drawing.h"

#include <cmath>

namespace headlight::fuzz {

namespace {

using namespace language;

void read_lexicon_folder(std::string_view input, const Judge& judge) {
    static InputFolder folder;
    const Result<Lexicon> lexicon = Lexicon::read(folder.holding(input).string());
    if (!judge.accepts(lexicon)) return; // the files of the folder are named, each by itself
    for (std::size_t leaf = 0; leaf < lexicon->leaf_count(); ++leaf)
        judge.expect(lexicon->leaf(lexicon->leaf_name(leaf)) == leaf, "a class that is found by its name");
}

void read_sentence_grammar(std::string_view input, const Judge& judge) {
    static const Result<Lexicon>& read = *new Result<Lexicon>(Lexicon::read(HEADLIGHT_SOURCE_DIR "/assets/lexicon"));
    static const auto& lexicon = *new std::shared_ptr<const Lexicon>(std::make_shared<Lexicon>(*read));
    const std::string file = "sentences.txt";
    Result<SentenceGrammar> grammar = SentenceGrammar::parse(input, file, *lexicon);
    if (!judge.accepts(grammar, file)) return;
    const Drawer drawer(lexicon, *std::move(grammar), Direction::english_to_portuguese);
    Random random(1);
    for (int i = 0; i < 5; ++i) (void)drawer.draw(random);
}

void read_confidence_file(std::string_view input, const Judge& judge) {
    static InputFolder folder;
    const std::optional<Confidence> confidence =
        read_confidence(folder.file(confidence_name, input).parent_path());
    if (!confidence) return judge.outcome("none");
    judge.outcome("some");
    for (const Evidence& evidence : {Evidence{0, 0}, Evidence{-0.1, -2}, Evidence{-1e9, -1e9}}) {
        const double right = confidence->probability_right(evidence);
        judge.expect(right >= 0 && right <= 1, "a probability");
    }
}

} // namespace

Target lexicon_target() {
    return {.name = "lexicon",
            .takes_folder = true,
            .words = {" = ", " | ", "/", "; ", "* ", "(m)", "(f)", "plural", "@", "~", "# ", "\t", ":"},
            .read = read_lexicon_folder,
            .longest = 60'000,
            .runs = 150};
}

Target sentences_target() {
    return {.name = "sentences",
            .examples = {"assets/grammars/everyday.txt"},
            .words = {" = ", " => ", " <= ", " | ", "/", "{np}", "{vp:past}", "{noun}", "+ ", "  ", "features ", ": ", "{", "}", "~", "weight 3"},
            .read = read_sentence_grammar,
            .longest = 100'000,
            .runs = 120};
}

Target confidence_target() {
    return {.name = "confidence",
            .has_json = true,
            .examples = {"assets/models/everyday-en-pt/confidence.json"},
            .words = {"\"bias\"", "\"of_mean\"", "\"of_least\"", "1e999", "-1e308", "NaN", "null"},
            .read = read_confidence_file,
            .runs = 600};
}

} // namespace headlight::fuzz
