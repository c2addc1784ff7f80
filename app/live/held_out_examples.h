// Held-out sentences and what the model makes of them at the moment, word by word.
#pragma once

#include "engine/io/model_folder.h"
#include "engine/model/transformer.h"
#include "engine/task/task.h"

#include <span>
#include <string>
#include <vector>

namespace headlight {

struct JudgedWord {
    std::string text;
    bool right = false;
};

struct JudgedExample {
    std::string source, target;     // the pair
    std::vector<JudgedWord> output; // what the model says, token by token
    std::vector<JudgedWord> wanted; // the target, token by token; right: it was said, in this order
    bool exact = false;
};

// Each source answered (engine/decode/writing.h), without the target being known; a class is a word by its
// label. A word of the output is right when it belongs to the longest sequence of words that output and
// target share in this order, so that one word too many does not make every later one wrong. Leaves the graph
// with the values of the last sentence.
std::vector<JudgedExample> judge_examples(Model& transformer, const ModelConfig& config,
                                          const Tokenizer& source, const Tokenizer& target,
                                          std::span<const SentencePair> pairs);

} // namespace headlight
