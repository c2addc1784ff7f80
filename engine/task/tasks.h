#pragma once

#include "engine/language/senses.h"
#include "engine/task/grammar.h"
#include "engine/task/task.h"
#include "engine/text/tokenizer.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// Copying and reversing strings of characters: the smallest tasks that need attention to learn. Copying wants
// the diagonal, reversing the other one.

inline constexpr std::size_t longest_character_string = 24;

// English and Portuguese letters, digits, space, and - ' . , ! ?
const std::vector<std::string>& character_alphabet();

std::unique_ptr<Task> make_copy_task();
std::unique_ptr<Task> make_reverse_task();

// Remembering over a distance: what recurrent networks find hard (Hochreiter & Schmidhuber 1997, §5; Bengio
// et al. 1994).

// A task of memory: what has to be kept comes first, then `distance` words that mean nothing, then the
// question. The source is all of that, the target the answer, so that those who write on learn it as well as
// those who read and answer; of what they are given as a beginning nothing counts (Task::prefix_counts).
// "recall": a fact in words, "i grew up in germany … i speak fluent" → "german", "the clouds … are in the" →
// "sky". "recall-pt": the same in Portuguese. "recall-pairs": associative recall, "anna red bruno blue …
// bruno" → "blue". "recall-list": copying, "red blue green … again" → "red blue green".
const std::vector<std::string>& memory_task_names();

// Null of another name.
std::unique_ptr<Task> make_memory_task(std::string_view name, Index distance);

// The same sentence with another fact in it, and so another answer: every other word stays, and there are as
// many. `number`: which of the others, counted in a circle. Nothing when the pair is none of the task's.
std::optional<SentencePair> with_other_fact(std::string_view name, const SentencePair& pair,
                                            Index number = 0);

// Learning the sentences of a phrase grammar.

enum class Periods { both_sides, source, none }; // which sides get one in every second sentence

// Every sentence comes with and without its final period. A block is drawn by its share, in it each phrase as
// often as any other, of a phrase each sentence as often as any other.
std::unique_ptr<Task> make_phrase_task(std::string name, const std::vector<grammar::SpokenBlock>& blocks,
                                       Learner learner = {}, Periods periods = Periods::both_sides);

// Glossing: for every English word the Portuguese word that it becomes just here, "–" where it becomes none.
// What "it" becomes depends on whom it means, so an encoder alone has to find that out where "it" stands.

// grammars: the folder of english-portuguese.txt, whose word lists it uses, and of gloss.txt. Errors: those
// of the grammars; gloss_uneven, of a sentence with more words on one side than on the other.
Result<std::unique_ptr<Task>> make_gloss_task(const std::string& grammars);

// Which Portuguese word each English word of a translated sentence becomes: a word alignment by the lexicon's
// forms.

// Never changes once it is made: any number of threads may ask one.
class WordGlosser {
public:
    // Of assets/lexicon and assets/grammars/everyday-gloss.txt. Errors: those of these files.
    static Result<WordGlosser> open(const std::string& assets);

    static constexpr std::string_view none = "–"; // becomes no word
    static constexpr std::string_view same = "="; // stays as it is: a name, a number

    // For each of the English sentence's gloss_words the Portuguese words that it becomes, in small letters
    // unless they are always written otherwise; between several stands a space that does not break (U+00A0).
    // Nothing where a word that says something, on either side, stands for none of the other's: then the
    // sentence says it in its own way.
    std::optional<std::vector<std::string>> gloss(std::string_view english,
                                                  std::string_view portuguese) const;

    // The same as places: for each of the English sentence's gloss_words those of the Portuguese words that
    // it becomes.
    std::optional<std::vector<std::vector<TypedRange>>> align(std::string_view english,
                                                              std::string_view portuguese) const;

private:
    explicit WordGlosser(language::Senses senses) : senses_(std::move(senses)) {}

    language::Senses senses_;
};

// One gloss a word, as it is written: "o cachorro dorme."
std::string written_gloss(const std::vector<std::string>& glosses);

// Sentiment: whether a sentence praises or complains, in English and in Portuguese.

// grammars: the folder of sentiment.txt, which says where its sentences come from. Both sides of each of its
// pairs are learnt; the label is the first word of the group's name. Errors: those of the grammar;
// labels_one.
Result<std::unique_ptr<Task>> make_sentiment_task(const std::string& grammars);

// Going on with a beginning, word after word: of the English sentences of the phrase grammar, or of any text.

// grammars: the folder of english-portuguese.txt. A pair is a sentence without its last word, and that word
// with the period, so that the score tells how often the last word is found: held out are sentences whose
// beginning, in all of the grammar, has only one. Errors: those of the grammar.
Result<std::unique_ptr<Task>> make_next_word_task(const std::string& grammars);

constexpr std::size_t text_window_words = 32, text_window_characters = 64, text_window_bpe = 64;
constexpr std::size_t fewest_text_tokens = 20;

// Windows of a text, as many as there are up to 20 000, the last token of each being its target; the last
// tenth of the text is held out. `name` is of its file. Of byte pairs windows begin and end with words (parts
// of one, where a single word is longer), so that each is cut as the whole text is; `vocabulary` is the
// number of tokens that are learnt, from all of the text (0: usual_bpe_vocabulary). Errors: text_not_utf8,
// text_too_short.
Result<std::unique_ptr<Task>> make_text_task(std::string name, std::string_view text, TokenizerKind unit,
                                             Index vocabulary = 0);

} // namespace headlight
