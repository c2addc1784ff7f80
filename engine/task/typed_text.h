// Sentences as people type them: without the capital letter or the final mark, “i am” for “I'm”, a slip of
// the fingers. Only what a model reads is changed so, never what it should say.
#pragma once

#include "engine/task/grammar.h"
#include "engine/tensor/random.h"

#include <string>

namespace headlight {

// Mostly as it stands; what is changed means the same. A question loses its mark only where its first word
// says that it is one.
std::string as_typed(std::string sentence, grammar::Language language, Random& random);

// "I'm late." → "I am late.", "It isn't." → "It is not."; as it stands where it is not certain what was
// contracted ("he's gone", "I'd"), or where the words would have to change places ("Don't you know?").
std::string with_contractions_opened(const std::string& english);
// The other way: "I am late." → "I'm late."; not at the end of what is said ("Yes, I am.").
std::string with_contractions_closed(const std::string& english);

} // namespace headlight
