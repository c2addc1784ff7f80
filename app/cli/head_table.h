// What silencing each head of a model changes, over sentences that its task holds out.
#pragma once

#include "app/cli/terminal.h"
#include "engine/io/model_folder.h"
#include "engine/task/task.h"

#include <string>

namespace headlight {

// A JSON line a head. Where the task translates, "aligned" is the head's mean weight on the word that the
// lexicon says the word that is said stands for, and "turned" how many pronouns' gender hangs on it. Errors:
// those of pairs that the model cannot take, and of the lexicon.
Result<Done> print_head_table(Terminal& terminal, ModelFiles& files, const Task& task,
                              const std::string& assets);

} // namespace headlight
