// Sentiment: whether a sentence praises or complains, in English and in Portuguese.
#pragma once

#include "engine/task/task.h"

namespace headlight {

// grammars: the folder of sentiment.txt, which says where its sentences come from. Both sides of each of its
// pairs are learnt; the label is the first word of the group's name. Errors: those of the grammar;
// labels_one.
Result<std::unique_ptr<Task>> make_sentiment_task(const std::string& grammars);

} // namespace headlight
