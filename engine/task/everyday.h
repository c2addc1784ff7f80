// What people say every day, in byte pairs: translations, opinions and stories that were written for this
// program (assets/phrasebook, opinions, stories), and sentences drawn from the lexicon. What is read is
// changed anew each time: other names, other numbers, typed as people type.
#pragma once

#include "engine/task/task.h"

namespace headlight {

// "everyday-en-pt", "everyday-pt-en": translations. "everyday-gloss": under each English word what it becomes.
// "everyday-sentiment": whether an opinion is praise, in
// either language. "everyday-next-word": going on with an English story.
const std::vector<std::string>& everyday_task_names();

constexpr Index usual_everyday_vocabulary = 5000; // tokens

// `vocabulary`: tokens to learn (0: the usual number). What is held out, a hash of the sentence decides, so
// that lines that are added move no others; lines that differ in a contraction or a capital letter are held
// out together, as are opinions that stand side by side in nearly the same words. Errors: those of the files.
Result<std::unique_ptr<Task>> make_everyday_task(const std::string& name, const std::string& assets,
                                                 Index vocabulary = 0);

} // namespace headlight
