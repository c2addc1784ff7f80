// One answer, word by word: each the most probable one, or drawn.
#pragma once

#include "engine/decode/next_word.h"
#include "engine/decode/writing.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headlight {

struct AnswerSettings {
    std::optional<Sampling> sampling = {}; // none: greedy
    std::uint64_t seed = 0;
    Index most_words = 0; // 0: what is usual for the model
};

struct SaidWord {
    TokenId word = 0;           // the last may be an end
    double log_probability = 0; // by the model, whatever it was drawn from; natural
};

struct Answer {
    std::vector<SaidWord> said;  // </s> included where it was said
    bool has_ended = false;      // by </s>; else it was full
    std::vector<PassCost> costs; // of each pass

    std::vector<TokenId> words() const; // without the end
    double log_probability() const;     // of all that was said
};

// Goes on from what `writing`, just made, has computed; the words that it began with are the first that were
// said.
Answer write_answer(Writing& writing, const AnswerSettings& settings);

} // namespace headlight
