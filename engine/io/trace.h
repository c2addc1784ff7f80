// Every value of a forward pass in one file, named by path.
#pragma once

#include "engine/base/result.h"
#include "engine/model/transformer.h"
#include "engine/text/vocabulary.h"

#include <filesystem>

namespace headlight {

// Writes what the model's graph holds after a forward pass of one sentence: every value that has a name and
// is not a weight, and every second name (encoder.output); of recurrent layers the gates and states of each
// step by themselves too, "rnn.0.3.hidden" [columns]. Per-head values are [heads, rows, columns], the others
// [rows, columns]. The metadata `source_tokens` and `target_tokens` are JSON arrays of the vocabulary's own
// strings, as they were fed: what is read, and what is written; `source_ids` and `target_ids` are the same as
// numbers, exact where a vocabulary names several alike or not at all, and `token_type_ids` says of which
// sentence each token is, where a model asks. A second sequence that is read is
// `<its name>_tokens`. `source` and `target` are the words of the streams' first and second
// vocabulary.
Result<Done> write_trace(const std::filesystem::path& path, const Model& model, const Vocabulary& source,
                         const Vocabulary& target);

} // namespace headlight
