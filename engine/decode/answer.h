// One answer, word by word: each the most probable one, or drawn.
#pragma once

#include "engine/decode/next_word.h"
#include "engine/decode/writing.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

namespace headlight {

struct AnswerSettings {
    std::optional<Sampling> sampling = {}; // none: greedy
    std::uint64_t seed = 0;
    Index most_words = 0;                    // 0: what is usual for the model
    Index most_multiplications = 0;          // after the first pass; then as if stopped. 0: all it takes
    const std::atomic<bool>* stop = nullptr; // once it is true, the answer is what has been said until then
    // An end is followed by another beginning, as in what it was trained on: text after text, as long as
    // there is room.
    bool goes_on = false;
};

struct SaidWord {
    TokenId word = 0;           // the last may be an end
    double log_probability = 0; // by the model, whatever it was drawn from; natural
};

struct Answer {
    std::vector<SaidWord> said;  // </s> included where it was said
    bool has_ended = false;      // by </s>, and did not go on; else it was full, or stopped
    bool is_cut = false;         // stopped
    std::vector<PassCost> costs; // of each pass

    std::vector<TokenId> words() const; // without the end
    double log_probability() const;     // of all that was said
};

// An answer in portions: a word at a time, for who has something else to do meanwhile.
class AnswerWriter {
public:
    // Goes on from what `writing`, just made, has computed; the words that it began with are the first that
    // were said. It stays where it is as long as this one lives.
    AnswerWriter(Writing& writing, const AnswerSettings& settings);

    bool is_over() const { return is_over_; }
    void say_next(); // and computes what the word after it needs
    const Answer& answer() const { return answer_; }
    Index most_words() const { return most_; } // that it may have

private:
    Writing& writing_;
    AnswerSettings settings_;
    Index most_;
    Answer answer_;
    bool is_over_ = false;
};

// What is fed of these words of an answer that goes on: where a text ended, the mark with which the next one
// begins, where there is one.
std::vector<TokenId> fed_of_texts(std::span<const TokenId> words, const Stream& target);

// Goes on from what `writing`, just made, has computed; the words that it began with are the first that were
// said.
Answer write_answer(Writing& writing, const AnswerSettings& settings);

} // namespace headlight
