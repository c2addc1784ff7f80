// Remembering over a distance: what recurrent networks find hard (Hochreiter & Schmidhuber 1997, §5; Bengio
// et al. 1994).
#pragma once

#include "engine/task/task.h"

#include <optional>

namespace headlight {

// A task of memory: what has to be kept comes first, then `distance` words that mean nothing, then the
// question. The source is all of that, the target the answer, so that those who write on learn it as well as
// those who read and answer; of what they are given as a beginning nothing counts (Task::beginning_counts).
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

} // namespace headlight
