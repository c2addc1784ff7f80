// What a model says without each of its heads, over many sentences (Michel et al. 2019, arXiv 1905.10650, §3.2): which
// heads its answers hang on, and which of them look from a word that is said to the word that it stands for.
#pragma once

#include "engine/train/batch.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

struct SilencedSentence {
    EncodedPair pair;
    // Said at row `said` of the target, where it is the right one to say, is a word for the tokens read … read_end − 1.
    struct Same {
        Index said = 0, read = 0, read_end = 0;
    };
    std::vector<Same> same = {};
    bool counts = true; // else it is asked for `turned` alone
};

struct SilencedHead {
    std::string attention; // "decoder.0.cross_attn"
    Index head = 0;
    double answers_changed = 0; // share of the sentences whose most probable answer is another without it
    double loss_change = 0;     // of the right answers' words, the mean cross-entropy; nats a word
    Index turned = 0;           // answers that `turns` says have turned, without it
    std::optional<double> aligned = {}; // of attention from what is said to what is read: its mean weight on Same
};

// Calls `done` for each head, in the order of computation, until it returns false. `turns` is asked of the answer as it is
// and of the answer without a head, both without ends. The model has a loss, and keeps no edit.
void silence_heads(Model& model, const ModelConfig& config, std::span<const SilencedSentence> sentences,
                   const std::function<bool(std::size_t sentence, const std::vector<TokenId>& as_it_is,
                                            const std::vector<TokenId>& without)>& turns,
                   const std::function<bool(const SilencedHead&)>& done);

} // namespace headlight
