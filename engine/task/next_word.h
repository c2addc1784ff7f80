// Going on with a beginning, word after word: of the English sentences of the phrase grammar, or of any text.
#pragma once

#include "engine/task/task.h"

namespace headlight {

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
