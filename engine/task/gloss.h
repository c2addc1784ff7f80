// Glossing: for every English word the Portuguese word that it becomes just here, "–" where it becomes none.
// What "it" becomes depends on whom it means, so an encoder alone has to find that out where "it" stands.
#pragma once

#include "engine/task/task.h"

namespace headlight {

// grammars: the folder of english-portuguese.txt, whose word lists it uses, and of gloss.txt. Errors: those
// of the grammars; gloss_uneven, of a sentence with more words on one side than on the other.
Result<std::unique_ptr<Task>> make_gloss_task(const std::string& grammars);

} // namespace headlight
